import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { subscriptionStatuses } from '#contract/plans.ts'
import { type SubscriberSort, subscriberSorts } from '#contract/superadmin-subscriptions.ts'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { allPlansQuery } from '../plans/all-plans-query.ts'
import { statusLabels } from './status-badge.tsx'
import { isFiltered, type SubscriberSearch } from './subscriber-search.ts'

const sortLabels: Readonly<Record<SubscriberSort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'By name',
  revenue: 'Highest revenue first',
}

/** Time after the last key until the list follows. */
const typingMs = 300

interface FilterProps {
  search: SubscriberSearch
  onChange: (search: SubscriberSearch) => void
}

export function SubscriberFilters({ search, onChange }: FilterProps) {
  const { data: plans = [] } = useQuery(allPlansQuery)
  return (
    <search aria-label="Filters" className="flex flex-wrap items-center gap-2">
      <Words search={search} onChange={onChange} />
      <Select
        aria-label="Status"
        className="w-auto min-w-0 flex-1 sm:flex-none"
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
        className="w-auto min-w-0 flex-1 sm:flex-none"
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
        className="w-auto min-w-0 flex-1 sm:flex-none"
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

function Words({ search, onChange }: FilterProps) {
  const [typed, setTyped] = useState(search.search)
  const [shown, setShown] = useState(search.search)
  // The address changed, such as by Back or “Clear filters”: not by what was typed here.
  if (search.search !== shown) {
    setShown(search.search)
    if (search.search !== typed) setTyped(search.search)
  }
  useEffect(() => {
    if (typed === search.search) return
    const timer = setTimeout(() => onChange({ ...search, search: typed }), typingMs)
    return () => clearTimeout(timer)
  }, [typed, search, onChange])
  return (
    <Input
      type="search"
      aria-label="Search organisations"
      placeholder="Name, slug or owner’s email"
      className="w-full sm:w-72"
      maxLength={200}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  )
}
