import { useQuery } from '@tanstack/react-query'
import { subscriptionStatuses } from '#contract/plans.ts'
import { type SubscriberSort, subscriberSorts } from '#contract/superadmin-subscriptions.ts'
import { Button } from '#web/ui/button.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { allPlansQuery } from '../plans/all-plans-query.ts'
import { statusLabels } from './status-badge.tsx'
import { isFiltered, type SubscriberSearch } from './subscriber-search.ts'

const sortLabels: Readonly<Record<SubscriberSort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'By name',
  revenue: 'Highest revenue',
}

interface FilterProps {
  search: SubscriberSearch
  onChange: (search: SubscriberSearch) => void
}

export function SubscriberFilters({ search, onChange }: FilterProps) {
  const { data: plans = [] } = useQuery(allPlansQuery)
  return (
    <search aria-label="Filters" className="flex flex-wrap items-center gap-2">
      <SearchField
        label="Search organisations"
        placeholder="Name, slug or owner’s email"
        value={search.search}
        onChange={(words) => onChange({ ...search, search: words })}
      />
      <Select
        aria-label="Status"
        className="w-auto min-w-36 flex-1 sm:flex-none"
        value={search.status}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, status: subscriptionStatuses.find((each) => each === value) ?? '' })
        }
      >
        <option value="">All statuses</option>
        {subscriptionStatuses.map((status) => (
          <option key={status} value={status}>
            {statusLabels[status]}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Plan"
        className="w-auto min-w-36 flex-1 sm:flex-none"
        value={search.planId}
        onChange={({ currentTarget }) => onChange({ ...search, planId: currentTarget.value })}
      >
        <option value="">All plans</option>
        {plans.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Sort"
        className="w-auto min-w-36 flex-1 sm:flex-none"
        value={search.sort}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, sort: subscriberSorts.find((each) => each === value) ?? 'newest' })
        }
      >
        {subscriberSorts.map((sort) => (
          <option key={sort} value={sort}>
            {sortLabels[sort]}
          </option>
        ))}
      </Select>
      {isFiltered(search) && (
        <Button variant="ghost" onClick={() => onChange({ ...search, search: '', status: '', planId: '' })}>
          Clear filters
        </Button>
      )}
    </search>
  )
}
