import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { CsvExport } from './csv-export.tsx'
import { formatCount } from './format-figures.ts'
import { ListSkeleton } from './list-skeleton.tsx'

export interface PartFilters {
  readonly search: string
  readonly sort: 'amount' | 'name'
}

export function toPartQuery({ search, sort }: PartFilters) {
  return { ...(search !== '' && { search }), sort }
}

/** Filters of a list of parts, as they stand in the address beside the figure. */
export function usePartFilters(): [PartFilters, (filters: PartFilters) => void] {
  const [params, setParams] = useSearchParams()
  const filters: PartFilters = {
    search: (params.get('q') ?? '').slice(0, 100),
    sort: params.get('sort') === 'name' ? 'name' : 'amount',
  }
  const change = ({ search, sort }: PartFilters) => {
    const next = new URLSearchParams(params)
    next.delete('q')
    next.delete('sort')
    if (search !== '') next.set('q', search)
    if (sort === 'name') next.set('sort', sort)
    setParams(next, { preventScrollReset: true, replace: true })
  }
  return [filters, change]
}

interface PartsBarProps {
  filters: PartFilters
  onChange: (filters: PartFilters) => void
  /** Asks for the file. */
  request: () => Promise<Response>
}

/** Searches, sorts and downloads the organisations that a figure is made of. */
export function FigurePartsBar({ filters, onChange, request }: PartsBarProps) {
  return (
    <search aria-label="Filters" className="flex flex-wrap items-center gap-2">
      <SearchField
        label="Search organisations"
        placeholder="Name or slug"
        value={filters.search}
        onChange={(search) => onChange({ ...filters, search })}
      />
      <Select
        aria-label="Sort"
        className="w-auto min-w-36 flex-1 sm:flex-none"
        value={filters.sort}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...filters, sort: value === 'name' ? 'name' : 'amount' })
        }
      >
        <option value="amount">Largest first</option>
        <option value="name">By name</option>
      </Select>
      <CsvExport request={request} failure="Couldn’t export the organisations" />
    </search>
  )
}

interface PartsPage {
  readonly items: readonly {
    readonly organization: { readonly id: string; readonly name: string }
    readonly amount: number
  }[]
  readonly total: number
  readonly count: number
}

interface PartListProps {
  list: UseInfiniteQueryResult<InfiniteData<PartsPage>>
  /** That the organisations were searched by. */
  words: string
  format: (amount: number) => string
}

/** The organisations that a figure is made of, with their sum. */
export function FigurePartList({ list, words, format }: PartListProps) {
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
        {words === '' ? 'This figure is zero.' : `No results for “${words}”.`}
      </EmptyState>
    )
  }
  return (
    <>
      <ul
        aria-label="Organisations"
        aria-busy={list.isPlaceholderData}
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
        <span>Total of {count === 1 ? '1 organisation' : `${formatCount(count)} organisations`}</span>
        <span className="tabular-nums">{format(total)}</span>
      </p>
      <MoreButton list={list} className="self-center" />
    </>
  )
}
