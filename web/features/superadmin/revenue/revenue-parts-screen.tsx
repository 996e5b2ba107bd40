import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { exportRevenueParts, revenueFigures } from '#contract/revenue.ts'
import { send } from '#web/lib/api.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FigurePartList, FigurePartsBar, usePartFilters } from '../figure-parts.tsx'
import { formatCount } from '../format-figures.ts'
import { formatCents } from '../format-money.ts'
import { formatLongMonth } from './format-month.ts'
import { type PartsSearch, readPartsSearch } from './parts-search.ts'
import { revenuePartsQuery, toRevenueParts } from './revenue-queries.ts'

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
  const [filters, setFilters] = usePartFilters()
  const list = useInfiniteQuery(revenuePartsQuery(search, filters))
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
      <FigurePartsBar
        filters={filters}
        onChange={setFilters}
        request={() => send(exportRevenueParts, { body: toRevenueParts(search, filters) }, '*/*')}
      />
      <FigurePartList list={list} words={filters.search} format={unit === 'cents' ? formatCents : formatCount} />
    </>
  )
}
