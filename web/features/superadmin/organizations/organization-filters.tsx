import { useQuery } from '@tanstack/react-query'
import { subscriptionStatuses } from '#contract/plans.ts'
import {
  type OrganizationOrder,
  type OrganizationState,
  organizationOrders,
  organizationStates,
} from '#contract/superadmin-organizations.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { allPlansQuery } from '../plans/all-plans-query.ts'
import { statusLabels } from '../subscriptions/status-badge.tsx'
import type { OrganizationSearch } from './organization-queries.ts'

const stateLabels: Readonly<Record<OrganizationState, string>> = {
  open: 'Open',
  suspended: 'Suspended',
  closed: 'Being deleted',
}
const orderLabels: Readonly<Record<OrganizationOrder, string>> = {
  latest: 'Latest first',
  oldest: 'Oldest first',
  name: 'By name',
}

interface OrganizationFiltersProps {
  search: OrganizationSearch
  onChange: (search: OrganizationSearch) => void
}

export function OrganizationFilters({ search, onChange }: OrganizationFiltersProps) {
  const { data: plans = [] } = useQuery(allPlansQuery)
  return (
    <search aria-label="Filters" className="contents">
      <SearchField
        label="Search organisations"
        placeholder="Name or address"
        value={search.search}
        onChange={(words) => onChange({ ...search, search: words })}
      />
      <Choice
        label="State"
        value={search.state}
        options={organizationStates.map((state) => [state, stateLabels[state]])}
        all="All organisations"
        onChange={(value) => onChange({ ...search, state: organizationStates.find((each) => each === value) ?? '' })}
      />
      <Choice
        label="Status"
        value={search.status}
        options={subscriptionStatuses.map((status) => [status, statusLabels[status]])}
        all="All statuses"
        onChange={(value) => onChange({ ...search, status: subscriptionStatuses.find((each) => each === value) ?? '' })}
      />
      <Choice
        label="Plan"
        value={search.planId}
        options={plans.map(({ id, name }) => [id, name])}
        all="All plans"
        onChange={(planId) => onChange({ ...search, planId })}
      />
      <Choice
        label="Order"
        value={search.order}
        options={organizationOrders.map((order) => [order, orderLabels[order]])}
        onChange={(value) =>
          onChange({ ...search, order: organizationOrders.find((each) => each === value) ?? 'latest' })
        }
      />
    </search>
  )
}

function Choice({
  label,
  value,
  options,
  all,
  onChange,
}: {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  /** Absent: one is always selected. */
  all?: string
  onChange: (value: string) => void
}) {
  return (
    <Select
      aria-label={label}
      className="w-auto min-w-36 flex-1 sm:flex-none"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </Select>
  )
}
