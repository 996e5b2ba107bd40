import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { Role } from '#contract/permissions.ts'
import { useOrganization } from '../lib/organization.tsx'
import { buildLoginPath } from '../lib/redirect.ts'
import { isVerified, useSession } from '../lib/session.tsx'
import { FullSpinner } from '../ui/spinner.tsx'
import { toast, toastDurationsMs } from '../ui/toast.tsx'
import { AccessDeniedScreen } from './error-screens.tsx'

// Few people see it, and its form would be loaded with every screen.
const VerifyEmailScreen = lazy(async () => ({
  default: (await import('../features/auth/verify-email-screen.tsx')).VerifyEmailScreen,
}))

/** Lets only signed-in people with a verified address through. The server checks every call again. */
export function RouteGuard({ children }: { children: ReactNode }) {
  const session = useSession()
  if (session.status === 'loading') return <FullSpinner />
  if (session.status === 'signed_out') {
    if (session.leaveTo !== undefined) return <Navigate to={session.leaveTo} replace />
    return <LeaveForLogin hasExpired={session.hasExpired} />
  }
  if (!isVerified(session.user)) {
    return (
      <Suspense fallback={<FullSpinner />}>
        <VerifyEmailScreen email={session.user.email ?? ''} />
      </Suspense>
    )
  }
  return children
}

/** To signing in and, after that, back here. */
function LeaveForLogin({ hasExpired }: { hasExpired: boolean }) {
  const location = useLocation()
  useEffect(() => {
    if (!hasExpired) return
    // The messages are many, and those who stay signed in need none.
    void import('../lib/auth-errors.ts').then(({ describeAuthError }) =>
      toast({ title: describeAuthError({ code: 'session_expired' }), durationMs: toastDurationsMs.medium }),
    )
  }, [hasExpired])
  return <Navigate to={buildLoginPath(location)} replace />
}

/** Lets only members with the role through; a superadmin always passes. */
export function RoleGuard({ required, children }: { required: Role; children: ReactNode }) {
  const { organization, isSuperadmin } = useOrganization()
  return isSuperadmin || organization.role === required ? children : <AccessDeniedScreen />
}
