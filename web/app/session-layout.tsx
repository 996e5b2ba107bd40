import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Outlet } from 'react-router'
import { readBackend, useConfig } from '../lib/config.tsx'
import { defaultDateStyle, readDateStyle, setDateStyle } from '../lib/date-style.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { SessionProvider, useSession } from '../lib/session.tsx'
import { forgetUnsent, openUnsent } from '../lib/unsent-texts.ts'
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
        <FollowDateStyle />
        <FollowSession />
        <Outlet />
      </SessionProvider>
    </QueryClientProvider>
  )
}

/**
 * Empties the cache when another person signs in, or after sign-out. Unsent drafts stay for
 * its writer, unless they left on purpose.
 */
function ForgetAnswersOfOthers() {
  const session = useSession()
  const queryClient = useQueryClient()
  const userId = session.status === 'signed_in' ? session.user.id : undefined
  const hasLeft = session.status === 'signed_out' && session.leaveTo !== undefined
  const previous = useRef(userId)
  // Before anything below that shows a text asks for it.
  if (userId !== undefined) openUnsent(userId)
  useEffect(() => {
    if (previous.current !== undefined && previous.current !== userId) {
      queryClient.clear()
    }
    previous.current = userId
    if (hasLeft) forgetUnsent()
  }, [userId, hasLeft, queryClient])
  return null
}

/** Writes dates as the person who is signed in reads them. */
function FollowDateStyle() {
  const session = useSession()
  // Before anything below that shows a date.
  setDateStyle(session.status === 'signed_in' ? readDateStyle(session.user.user_metadata) : defaultDateStyle)
  return null
}
