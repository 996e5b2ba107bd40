import type { User } from '@supabase/auth-js'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loadAuthClient, renewSession } from '#web/lib/auth-client.ts'
import { useUser } from '#web/lib/session.tsx'

function freshUserQuery(userId: string) {
  return queryOptions({
    queryKey: ['auth-user', userId],
    queryFn: async (): Promise<User> => {
      const { data, error } = await (await loadAuthClient()).getUser()
      if (error) throw error
      return data.user
    },
    // An emailed link may have been opened on another device a moment ago.
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  })
}

/**
 * The signed-in person as the server knows them now. The session’s claims are as old as its token: when the address has
 * changed since, the session is refreshed.
 */
export function useFreshUser(): { user: User; refetch: () => Promise<unknown> } {
  const known = useUser()
  const { data, refetch } = useQuery(freshUserQuery(known.id))
  const user = data ?? known
  useEffect(() => {
    if (data && data.email !== known.email) void renewSession().catch(() => undefined)
  }, [data, known.email])
  return { user, refetch }
}
