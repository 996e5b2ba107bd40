import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useSearchParams } from 'react-router'
import {
  activationSteps,
  activeFigure,
  exportMetricsParts,
  type MetricsPartFigure,
  usageFigures,
} from '#contract/superadmin-metrics.ts'
import { send } from '#web/lib/api.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FigurePartList, FigurePartsBar, usePartFilters } from '../figure-parts.tsx'
import { formatCount, formatDays } from '../format-figures.ts'
import { metricsPartsQuery, toMetricsParts } from './metrics-queries.ts'
import { type MetricsPartsSearch, readMetricsPartsSearch } from './metrics-search.ts'

const words: Readonly<Record<MetricsPartFigure, { label: string; definition: string }>> = {
  ...usageFigures,
  active: { ...activeFigure, definition: `${activeFigure.definition} Listed with the days on which they were active.` },
  ...activationSteps,
}

/** The organisations that a figure is made of. Figure and days stand in the address. */
export function MetricsPartsScreen() {
  const search = readMetricsPartsSearch(useSearchParams()[0])
  return (
    <div className="flex flex-col gap-4">
      <BackLink to="/dashboard/superadmin/metrics">Metrics</BackLink>
      {search ? (
        <Parts search={search} />
      ) : (
        <EmptyState icon={<SearchX />} title="No such figure">
          This address names no figure and period. Select one on the metrics screen.
        </EmptyState>
      )}
    </div>
  )
}

function Parts({ search }: { search: MetricsPartsSearch }) {
  const { label, definition } = words[search.figure]
  const [filters, setFilters] = usePartFilters()
  const list = useInfiniteQuery(metricsPartsQuery(search, filters))
  return (
    <>
      <div>
        <h2 className="font-semibold text-xl">
          {label}, {formatDays(search.from, search.to)}
        </h2>
        {search.cohort !== '' && (
          <p className="text-base text-muted">
            Of organisations that signed up in the week from {formatDays(search.cohort, search.cohort)}
          </p>
        )}
        <p className="mt-1 max-w-3xl text-base text-muted">{definition}</p>
      </div>
      <FigurePartsBar
        filters={filters}
        onChange={setFilters}
        request={() => send(exportMetricsParts, { body: toMetricsParts(search, filters) }, '*/*')}
      />
      <FigurePartList list={list} words={filters.search} format={formatCount} />
    </>
  )
}
