import { useInfiniteQuery } from '@tanstack/react-query'
import { MailCheck, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  exportSuppressions,
  type Suppression,
  type SuppressionFilters,
  type SuppressionReason,
} from '#contract/email-suppressions.ts'
import { send } from '#web/lib/api.ts'
import { formatDay } from '#web/lib/relative-time.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { TimeOrder } from '#web/ui/time-order.tsx'
import { CsvExport } from '../csv-export.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import { AddSuppressionDialog } from './add-suppression-dialog.tsx'
import { RemoveSuppressionDialog } from './remove-suppression-dialog.tsx'
import { suppressionsQuery } from './suppression-queries.ts'

const reasons: Readonly<Record<SuppressionReason, string>> = {
  hard_bounce: 'Hard bounce',
  complaint: 'Reported as spam',
  manual: 'Added by a superadmin',
}

/** Addresses that get no emails. The search stands in the address. */
export function SuppressionsScreen() {
  const [params, setParams] = useSearchParams()
  const search = (params.get('q') ?? '').slice(0, 200)
  const isOldestFirst = params.get('order') === 'oldest'
  const change = (q: string, oldest: boolean) =>
    setParams(
      { ...(q !== '' && { q }), ...(oldest && { order: 'oldest' }) },
      { preventScrollReset: true, replace: true },
    )
  const filters: SuppressionFilters = {
    ...(search !== '' && { search }),
    ...(isOldestFirst && { order: 'oldest' }),
  }
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Suppression>()
  const list = useInfiniteQuery(suppressionsQuery(filters))
  const rows = list.data?.pages.flatMap(({ items }) => items)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <SearchField
          label="Search addresses"
          placeholder="Email"
          value={search}
          onChange={(q) => change(q, isOldestFirst)}
        />
        <TimeOrder isOldestFirst={isOldestFirst} onChange={(oldest) => change(search, oldest)} />
        <CsvExport
          request={() => send(exportSuppressions, { body: filters }, '*/*')}
          failure="Couldn’t export the addresses"
        />
        <Button onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" />
          Suppress address
        </Button>
      </div>
      {rows === undefined ? (
        list.error ? (
          <LoadFailure title="Couldn’t load addresses" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListSkeleton label="Loading addresses" />
        )
      ) : rows.length === 0 ? (
        search === '' ? (
          <EmptyState icon={<MailCheck />} title="No suppressed addresses">
            Addresses appear here after a hard bounce or a spam report.
          </EmptyState>
        ) : (
          <EmptyState icon={<SearchX />} title="No results">
            No suppressed address matches this search.
          </EmptyState>
        )
      ) : (
        <>
          <ul
            aria-label="Suppressed addresses"
            aria-busy={list.isPlaceholderData}
            className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
          >
            {rows.map((row) => (
              <SuppressionRow key={row.id} suppression={row} onRemove={() => setRemoved(row)} />
            ))}
          </ul>
          <MoreButton list={list} className="mt-4 self-center" />
        </>
      )}
      {isAdding && <AddSuppressionDialog onClose={() => setAdding(false)} />}
      {removed && <RemoveSuppressionDialog suppression={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

interface RowProps {
  suppression: Suppression
  onRemove: () => void
}

function SuppressionRow({ suppression: { address, reason, since }, onRemove }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <span className="min-w-0 flex-1 basis-56">
        <bdi className="block font-medium [overflow-wrap:anywhere]">{address}</bdi>
        <span className="text-muted text-sm">
          {reasons[reason]}, since {formatDay(since)}
        </span>
      </span>
      <Button variant="secondary" size="sm" aria-label={`Remove ${address}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  )
}
