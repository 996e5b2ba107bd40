import type { ReactNode } from 'react'
import type { Guide } from '#contract/docs.ts'
import { Prose } from '#web/ui/prose.tsx'

/** A guide's title and text, and what follows it. */
export function GuideArticle({ guide, children }: { guide: Guide; children?: ReactNode }) {
  const { title, description, html, changed, editUrl } = guide
  return (
    <article aria-labelledby="guide-title" className="min-w-0">
      <h1 id="guide-title" className="font-semibold text-3xl tracking-tight">
        {title}
      </h1>
      <p className="mt-2 text-muted text-xl">{description}</p>
      <Prose html={html} className="mt-8" />
      {(changed !== null || editUrl !== null) && (
        <p className="mt-12 flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
          {changed !== null && (
            <span>
              Last changed <time dateTime={changed}>{formatDay(changed)}</time>
            </span>
          )}
          {editUrl !== null && (
            <a href={editUrl} rel="noopener" className="underline underline-offset-2 hover:text-foreground">
              Edit this page
            </a>
          )}
        </p>
      )}
      {children}
    </article>
  )
}

/** The same on the server and in every browser. */
const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

function formatDay(day: string): string {
  const date = new Date(day)
  return Number.isNaN(date.getTime()) ? day : dayFormat.format(date)
}
