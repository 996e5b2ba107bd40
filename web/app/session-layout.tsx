import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Outlet } from 'react-router'
import { readBackend, useConfig } from '../lib/config.tsx'
import { createQueryClient } from '../lib/query-client.ts'
import { SessionProvider, useSession } from '../lib/session.tsx'
import { forgetUnsent } from '../lib/unsent-texts.ts'
import { FollowSession } from './product-analytics.tsx'

/** Everything that knows who is signed in. Public pages stand outside: they load no auth client. */
export default function SessionLayout() {
  const config = useConfig()
  const backend = useMemo(() => readBackend(config), [config])
  const [queryClient] = useState(createQueryClient)
  if ('missing' in backend) return null
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider backend={backend}>
        <ForgetAnswersOfOthers />
        <FollowSession />
        <Outlet />
      </SessionProvider>
    </QueryClientProvider>
  )
}

/** Empties the cache, and what was begun to be written, when somebody else signs in, or nobody is signed in any more. */
function ForgetAnswersOfOthers() {
  const session = useSession()
  const queryClient = useQueryClient()
  const userId = session.status === 'signed_in' ? session.user.id : undefined
  const previous = useRef(userId)
  useEffect(() => {
    if (previous.current !== undefined && previous.current !== userId) {
      queryClient.clear()
      forgetUnsent()
    }
    previous.current = userId
  }, [userId, queryClient])
  return null
}
