import type { AuthError } from '../protocol/auth-error.ts'

/** The reason for a failed sign-in, as the app's page reads it from its URL. */
export interface RedirectError {
  readonly error: string
  readonly errorCode?: string
  readonly description: string
}

/** The redirect of a failed sign-in: the reason is in the query and in the fragment. */
export function toProviderErrorRedirect(redirectTo: string, { error, errorCode, description }: RedirectError): string {
  const url = new URL(redirectTo)
  const facts = {
    error,
    ...(errorCode !== undefined && { error_code: errorCode }),
    error_description: description,
  }
  for (const [name, value] of Object.entries(facts)) url.searchParams.set(name, value)
  url.searchParams.sort()
  url.hash = new URLSearchParams({ ...facts, sb: '' }).toString()
  return url.href
}

const errorByStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  503: 'temporarily_unavailable',
}

const deniedCodes: ReadonlySet<string> = new Set([
  'signup_disabled',
  'user_banned',
  'provider_email_needs_verification',
])

/** Describes one of our own errors. */
export function describeRefusal({ code, status, message }: AuthError): RedirectError {
  const error = deniedCodes.has(code) ? 'access_denied' : (errorByStatus[status] ?? 'server_error')
  return { error, errorCode: code, description: message }
}

// RFC 6749, 4.1.2.1, and OpenID Connect Core, 3.1.2.6.
const providerErrors: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was cancelled',
  invalid_request: 'The provider could not read the request',
  unauthorized_client: 'The provider does not know this client',
  unsupported_response_type: 'The provider does not support this kind of sign-in',
  invalid_scope: 'The provider does not know the requested scope',
  server_error: 'The provider had a problem',
  temporarily_unavailable: 'The provider is overloaded or under maintenance',
  interaction_required: 'The provider needs an interaction first',
  login_required: 'The provider needs a sign-in first',
  account_selection_required: 'The provider needs an account to be selected first',
  consent_required: 'The provider needs your consent first',
}

/**
 * Describes an error of the provider with our own text: anyone can craft a callback URL with a text of their choice and
 * have another person open it.
 */
export function describeProviderError(error: string): RedirectError {
  const description = Object.hasOwn(providerErrors, error) ? providerErrors[error] : undefined
  return description === undefined
    ? { error: 'server_error', description: 'The provider refused the sign-in' }
    : { error, description }
}
