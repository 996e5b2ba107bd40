import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { loadAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError, flagGoogleFailure, readAuthError } from '#web/lib/auth-errors.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { addRedirect } from '#web/lib/redirect.ts'
import { useSession } from '#web/lib/session.tsx'
import { readStored, removeStored, storageKeys, writeStored } from '#web/lib/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { resumeGoogleAttempt, startAuthAttempt } from './auth-attempt.ts'
import { AuthFrame, AuthSpinner } from './auth-frame.tsx'
import { type Arrival, type Callback, decideCallback, isUnreached, readCallback } from './callback-outcome.ts'
import { readSessionLink } from './session-link.ts'
import { SessionLinkScreen } from './session-link-screen.tsx'
import { isFreshRecovery } from './sign-in-method.ts'

/** The return page of emailed links and Google. */
export function AuthCallbackScreen() {
  const { search, hash } = useLocation()
  const [link] = useState(() => readSessionLink({ search, hash }))
  // The server never sees the fragment: the first client render must match its HTML.
  const hydrated = useHydrated()
  if (!link) return <CodeCallbackScreen />
  return hydrated ? <SessionLinkScreen link={link} /> : waiting
}

/**
 * Returns with a code, an error, or nothing. The auth client reads the code from the URL itself; this screen shows the
 * result. The client silently ignores a code whose PKCE verifier is not in this browser, so that case is detected here.
 */
function CodeCallbackScreen() {
  const session = useSession()
  const location = useLocation()
  const navigate = useNavigate()
  // The URL at the first render: the client removes the code, and navigation changes the rest.
  const [callback] = useState(() => readCallback(location))
  const arrival = useArrival(callback, session.status !== 'loading')
  const isKnown = session.status !== 'loading' && arrival !== undefined
  const outcome = isKnown
    ? decideCallback(callback, arrival, {
        isSignedIn: session.status === 'signed_in',
        isRecovered: session.status === 'signed_in' && isFreshRecovery(session.session),
      })
    : undefined
  const hasGone = useRef(false)
  useEffect(() => {
    if (outcome?.kind !== 'go' || hasGone.current) return
    hasGone.current = true
    if (outcome.toast) toast(outcome.toast)
    navigate(outcome.to, { replace: true })
  })
  const isSignedIn = session.status === 'signed_in'
  useEffect(() => {
    if (isSignedIn) removeStored(storageKeys.pendingEmailVerification)
  }, [isSignedIn])

  if (arrival === undefined || outcome?.kind !== 'explain') return waiting
  return <InterruptedScreen callback={callback} arrival={arrival} error={outcome.error} canRetry={outcome.canRetry} />
}

const waiting = <AuthSpinner documentTitle="Signing in" label="Signing in" />

const verifierKey = `${storageKeys.session}-code-verifier`

/** Waits for the auth client to exchange the code, and ends the attempt that led here. */
function useArrival(callback: Callback, isSessionKnown: boolean): Arrival | undefined {
  const [arrival, setArrival] = useState<Arrival>()
  // Read before the client starts: it drops the verifier when its first request fails.
  const [verifier] = useState(() => readStored(verifierKey))
  const hasAsked = useRef(false)
  useEffect(() => {
    if (!isSessionKnown || hasAsked.current) return
    hasAsked.current = true
    // The second call returns the result of the first.
    loadAuthClient()
      .then((auth) => auth.initialize())
      .then(({ error }) => {
        const wasExchanged = callback.hasCode && !new URLSearchParams(window.location.search).has('code')
        const wasGoogle = endAttempt(callback, wasExchanged, error)
        if (verifier !== null && callback.hasCode && isUnreached(error)) writeStored(verifierKey, verifier)
        // Only errors of the exchange: those in the URL belong to the callback.
        setArrival({ error: callback.error ? undefined : (error ?? undefined), wasExchanged, wasGoogle })
      })
  }, [callback, isSessionKnown, verifier])
  return arrival
}

/** Whether the attempt was with Google. */
function endAttempt({ hasCode, error }: Callback, wasExchanged: boolean, exchangeError: unknown): boolean {
  const google = resumeGoogleAttempt()
  if (!google && !hasCode && !error) return false
  const attempt = google ?? startAuthAttempt('callback')
  if (error?.code === 'oauth_no_code') attempt.cancel()
  else if (error) attempt.fail({ code: error.code, message: error.description })
  else if (wasExchanged) attempt.succeed()
  else if (hasCode) attempt.fail(exchangeError ?? { code: 'pkce_error' })
  else attempt.cancel()
  return google !== undefined
}

function InterruptedScreen({
  callback: { purpose, next },
  arrival,
  error,
  canRetry,
}: {
  callback: Callback
  arrival: Arrival
  error: unknown
  canRetry: boolean
}) {
  const isCancelled = readAuthError(error).code === 'oauth_no_code'
  const message = describeAuthError(arrival.wasGoogle ? { code: flagGoogleFailure(error) } : error)
  const isRecovery = purpose === 'recovery'
  return (
    <AuthFrame title="Please sign in" description={<p role="alert">{message}</p>}>
      {!isCancelled && !canRetry && !arrival.wasGoogle && <p className="text-base">{explainLink(purpose)}</p>}
      <div className="flex flex-col gap-2">
        {canRetry && <Button onClick={() => window.location.reload()}>Try Again</Button>}
        {isRecovery && !canRetry && (
          <Button asChild>
            <Link to="/forgot-password">Request a new link</Link>
          </Button>
        )}
        <Button asChild variant={canRetry || isRecovery ? 'secondary' : 'primary'}>
          <Link to={addRedirect('/login', next)}>Sign in</Link>
        </Button>
      </div>
    </AuthFrame>
  )
}

/** Advice for a link that was opened in another browser than the one that requested it. */
function explainLink(purpose: string | undefined): string {
  if (purpose === 'recovery') {
    return 'This link only works in the browser that requested it. Request a new one here: its email also contains a code that works in any browser.'
  }
  if (purpose === 'magiclink') {
    return 'This link only works in the browser that requested it. Sign in with your password, or request a new link: its email also contains a code that works in any browser.'
  }
  return 'If you came from our email, your address is verified now. Sign in with your password.'
}
