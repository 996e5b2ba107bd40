import { queryOptions } from '@tanstack/react-query'
import { getAccount } from '#contract/auth.ts'
import { call } from './api.ts'

/** Account details that the session lacks: the picture, and whether there is a password. */
export function accountQuery(userId: string) {
  return queryOptions({
    queryKey: ['account', userId],
    queryFn: ({ signal }) => call(getAccount, { signal }),
  })
}
