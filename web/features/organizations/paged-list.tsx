import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** A list that is read page by page: loading, failed, empty, or its rows and a button for more. */
export function PagedList<Item>({
  list,
  label,
  failure,
  empty,
  renderItem,
}: {
  list: UseInfiniteQueryResult<InfiniteData<{ items: Item[] }>, Error>
  label: string
  /** Title, if it could not be loaded. */
  failure: string
  empty: ReactNode
  renderItem: (item: Item) => ReactNode
}) {
  const items = list.data?.pages.flatMap((page) => page.items)
  if (items === undefined) {
    if (list.error) return <LoadFailure title={failure} error={list.error} onRetry={() => void list.refetch()} />
    return <RowSkeletons label={label} />
  }
  if (items.length === 0) return empty
  return (
    <>
      <ul aria-label={label} className="divide-y divide-border">
        {items.map(renderItem)}
      </ul>
      {list.hasNextPage && (
        <div className="flex justify-center border-border border-t px-5 py-3">
          <MoreButton list={list} size="sm" />
        </div>
      )}
    </>
  )
}

function RowSkeletons({ label }: { label: string }) {
  return (
    <output className="block divide-y divide-border">
      <span className="sr-only">Loading {label.toLowerCase()}</span>
      {['first', 'second', 'third'].map((name) => (
        <div key={name} className="flex items-center gap-3 px-5 py-3.5">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-4 w-48" />
        </div>
      ))}
    </output>
  )
}
