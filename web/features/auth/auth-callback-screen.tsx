import { useEffect, useState } from 'react'
import { Link, Navigate, useLocation } from 'react-router'
import { getAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError, isNetworkError } from '#web/lib/auth-errors.ts'
import { useSession } from '#web/lib/session.tsx'
import { removeStored, storageKeys } from '#web/lib/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { FullSpinner } from '#web/ui/spinner.tsx'
import { startAuthAttempt } from './auth-attempt.ts'
import { AuthFrame } from './auth-frame.tsx'
import { findLinkError } from './link-messages.ts'

/**
 * Where mailed links come back to. The auth client takes the code out of the address by itself; this screen says what
 * came of it. A code without the secret kept by the browser that asked for the link is passed over in silence by the
 * client, so that case is told apart here.
 */
export function AuthCallbackScreen() {
  const session = useSession()
  const location = useLocation()
  const failure = useExchangeFailure(session.status)

  if (session.status === 'signed_in') {
    removeStored(storageKeys.pendingEmailVerification)
    return <Navigate to="/dashboard" replace />
  }
  const linkError = findLinkError(location)
  if (linkError) {
    const hash = new URLSearchParams({ error_code: linkError.code, error_description: linkError.description })
    return <Navigate to={{ pathname: '/login', hash: `#${hash}` }} replace />
  }
  if (session.status === 'loading' || failure === 'unknown_yet') return <FullSpinner label="Signing in" />
  const code = new URLSearchParams(location.search).has('code') ? 'pkce_error' : 'oauth_no_code'
  return <InterruptedScreen error={failure ?? { code }} />
}

/** What the exchange of the code failed with; undefined when it wasn't tried. */
function useExchangeFailure(status: string): unknown {
  const [failure, setFailure] = useState<unknown>('unknown_yet')
  useEffect(() => {
    if (status !== 'signed_out') return
    // The second call answers with the result of the first.
    getAuthClient()
      .initialize()
      .then(({ error }) => {
        startAuthAttempt('callback').fail(error ?? { code: 'pkce_error' })
        setFailure(error ?? undefined)
      })
  }, [status])
  return failure
}

function InterruptedScreen({ error }: { error: unknown }) {
  const code = (error as { code?: unknown }).code
  const isInterrupted = code !== 'oauth_no_code' && !isNetworkError(error)
  return (
    <AuthFrame title="Please sign in" description={<p role="alert">{describeAuthError(error)}</p>}>
      {isInterrupted && (
        <p className="text-base">
          Was it the link from our mail? Then your address is verified now, even if the mail was asked for in another
          browser: sign in with your password.
        </p>
      )}
      <div className="flex flex-col gap-2">
        {isNetworkError(error) && <Button onClick={() => window.location.reload()}>Try Again</Button>}
        <Button asChild variant={isNetworkError(error) ? 'secondary' : 'primary'}>
          <Link to="/login">Sign in</Link>
        </Button>
      </div>
    </AuthFrame>
  )
}
