import { useInfiniteQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useSearchParams } from 'react-router'
import {
  exportInstanceOrganizations,
  type OrganizationOrder,
  type OrganizationState,
  organizationOrders,
  organizationStates,
} from '#contract/superadmin-organizations.ts'
import { send } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { MoreButton } from '#web/ui/more-button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { CsvExport } from '../csv-export.tsx'
import { ListSkeleton } from '../list-skeleton.tsx'
import {
  type OrganizationSearch,
  organizationsQuery,
  readOrganizationSearch,
  toOrganizationFilters,
  writeOrganizationSearch,
} from './organization-queries.ts'
import { OrganizationRow } from './organization-row.tsx'

const stateLabels: Readonly<Record<OrganizationState, string>> = { open: 'Open', closed: 'Being deleted' }
const orderLabels: Readonly<Record<OrganizationOrder, string>> = {
  latest: 'Latest first',
  oldest: 'Oldest first',
  name: 'By name',
}

/** The organisations of the instance. The filters stand in the address. */
export function OrganizationsScreen() {
  const [params, setParams] = useSearchParams()
  const search = readOrganizationSearch(params)
  const list = useInfiniteQuery(organizationsQuery(search))
  const rows = list.data?.pages.flatMap(({ items }) => items)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <OrganizationFilters
          search={search}
          onChange={(next) => setParams(writeOrganizationSearch(next), { preventScrollReset: true, replace: true })}
        />
        <CsvExport
          request={() => send(exportInstanceOrganizations, { body: toOrganizationFilters(search) }, '*/*')}
          failure="Couldn’t export the organisations"
        />
      </div>
      {rows === undefined ? (
        list.error ? (
          <LoadFailure title="Couldn’t load organisations" error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <ListSkeleton label="Loading organisations" />
        )
      ) : rows.length === 0 ? (
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
        <>
          <ul
            aria-label="Organisations"
            aria-busy={list.isPlaceholderData}
            className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-surface shadow-sm"
          >
            {rows.map((organization) => (
              <li key={organization.id}>
                <OrganizationRow organization={organization} />
              </li>
            ))}
          </ul>
          <MoreButton list={list} className="mt-4 self-center" />
        </>
      )}
    </>
  )
}

interface OrganizationFiltersProps {
  search: OrganizationSearch
  onChange: (search: OrganizationSearch) => void
}

function OrganizationFilters({ search, onChange }: OrganizationFiltersProps) {
  return (
    <search aria-label="Filters" className="contents">
      <SearchField
        label="Search organisations"
        placeholder="Name or address"
        value={search.search}
        onChange={(words) => onChange({ ...search, search: words })}
      />
      <Select
        aria-label="State"
        className="w-auto min-w-36 flex-1 sm:flex-none"
        value={search.state}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, state: organizationStates.find((each) => each === value) ?? '' })
        }
      >
        <option value="">All organisations</option>
        {organizationStates.map((state) => (
          <option key={state} value={state}>
            {stateLabels[state]}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Order"
        className="w-auto min-w-36 flex-1 sm:flex-none"
        value={search.order}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, order: organizationOrders.find((each) => each === value) ?? 'latest' })
        }
      >
        {organizationOrders.map((order) => (
          <option key={order} value={order}>
            {orderLabels[order]}
          </option>
        ))}
      </Select>
    </search>
  )
}
