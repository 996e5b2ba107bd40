import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { Download, SearchX } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { ReplyOf } from '#contract/route.ts'
import {
  activationSteps,
  activeFigure,
  type listMetricsParts,
  type MetricsPartFigure,
  usageFigures,
} from '#contract/superadmin-metrics.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Input } from '#web/ui/input.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { Select } from '#web/ui/select.tsx'
import { formatCount, formatDays } from '../format-figures.ts'
import { ListSkeleton } from '../list-skeleton.tsx'
import { downloadCsv } from './download-csv.ts'
import { loadAllParts, metricsPartsQuery, type PartFilters } from './metrics-queries.ts'
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
  const [typed, setTyped] = useState('')
  const [sort, setSort] = useState<PartFilters['sort']>('amount')
  const filters = { search: useDeferredValue(typed.trim()), sort }
  const list = useInfiniteQuery(metricsPartsQuery(search, filters))
  const [isSaving, setSaving] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const count = list.data?.pages[0]?.count ?? 0
  const save = async () => {
    setSaving(true)
    setFailed(false)
    try {
      const all = await loadAllParts(search, filters)
      downloadCsv(`${search.figure}-${search.from}-${search.to}`, {
        columns: ['Organisation', 'Slug', 'Id', label],
        rows: all.map(({ organization, amount }) => ({
          label: organization.name,
          cells: [organization.slug, organization.id, amount],
        })),
      })
    } catch {
      setFailed(true)
    }
    setSaving(false)
  }
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
      <search aria-label="Filters" className="flex flex-wrap items-center gap-2">
        <Input
          type="search"
          aria-label="Search organisations"
          placeholder="Name or slug"
          className="w-full sm:w-72"
          maxLength={100}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Select
          aria-label="Sort"
          className="w-auto"
          value={sort}
          onChange={({ currentTarget: { value } }) => setSort(value === 'name' ? 'name' : 'amount')}
        >
          <option value="amount">Largest first</option>
          <option value="name">By name</option>
        </Select>
        <Button variant="secondary" loading={isSaving} disabled={count === 0} onClick={() => void save()}>
          <Download aria-hidden="true" />
          Export CSV
        </Button>
        <p role="alert" className="basis-full text-danger-text text-sm empty:hidden">
          {hasFailed && 'Couldn’t export the organisations. Try again.'}
        </p>
      </search>
      <PartList list={list} words={filters.search} />
    </>
  )
}

interface PartListProps {
  list: UseInfiniteQueryResult<InfiniteData<ReplyOf<typeof listMetricsParts>>>
  /** That the organisations were searched by. */
  words: string
}

function PartList({ list, words: searched }: PartListProps) {
  const parts = list.data?.pages.flatMap(({ items }) => items)
  const { total = 0, count = 0 } = list.data?.pages[0] ?? {}
  if (parts === undefined) {
    return list.error ? (
      <LoadFailure title="Couldn’t load the organisations" error={list.error} onRetry={() => void list.refetch()} />
    ) : (
      <ListSkeleton label="Loading organisations" />
    )
  }
  if (parts.length === 0) {
    return (
      <EmptyState icon={<SearchX />} title="No organisations">
        {searched === '' ? 'This figure is zero.' : `No results for “${searched}”.`}
      </EmptyState>
    )
  }
  return (
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
              <span className="tabular-nums">{formatCount(amount)}</span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="flex justify-between gap-4 px-4 font-medium text-base">
        <span>Total of {count === 1 ? '1 organisation' : `${formatCount(count)} organisations`}</span>
        <span className="tabular-nums">{formatCount(total)}</span>
      </p>
      <MoreButton list={list} className="self-center" />
    </>
  )
}
