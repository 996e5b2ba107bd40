import type { ReactNode } from 'react'
import type { Guide } from '#contract/docs.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { getDateFormat } from '#web/lib/date-style.ts'
import { Prose } from '#web/ui/prose.tsx'

const footLink = 'rounded-sm underline underline-offset-2 hover:text-foreground'

/** A guide's title and text, and what follows it. */
export function GuideArticle({ guide, children }: { guide: Guide; children?: ReactNode }) {
  const { path, title, description, html, changed, editUrl } = guide
  return (
    <article aria-labelledby="guide-title" className="min-w-0">
      <h1 id="guide-title" className="font-semibold text-3xl tracking-tight">
        {title}
      </h1>
      <p className="mt-2 text-muted text-xl">{description}</p>
      <Prose html={html} className="mt-8" />
      <p className="mt-12 flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
        {changed !== null && (
          <span>
            Last changed <time dateTime={changed}>{formatDay(changed)}</time>
          </span>
        )}
        <a href={withBasePath(`/docs/guides/${path}.md`)} className={footLink}>
          View as Markdown
        </a>
        {editUrl !== null && (
          <a href={editUrl} rel="noopener" className={footLink}>
            Edit this page
          </a>
        )}
      </p>
      {children}
    </article>
  )
}

function formatDay(day: string): string {
  const date = new Date(day)
  return Number.isNaN(date.getTime()) ? day : getDateFormat('longDay', 'UTC').format(date)
}
