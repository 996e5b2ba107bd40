import { queryOptions } from '@tanstack/react-query'
import { getAccount } from '#contract/auth.ts'
import { call } from './api.ts'

/** The own account beyond what the session says: the picture, and whether there is a password. */
export function accountQuery(userId: string) {
  return queryOptions({
    queryKey: ['account', userId],
    queryFn: ({ signal }) => call(getAccount, { signal }),
  })
}
