import type { To } from 'react-router'
import { describeAuthError, flagGoogleFailure, isNetworkError } from '#web/lib/auth-errors.ts'
import { addRedirect, readRedirect } from '#web/lib/redirect.ts'
import { type ToastOptions, toastDurationsMs } from '#web/ui/toast.tsx'
import { buildErrorHash, findLinkError, type LinkError } from './link-messages.ts'

/** What the address says with which a mailed link or a provider leads back here. */
export interface Callback {
  /** What the link was for, as far as it says. */
  readonly purpose: string | undefined
  /** Where to go on to. */
  readonly next: string
  readonly hasCode: boolean
  readonly error: LinkError | undefined
  /** One of two links of a change of address was pressed. */
  readonly isHalfConfirmed: boolean
}

export function readCallback(location: { search: string; hash: string }): Callback {
  const query = new URLSearchParams(location.search)
  const message = query.get('message') ?? new URLSearchParams(location.hash.slice(1)).get('message') ?? ''
  const error = findLinkError(location)
  return {
    purpose: query.get('type') ?? undefined,
    next: readRedirect(location.search, 'next'),
    hasCode: query.has('code'),
    // Mailed links name a code; a provider's bare "access_denied" is somebody who pressed Cancel there.
    error: error?.code === 'access_denied' ? { ...error, code: 'oauth_no_code' } : error,
    isHalfConfirmed: /other (email|link|address)/i.test(message),
  }
}

/** What came of it. */
export interface Arrival {
  /** Why the code could not be exchanged for a session; undefined when it could, or when there was none. */
  readonly error: unknown
  readonly wasExchanged: boolean
  readonly wasGoogle: boolean
}

export type CallbackOutcome =
  | { readonly kind: 'go'; readonly to: To; readonly toast?: ToastOptions }
  | { readonly kind: 'explain'; readonly error: unknown; readonly canRetry: boolean }

/**
 * Decides where an arrival leads.
 *
 * @param isRecovered whether the session was opened by a recovery link just now
 */
export function decideCallback(
  callback: Callback,
  arrival: Arrival,
  session: { isSignedIn: boolean; isRecovered: boolean },
): CallbackOutcome {
  const { purpose, next, hasCode, error } = callback
  const isRecovery = purpose === 'recovery'
  if (callback.isHalfConfirmed) {
    return { kind: 'go', to: session.isSignedIn ? next : addRedirect('/login', next), toast: halfConfirmed }
  }
  // A code means that both links were pressed; here it is of no use in another browser than the one that asked.
  if (purpose === 'email_change' && hasCode && !error && !isUnreached(arrival.error)) {
    return { kind: 'go', to: session.isSignedIn ? next : addRedirect('/login', next), toast: emailChanged }
  }
  // A recovery link that failed leads to another one, whoever is signed in.
  if (error && (isRecovery || !session.isSignedIn)) return { kind: 'go', to: chooseErrorPage(callback, error, arrival) }
  if (session.isSignedIn) {
    const hasFailed = error !== undefined || (hasCode && !arrival.wasExchanged)
    if (hasFailed && !isRecovery) return { kind: 'go', to: next, toast: describeUselessLink(error ?? arrival.error) }
    return { kind: 'go', to: isRecovery || session.isRecovered ? '/reset-password' : next }
  }
  const failure = arrival.error ?? { code: hasCode ? 'pkce_error' : 'oauth_no_code' }
  return { kind: 'explain', error: failure, canRetry: hasCode && isUnreached(failure) }
}

function chooseErrorPage({ purpose, next }: Callback, error: LinkError, { wasGoogle }: Arrival): To {
  const code = wasGoogle ? flagGoogleFailure({ code: error.code, message: error.description }) : error.code
  const hash = buildErrorHash({ ...error, code, ...(purpose !== undefined && { purpose }) })
  if (purpose === 'recovery') return `/forgot-password${hash}`
  return `${addRedirect('/login', next)}${hash}`
}

const halfConfirmed: ToastOptions = {
  title: 'One more link to press',
  description: 'This address is confirmed. Now press the link that we sent to the other one.',
  durationMs: toastDurationsMs.long,
}

const emailChanged: ToastOptions = {
  title: 'Email address changed',
  description: 'Sign in with the new one from now on.',
  tone: 'success',
  durationMs: toastDurationsMs.long,
}

/** Somebody is signed in already, and the link brought nothing new: mostly it was pressed twice. */
function describeUselessLink(error: unknown): ToastOptions {
  const code = ((error ?? {}) as { code?: unknown }).code
  if (error === undefined || error === null || code === 'otp_expired' || code === 'flow_state_not_found') {
    return {
      title: 'You are signed in',
      description: 'The link was used before or has expired.',
      durationMs: toastDurationsMs.medium,
    }
  }
  const { description } = error as Partial<LinkError>
  return {
    title: 'Authentication Error',
    description: describeAuthError(description === undefined ? error : { code, message: description }),
    tone: 'danger',
    durationMs: toastDurationsMs.medium,
  }
}

/** Whether the server could not be asked, so that the same code may still work. */
export function isUnreached(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown }
  return isNetworkError(error) || status === 0 || (typeof status === 'number' && status >= 500)
}
