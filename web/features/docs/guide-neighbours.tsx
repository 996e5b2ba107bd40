import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Guide } from '#contract/docs.ts'

const linkLook =
  'flex min-w-0 flex-col gap-1 rounded-lg border border-border px-4 py-3 hover:border-border-strong hover:bg-hover'

/** The guides before and after this one. */
export function GuideNeighbours({
  guide: { previous, next },
  renderLink,
}: {
  guide: Guide
  renderLink: (path: string, props: { className: string; children: ReactNode }) => ReactNode
}) {
  if (!previous && !next) return null
  return (
    <nav aria-label="Previous and next guide" className="mt-10 grid gap-3 border-border border-t pt-8 sm:grid-cols-2">
      {previous &&
        renderLink(previous.path, {
          className: linkLook,
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
          className: `${linkLook} items-end text-right sm:col-start-2`,
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
