import { queryOptions } from '@tanstack/react-query'
import { listAllPlans } from '#contract/plans.ts'
import { call } from '#web/lib/api.ts'

/** All plans, offered ones first. */
export const allPlansQuery = queryOptions({
  queryKey: ['superadmin', 'plans'],
  queryFn: ({ signal }) => call(listAllPlans, { signal }),
  select: ({ items }) => items,
  refetchOnMount: 'always',
  networkMode: 'always',
})
