import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Guide, GuideSummary } from '#contract/docs.ts'
import { withBasePath } from '#web/lib/base-path.ts'
import { DocsSearch } from './docs-search.tsx'
import { GuideArticle } from './guide-article.tsx'
import { GuideContents } from './guide-contents.tsx'
import { GuideList } from './guide-list.tsx'
import { GuideNeighbours } from './guide-neighbours.tsx'

/** The public page of a guide: all guides at the left, its contents at the right. */
export function GuidePage({ guide, guides }: { guide: Guide; guides: readonly GuideSummary[] }) {
  const list = <GuideList guides={guides} current={guide.path} renderLink={renderLink} />
  return (
    <div data-guide className="docs-page mx-auto w-full max-w-6xl px-5 pt-6 pb-20 md:px-8 lg:pt-10">
      <div className="docs-side mb-8 flex flex-col gap-3 self-start lg:mb-0 lg:gap-6">
        <DocsSearch />
        <details className="docs-fold rounded-lg border border-border lg:hidden">
          <summary className="h-10 rounded-lg px-3 font-medium text-base hover:bg-hover">
            All guides
            <ChevronDown aria-hidden="true" className="size-4" />
          </summary>
          <nav aria-label="All guides" className="border-border border-t p-3">
            {list}
          </nav>
        </details>
        <nav aria-label="Guides" className="min-h-0 overflow-y-auto max-lg:hidden">
          {list}
        </nav>
      </div>
      <div className="min-w-0">
        <nav aria-label="Breadcrumb" className="mb-3 text-muted text-sm">
          <ol className="flex flex-wrap gap-1.5">
            <li>
              <a
                href={withBasePath('/docs')}
                className="rounded-sm underline-offset-2 hover:text-foreground hover:underline"
              >
                Docs
              </a>
            </li>
            <li className="docs-crumb">{guide.section}</li>
            <li aria-current="page" className="sr-only">
              {guide.title}
            </li>
          </ol>
        </nav>
        <GuideArticle guide={guide}>
          <GuideNeighbours guide={guide} renderLink={renderLink} />
        </GuideArticle>
      </div>
      <div className="docs-contents">
        <GuideContents headings={guide.headings} />
      </div>
    </div>
  )
}

function renderLink(path: string, props: { children: ReactNode }) {
  return <a href={withBasePath(`/docs/guides/${path}`)} {...props} />
}
