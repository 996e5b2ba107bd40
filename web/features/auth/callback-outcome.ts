import type { To } from 'react-router'
import { describeAuthError, flagGoogleFailure, isNetworkError, readAuthError } from '#web/lib/auth-errors.ts'
import { addRedirect, readRedirect } from '#web/lib/redirect.ts'
import { type ToastOptions, toastDurationsMs } from '#web/ui/toast.tsx'
import { buildErrorHash, findLinkError, type LinkError } from './link-messages.ts'

/** The parameters of the URL with which an emailed link or a provider returns. */
export interface Callback {
  /** The link's purpose, if it names one. */
  readonly purpose: string | undefined
  /** The path to open next. */
  readonly next: string
  readonly hasCode: boolean
  readonly error: LinkError | undefined
  /** One of the two links of an email change was confirmed. */
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
    // Emailed links name a code; a provider's bare "access_denied" means that the person cancelled there.
    error: error?.code === 'access_denied' ? { ...error, code: 'oauth_no_code' } : error,
    isHalfConfirmed: /other (email|link|address)/i.test(message),
  }
}

/** The result of the code exchange. */
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
 * Decides which screen follows an arrival.
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
  // A code means that both links were confirmed; it can only be exchanged in the browser that requested the change.
  if (purpose === 'email_change' && hasCode && !error && !isUnreached(arrival.error)) {
    return { kind: 'go', to: session.isSignedIn ? next : addRedirect('/login', next), toast: emailChanged }
  }
  // A failed recovery link leads to the form for a new one, signed in or not.
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
  title: 'One more confirmation to go',
  description: 'This address is confirmed. Now click the link that we sent to the other one.',
  durationMs: toastDurationsMs.long,
}

const emailChanged: ToastOptions = {
  title: 'Email address changed',
  description: 'Use the new address to sign in.',
  tone: 'success',
  durationMs: toastDurationsMs.long,
}

/** Already signed in and the link failed: usually it was clicked twice. */
function describeUselessLink(error: unknown): ToastOptions {
  const code = readAuthError(error).code
  if (error === undefined || error === null || code === 'otp_expired' || code === 'flow_state_not_found') {
    return {
      title: 'You are signed in',
      description: 'The link was used before or has expired.',
      durationMs: toastDurationsMs.medium,
    }
  }
  // A LinkError, or an error of the client without a description.
  const { description } = error as Partial<LinkError>
  return {
    title: 'Authentication Error',
    description: describeAuthError(description === undefined ? error : { code, message: description }),
    tone: 'danger',
    durationMs: toastDurationsMs.medium,
  }
}

/** Whether the server was unreachable, so that the same code may still work. */
export function isUnreached(error: unknown): boolean {
  const { status } = readAuthError(error)
  return isNetworkError(error) || status === 0 || (typeof status === 'number' && status >= 500)
}
