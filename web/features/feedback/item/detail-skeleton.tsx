import { Skeleton } from '#web/ui/skeleton.tsx'

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

/** Stands for the whole pane of an item until its code is there. */
export function DetailPaneSkeleton() {
  return (
    <section aria-label="Item" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="h-14 shrink-0 border-border border-b bg-surface" />
      <DetailSkeleton />
    </section>
  )
}
