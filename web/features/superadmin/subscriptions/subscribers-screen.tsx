import { useInfiniteQuery } from '@tanstack/react-query'
import { CreditCard, SearchX } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { exportSubscribers } from '#contract/superadmin-subscriptions.ts'
import { send } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { CsvExport } from '../csv-export.tsx'
import { formatCount } from '../format-figures.ts'
import { ListSkeleton } from '../list-skeleton.tsx'
import { SubscriberFilters } from './subscriber-filters.tsx'
import { SubscriberRow } from './subscriber-row.tsx'
import { isFiltered, readSubscriberSearch, writeSubscriberSearch } from './subscriber-search.ts'
import { subscribersQuery, toSubscriberFilters } from './subscribers-query.ts'

/** Organisations with their plan and revenue. The filters stand in the address. */
export function SubscribersScreen() {
  const [params, setParams] = useSearchParams()
  const search = readSubscriberSearch(params)
  const list = useInfiniteQuery(subscribersQuery(search))
  const rows = list.data?.pages.flatMap(({ items }) => items)
  const count = list.data?.pages[0]?.count ?? 0
  return (
    <>
      <SubscriberFilters
        search={search}
        onChange={(next) => setParams(writeSubscriberSearch(next), { preventScrollReset: true, replace: true })}
      />
      <div className="mt-3 mb-3 flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted text-sm" aria-live="polite">
          {rows && rows.length > 0 && (count === 1 ? '1 organisation' : `${formatCount(count)} organisations`)}
        </p>
        <CsvExport
          request={() => send(exportSubscribers, { body: toSubscriberFilters(search) }, '*/*')}
          failure="Couldn’t export the subscriptions"
        />
      </div>
      {rows === undefined ? (
        list.error ? (
          <LoadFailure title="Couldn’t load subscriptions" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListSkeleton label="Loading subscriptions" />
        )
      ) : rows.length === 0 ? (
        isFiltered(search) ? (
          <EmptyState
            icon={<SearchX />}
            title="No results"
            action={
              <Button variant="secondary" onClick={() => setParams({})}>
                Clear filters
              </Button>
            }
          >
            No organisation matches these filters.
          </EmptyState>
        ) : (
          <EmptyState icon={<CreditCard />} title="No organisations yet">
            Organisations appear here as soon as people sign up.
          </EmptyState>
        )
      ) : (
        <>
          <ul
            aria-label="Organisations"
            aria-busy={list.isPlaceholderData}
            className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
          >
            {rows.map((row) => (
              <li key={row.organization.id}>
                <SubscriberRow subscriber={row} />
              </li>
            ))}
          </ul>
          <MoreButton list={list} className="mt-4 self-center" />
        </>
      )}
    </>
  )
}
