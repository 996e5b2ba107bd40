import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { getAuthClient } from '#web/lib/auth-client.ts'
import { describeAuthError, flagGoogleFailure } from '#web/lib/auth-errors.ts'
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

/** Where mailed links and Google come back to. */
export function AuthCallbackScreen() {
  const { search, hash } = useLocation()
  const [link] = useState(() => readSessionLink({ search, hash }))
  // The server knows no fragment: what it drew must be what comes alive.
  const hydrated = useHydrated()
  if (!link) return <CodeCallbackScreen />
  return hydrated ? <SessionLinkScreen link={link} /> : waiting
}

/**
 * Back with a code, an error, or nothing. The auth client takes the code out of the address by itself; this screen
 * says what came of it. A code without the secret kept by the browser that asked for the link is passed over in silence
 * by the client, so that case is told apart here.
 */
function CodeCallbackScreen() {
  const session = useSession()
  const location = useLocation()
  const navigate = useNavigate()
  // As it was: the client removes the code, and going on changes the rest.
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
  // Read before the client starts: it drops the secret with the first answer that doesn't come.
  const [verifier] = useState(() => readStored(verifierKey))
  const hasAsked = useRef(false)
  useEffect(() => {
    if (!isSessionKnown || hasAsked.current) return
    hasAsked.current = true
    // The second call answers with the result of the first.
    getAuthClient()
      .initialize()
      .then(({ error }) => {
        const wasExchanged = callback.hasCode && !new URLSearchParams(window.location.search).has('code')
        const wasGoogle = endAttempt(callback, wasExchanged, error)
        if (verifier !== null && callback.hasCode && isUnreached(error)) writeStored(verifierKey, verifier)
        // An error in the address is the callback's; this is about the exchange.
        setArrival({ error: callback.error ? undefined : (error ?? undefined), wasExchanged, wasGoogle })
      })
  }, [callback, isSessionKnown, verifier])
  return arrival
}

/** Whether it was one with Google. */
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
  const isCancelled = (error as { code?: unknown }).code === 'oauth_no_code'
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

/** What to do about a link that was pressed in another browser than the one that asked for it. */
function explainLink(purpose: string | undefined): string {
  if (purpose === 'recovery') {
    return 'The link only works in the browser in which it was asked for. Ask for a new one here: its mail also holds a code that works everywhere.'
  }
  if (purpose === 'magiclink') {
    return 'The link only works in the browser in which it was asked for. Sign in with your password, or ask for a new link here: its mail also holds a code that works everywhere.'
  }
  return 'Was it the link from our mail? Then your address is verified now, even if the mail was asked for in another browser: sign in with your password.'
}
