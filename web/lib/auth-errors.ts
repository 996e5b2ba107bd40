/*
 * Every failure of signing in and up, from what the auth server or the auth client says to what a person reads.
 * Looked up by code, then by status, then by words in the text: 5xx answers reach us without a code.
 */
const expired = 'Your session has expired. Please sign in again.'
const interrupted = 'Authentication flow interrupted. Please try again.'
const provider = 'Failed to sign in with provider. Please try again.'
const registered =
  'An account with this email already exists. Try signing in instead, or use "Forgot Password" if needed.'
const invalidRequest = 'Authentication request failed. Please try again.'
const network = 'Network error. Please check your connection and try again.'
const timeout = 'Request timed out. Please try again.'
const rateLimited = 'Too many attempts. Please wait a few minutes and try again.'
const temporary = 'A temporary issue occurred. Please try again in a moment.'
const temporaryDatabase =
  'A temporary issue occurred while reaching the database. Nothing was lost. Please try again in a moment.'
const hookFailure = 'Email service is temporarily unavailable. Please try again in a few minutes.'

export const fallbackMessage = 'An unexpected error occurred'

const messagesByCode: Readonly<Record<string, string>> = {
  invalid_credentials: 'Invalid email or password. Please try again.',
  user_not_found: 'No account found with this email address.',
  email_not_confirmed: 'Please verify your email before signing in.',
  user_banned: 'This account has been suspended. Please contact support.',
  user_already_registered: registered,
  weak_password: 'Password is too weak. Please use at least 6 characters.',
  over_email_send_rate_limit: 'Too many attempts. Please try again later.',
  invalid_email: 'Please enter a valid email address.',
  same_password: 'New password must be different from the old password.',
  password_mismatch: 'Passwords do not match.',
  oauth_error: provider,
  oauth_no_code: 'Authentication was cancelled. Please try signing in again.',
  invalid_request: invalidRequest,
  provider_email_needs_verification: 'Please verify your email with the provider first.',
  pkce_error: interrupted,
  session_not_found: expired,
  refresh_token_not_found: expired,
  invalid_refresh_token: expired,
  network_error: network,
  timeout,
  rate_limit_exceeded: rateLimited,
  database_error: temporary,
  unexpected_failure: 'An unexpected error occurred. Please try again.',
  otp_expired: 'Your email confirmation link has expired. Please request a new one.',
  access_denied: 'Access denied. Please check your email for a valid confirmation link.',

  // What the protocol calls the same things, and what else our flows can meet.
  user_already_exists: registered,
  email_exists: registered,
  identity_already_exists: registered,
  email_address_invalid: 'Please enter a valid email address.',
  email_address_not_authorized: 'Emails cannot be sent to this address. Please use another one.',
  validation_failed: 'Some of the values are not valid. Please check them and try again.',
  bad_json: invalidRequest,
  request_entity_too_large: invalidRequest,
  captcha_failed: invalidRequest,
  conflict: temporary,
  over_request_rate_limit: rateLimited,
  request_timeout: timeout,
  hook_timeout: hookFailure,
  hook_timeout_after_retry: hookFailure,
  bad_jwt: expired,
  invalid_jwt: expired,
  no_authorization: expired,
  session_expired: expired,
  refresh_token_already_used: expired,
  bad_code_verifier: interrupted,
  pkce_code_verifier_not_found: interrupted,
  flow_state_not_found: interrupted,
  flow_state_expired: interrupted,
  flow_state_already_used: interrupted,
  bad_oauth_state: provider,
  bad_oauth_callback: provider,
  server_error: provider,
  temporarily_unavailable: temporary,
  unauthorized_client: invalidRequest,
  signup_disabled: 'New accounts are not accepted here. Please ask the administrator for an invitation.',
  email_provider_disabled: 'Signing in with email is switched off here.',
  otp_disabled: 'No account found with this email address.',
  provider_disabled: 'Signing in with this provider is switched off here.',
  user_sso_managed: 'This account is managed by your organisation. Please contact your administrator.',
  reauthentication_needed: 'Please confirm that it is you and try again.',
  reauth_nonce_missing: 'Please enter the confirmation code.',
  reauthentication_not_valid: 'The confirmation code is not valid. Please request a new one.',
  current_password_required: 'Please enter your current password.',
  current_password_invalid: 'The current password is not correct.',
}

