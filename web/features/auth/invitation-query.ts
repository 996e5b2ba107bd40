import { useQuery } from '@tanstack/react-query'
import { getInvitation } from '#contract/invitations.ts'
import { call } from '#web/lib/api.ts'

/** An invitation's details, fetched again each time because it may have been withdrawn. Disabled without a token. */
export function useInvitation(token: string | undefined) {
  return useQuery({
    queryKey: ['invitations', token],
    queryFn: ({ signal }) => call(getInvitation, { params: { token: token ?? '' }, signal }),
    enabled: token !== undefined,
    staleTime: 0,
    networkMode: 'always',
  })
}
