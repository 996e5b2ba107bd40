import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listFeedback } from '#contract/inbox.ts'
import { call } from '#web/lib/api.ts'
import { feedbackKey } from '#web/shared/query-keys.ts'
import { cleanLine, maxSearchLength } from '../filters/feedback-filters.ts'

const foundItems = 6

/** The newest items with the words, or with the number for `#123`, in the inbox and, if few, among what was put away. */
export function findItemsQuery(organizationId: string, words: string) {
  const q = cleanLine(words, maxSearchLength)
  return queryOptions({
    queryKey: [...feedbackKey(organizationId), 'find', q],
    queryFn: async ({ signal }) => {
      const read = (location: 'inbox' | 'archived') =>
        call(listFeedback, { params: { organizationId }, query: { q, location, limit: foundItems }, signal })
      const [inbox, archived] = await Promise.all([read('inbox'), read('archived')])
      return [...inbox.items, ...archived.items].slice(0, foundItems)
    },
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    networkMode: 'always',
  })
}
