import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText, SearchX } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AuditExport } from './audit-export.tsx'
import { AuditFilterBar } from './audit-filter-bar.tsx'
import { auditQuery } from './audit-query.ts'
import { AuditRow } from './audit-row.tsx'
import { type AuditSearch, isFiltered, readAuditSearch, toAuditFilters, writeAuditSearch } from './audit-search.ts'

/** Who changed what in the organisation. The filters stand in the address. */
export default function AuditScreen() {
  const { organization } = useOrganization()
  const [params, setParams] = useSearchParams()
  const search = readAuditSearch(params)
  const filters = toAuditFilters(search)
  const log = useInfiniteQuery(auditQuery(organization.id, filters))
  const entries = log.data?.pages.flatMap((page) => page.items)
  const show = (next: AuditSearch) => setParams(writeAuditSearch(next), { preventScrollReset: true })
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 py-6 sm:px-8 sm:py-8">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0">
          <h1 className="font-semibold text-2xl">Audit log</h1>
          <p className="mt-1 text-base text-muted">Changes to members, settings and data, latest first.</p>
        </div>
        <AuditExport filters={filters} />
      </header>
      <AuditFilterBar
        search={search}
        actorName={entries?.find(({ actor }) => actor.id === search.actor)?.actor.name ?? undefined}
        onChange={show}
      />
      {entries === undefined ? (
        log.error ? (
          <LoadFailure title="Couldn’t load the audit log" error={log.error} onRetry={() => void log.refetch()} />
        ) : (
          <ListSkeleton />
        )
      ) : entries.length === 0 ? (
        <NoEntries isSearch={isFiltered(search)} onClear={() => setParams({})} />
      ) : (
        <>
          <ul
            aria-label="Audit log"
            aria-busy={log.isPlaceholderData}
            className="mt-6 divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
          >
            {entries.map((entry) => (
              <li key={entry.id}>
                <AuditRow entry={entry} onFilter={(change) => show({ ...search, ...change })} />
              </li>
            ))}
          </ul>
          <MoreButton list={log} className="mt-4 self-center" />
        </>
      )}
    </div>
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
