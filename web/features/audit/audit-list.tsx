import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { ScrollText, SearchX } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AuditRow, type ListedEntry } from './audit-row.tsx'
import type { AuditSearch } from './audit-search.ts'

interface AuditListProps {
  log: UseInfiniteQueryResult<InfiniteData<{ items: ListedEntry[] }>>
  /** Whether filters leave entries out. */
  isSearch: boolean
  onClear: () => void
  onFilter: (change: Partial<AuditSearch>) => void
}

/** Entries of the log, latest first, or why there are none. */
export function AuditList({ log, isSearch, onClear, onFilter }: AuditListProps) {
  const entries = log.data?.pages.flatMap(({ items }) => items)
  if (entries === undefined) {
    return log.error ? (
      <LoadFailure title="Couldn’t load the audit log" error={log.error} onRetry={() => void log.refetch()} />
    ) : (
      <ListSkeleton />
    )
  }
  if (entries.length === 0) return <NoEntries isSearch={isSearch} onClear={onClear} />
  return (
    <>
      <ul
        aria-label="Audit log"
        aria-busy={log.isPlaceholderData}
        className="mt-6 divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
      >
        {entries.map((entry) => (
          <li key={entry.id}>
            <AuditRow entry={entry} onFilter={onFilter} />
          </li>
        ))}
      </ul>
      <MoreButton list={log} className="mt-4 self-center" />
    </>
  )
}

function NoEntries({ isSearch, onClear }: { isSearch: boolean; onClear: () => void }) {
  return isSearch ? (
    <EmptyState
      icon={<SearchX />}
      title="No results"
      className="mt-6"
      action={
        <Button variant="secondary" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      No entries match these filters.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<ScrollText />}
      title="No entries yet"
      className="mt-6 rounded-xl border border-border border-dashed"
    >
      Changes to members, projects and settings appear here.
    </EmptyState>
  )
}

function ListSkeleton() {
  return (
    <output className="mt-6 block divide-y divide-border rounded-lg border border-border bg-surface">
      <span className="sr-only">Loading the audit log</span>
      {['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((name) => (
        <div key={name} className="flex items-center gap-3 px-4 py-3 dense:py-1.5">
          <Skeleton className="size-4 rounded-full" />
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="ml-auto h-3 w-16" />
        </div>
      ))}
    </output>
  )
}
