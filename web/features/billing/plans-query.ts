import { queryOptions } from '@tanstack/react-query'
import { listPlans } from '#contract/plans.ts'
import { call } from '#web/lib/api.ts'

/** The plans that can be chosen; none where the instance has no billing. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => call(listPlans, { signal }),
  select: ({ items }) => items,
  networkMode: 'always',
})
