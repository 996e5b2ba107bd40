import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Outlet } from 'react-router'
import { readBackend, useConfig } from '../lib/config.tsx'
import { defaultDateStyle, readDateStyle, setDateStyle } from '../lib/date-style.ts'
import { useHydrated } from '../lib/hydrated.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { SessionProvider, useSession } from '../lib/session.tsx'
import { isImpersonated } from '../lib/storage.ts'
import { forgetUnsent, openUnsent } from '../lib/unsent-texts.ts'
import { FollowSession } from './product-analytics.tsx'

// Only superadmins see it.
const ImpersonationBanner = lazy(() => import('./impersonation-banner.tsx'))

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
        <Impersonation />
        <Outlet />
      </SessionProvider>
    </QueryClientProvider>
  )
}

/** The banner of a tab that acts as someone else. */
function Impersonation() {
  const isShown = useHydrated() && isImpersonated()
  return (
    isShown && (
      <Suspense>
        <ImpersonationBanner />
      </Suspense>
    )
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
