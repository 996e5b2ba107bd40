import { useQuery } from '@tanstack/react-query'
import { getInvitation } from '#contract/organizations.ts'
import { call } from '#web/lib/api.ts'

/** What an invitation says; asked for anew each time, for it may have been withdrawn. Not asked without a token. */
export function useInvitation(token: string | undefined) {
  return useQuery({
    queryKey: ['invitations', token],
    queryFn: ({ signal }) => call(getInvitation, { params: { token: token ?? '' }, signal }),
    enabled: token !== undefined,
    staleTime: 0,
    networkMode: 'always',
  })
}
