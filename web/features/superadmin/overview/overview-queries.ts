import { queryOptions } from '@tanstack/react-query'
import { getOverview, listOpenMessages } from '#contract/superadmin-overview.ts'
import { call } from '#web/lib/api.ts'

/** Time between two reads of the overview. */
const refreshMs = 30_000

export const overviewQuery = queryOptions({
  queryKey: ['superadmin', 'overview'],
  queryFn: ({ signal }) => call(getOverview, { signal }),
  refetchOnMount: 'always',
  refetchInterval: refreshMs,
  networkMode: 'always',
})

export const openMessagesQuery = queryOptions({
  queryKey: ['superadmin', 'contact-messages'],
  queryFn: ({ signal }) => call(listOpenMessages, { signal }),
  refetchOnMount: 'always',
  networkMode: 'always',
})