/** Words in an error's text, in the order they are tried. */
const messagesByText: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/hook requires authorization/i, hookFailure],
  [/invalid login/i, 'Invalid email or password. Please try again.'],
  [/email not confirmed/i, 'Please verify your email before signing in.'],
  [/already registered|already exists|duplicate/i, registered],
  [/valid password|password should/i, 'Password is too weak. Please use at least 6 characters.'],
  [/email address/i, 'Please enter a valid email address.'],
  [/auth session|refresh token/i, expired],
  [/unsupported provider/i, 'Signing in with this provider is switched off here.'],
  [/rate limit|only request this after/i, rateLimited],
  [/pkce|code verifier|(missing|no) (auth )?code|auth code|flow state/i, interrupted],
  [/database|relation/i, temporary],
  [/timed? ?out/i, timeout],
  [/network|fetch|connection/i, network],
]

interface AuthErrorLike {
  readonly code?: unknown
  readonly status?: unknown
  readonly message?: unknown
}

/** Anything can be thrown: each field is unknown, and undefined when it is missing. */
export function readAuthError(error: unknown): AuthErrorLike {
  return typeof error === 'object' && error !== null ? error : {}
}

/** Codes that stand for a whole form rather than for one thing: their text says more. */
const vagueCodes = new Set(['validation_failed', 'unexpected_failure'])

/** What to tell a person about a failure of signing in, up or out. Never empty. */
export function describeAuthError(error: unknown): string {
  const { code, status, message } = readAuthError(error)
  const text = typeof message === 'string' ? message : ''
  const byText = messagesByText.find(([pattern]) => pattern.test(text))?.[1]
  const isVague = typeof code === 'string' && vagueCodes.has(code)
  const byCode = typeof code === 'string' && Object.hasOwn(messagesByCode, code) ? messagesByCode[code] : undefined
  if (byCode !== undefined && !(isVague && byText !== undefined)) return byCode
  if (/hook requires authorization/i.test(text)) return hookFailure
  if (status === 500) return /database|relation/i.test(text) ? temporaryDatabase : temporary
  if (byText !== undefined) return byText
  if (status === 0) return network
  if (typeof status === 'number' && status > 500) return temporary
  if (status === 429) return rateLimited
  return fallbackMessage
}

/** Whether the failure lies between this device and the server. */
export function isNetworkError(error: unknown): boolean {
  const { code, message } = readAuthError(error)
  if (code === 'network_error' || code === 'timeout') return true
  return typeof message === 'string' && /network|fetch|connection/i.test(message)
}

export type AuthFailureCategory = 'oauth' | 'network' | 'database' | 'validation' | 'unknown'

/**
 * The code under which a failed sign-in with Google is shown: what the provider or our server called it if we know that
 * name, else that it failed on the way (`network_error`) or there (`oauth_error`).
 */
export function flagGoogleFailure(error: unknown): string {
  const { code } = readAuthError(error)
  if (typeof code === 'string' && Object.hasOwn(messagesByCode, code) && !vagueCodes.has(code)) return code
  return isUnreachable(error) ? 'network_error' : 'oauth_error'
}

/** The kind of failure, for counting. Whatever Google or the way there spoils is either `oauth` or `network`. */
export function categorizeAuthFailure(error: unknown, method?: string): AuthFailureCategory {
  const { code, message } = readAuthError(error)
  const name = typeof code === 'string' ? code : ''
  const text = typeof message === 'string' ? message : ''
  if (isUnreachable(error) || name === 'request_timeout') return 'network'
  if (method === 'google') return 'oauth'
  if (/oauth|provider|access_denied/i.test(name) || /oauth|provider/i.test(text)) return 'oauth'
  if (name === 'database_error' || /database|relation/i.test(text)) return 'database'
  if (validationCodes.test(name) || /invalid|valid password|already registered/i.test(text)) return 'validation'
  return 'unknown'
}

const validationCodes =
  /invalid|weak|validation|mismatch|exists|registered|not_confirmed|same_password|current_password/i

function isUnreachable(error: unknown): boolean {
  return isNetworkError(error) || readAuthError(error).status === 0
}
