import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listOwnOrganizations } from '#contract/own-organizations.ts'
import { call } from './api.ts'

/** The signed-in person's organisations whose name contains the words, by name: a page of them. */
export function ownOrganizationsQuery(words = '') {
  return queryOptions({
    queryKey: ['own-organizations', words],
    queryFn: ({ signal }) => call(listOwnOrganizations, { query: words === '' ? {} : { q: words }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}
