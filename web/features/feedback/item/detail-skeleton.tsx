import type { FeedbackListItem } from '#contract/feedback.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ItemLine, ItemMessage, ItemPage } from './item-words.tsx'

/** Stands for an item until something of it is there. */
export function DetailSkeleton() {
  return (
    <output className="mx-auto block max-w-3xl px-4 py-5 sm:px-8 sm:py-7">
      <span className="sr-only">Loading item</span>
      <Skeleton className="my-1 h-4 w-56" />
      <Skeleton className="mt-6 h-4" />
      <Skeleton className="mt-2 h-4 w-4/5" />
      <Skeleton className="mt-10 h-40" />
    </output>
  )
}

interface ItemPreview {
  /** The item's row, if the list holds it. */
  row: FeedbackListItem | undefined
  projectName: string | undefined
  position: string | undefined
}

/**
 * Stands for the whole pane of an item until its code is there: what the visitor wrote, where the list's row says it.
 * Items with notes above their words wait, since these would move down.
 */
export function DetailPanePreview({ row, projectName, position }: ItemPreview) {
  const isPlain = row && row.location === 'inbox' && !row.locked && row.spamReason === null
  return (
    <section aria-label="Item" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="h-14 shrink-0 border-border border-b bg-surface" />
      {isPlain ? (
        <div className="@container min-h-0 flex-1 overflow-y-auto">
          <ItemPage>
            <div className="min-w-0">
              <ItemLine item={row} projectName={projectName} position={position} />
              <ItemMessage item={row} />
            </div>
          </ItemPage>
        </div>
      ) : (
        <DetailSkeleton />
      )}
    </section>
  )
}
