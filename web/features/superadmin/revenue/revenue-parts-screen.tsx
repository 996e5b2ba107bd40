import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { revenueFigures } from '#contract/revenue.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { formatCents } from '../format-money.ts'
import { ListSkeleton } from '../list-skeleton.tsx'
import { formatLongMonth } from './format-month.ts'
import { type PartsSearch, readPartsSearch } from './parts-search.ts'
import { revenuePartsQuery } from './revenue-queries.ts'

/** The organisations that a figure is made of. Figure and month stand in the address. */
export function RevenuePartsScreen() {
  const search = readPartsSearch(useSearchParams()[0])
  return (
    <div className="flex flex-col gap-4">
      <BackLink to="/dashboard/superadmin/revenue">Revenue</BackLink>
      {search ? (
        <Parts search={search} />
      ) : (
        <EmptyState icon={<SearchX />} title="No such figure">
          This address names no figure and month. Select one on the revenue screen.
        </EmptyState>
      )}
    </div>
  )
}

function Parts({ search }: { search: PartsSearch }) {
  const { label, unit, definition } = revenueFigures[search.figure]
  const list = useInfiniteQuery(revenuePartsQuery(search))
  const parts = list.data?.pages.flatMap(({ items }) => items)
  const { total = 0, count = 0 } = list.data?.pages[0] ?? {}
  const format = (amount: number) => (unit === 'cents' ? formatCents(amount) : String(amount))
  return (
    <>
      <div>
        <h2 className="font-semibold text-xl">
          {label}, {formatLongMonth(search.month)}
        </h2>
        {search.cohort !== '' && (
          <p className="text-base text-muted">Of organisations that began in {formatLongMonth(search.cohort)}</p>
        )}
        <p className="mt-1 max-w-3xl text-base text-muted">{definition}</p>
      </div>
      {parts === undefined ? (
        list.error ? (
          <LoadFailure title="Couldn’t load the organisations" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListSkeleton label="Loading organisations" />
        )
      ) : parts.length === 0 ? (
        <EmptyState icon={<SearchX />} title="No organisations">
          This figure is zero.
        </EmptyState>
      ) : (
        <>
          <ul
            aria-label="Organisations"
            className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
          >
            {parts.map(({ organization, amount }) => (
              <li key={organization.id}>
                <Link
                  to={`/dashboard/superadmin/subscriptions/${organization.id}`}
                  className="flex min-h-10 items-center justify-between gap-4 px-4 py-2 text-base hover:bg-hover focus-visible:outline-offset-[-2px]"
                >
                  <bdi className="truncate">{organization.name}</bdi>
                  <span className="tabular-nums">{format(amount)}</span>
                </Link>
              </li>
            ))}
          </ul>
          <p className="flex justify-between gap-4 px-4 font-medium text-base">
            <span>Total of {count === 1 ? '1 organisation' : `${count} organisations`}</span>
            <span className="tabular-nums">{format(total)}</span>
          </p>
          <MoreButton list={list} className="self-center" />
        </>
      )}
    </>
  )
}
