import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Guide } from '#contract/docs.ts'

/** The guides before and after this one. */
export function GuideNeighbours({
  guide: { previous, next },
  renderLink,
}: {
  guide: Guide
  renderLink: (path: string, props: { rel: 'prev' | 'next'; children: ReactNode }) => ReactNode
}) {
  if (!previous && !next) return null
  return (
    <nav
      aria-label="Previous and next guide"
      className="docs-neighbours mt-10 grid gap-3 border-border border-t pt-8 sm:grid-cols-2"
    >
      {previous &&
        renderLink(previous.path, {
          rel: 'prev',
          children: (
            <>
              <span className="flex items-center gap-1.5 text-muted text-sm">
                <ArrowLeft aria-hidden="true" className="size-3.5" />
                Previous
              </span>
              <span className="font-medium">{previous.title}</span>
            </>
          ),
        })}
      {next &&
        renderLink(next.path, {
          rel: 'next',
          children: (
            <>
              <span className="flex items-center gap-1.5 text-muted text-sm">
                Next
                <ArrowRight aria-hidden="true" className="size-3.5" />
              </span>
              <span className="font-medium">{next.title}</span>
            </>
          ),
        })}
    </nav>
  )
}
