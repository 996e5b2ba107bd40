/**
 * Every error of the auth server: code → status and GoTrue's text, which client applications match on.
 */
const authErrors = {
  anonymous_provider_disabled: { status: 422, message: 'Anonymous sign-ins are disabled' },
  bad_code_verifier: { status: 400, message: 'code challenge does not match previously saved code verifier' },
  bad_json: { status: 400, message: 'Could not parse request body as JSON' },
  bad_jwt: { status: 403, message: 'invalid JWT: unable to parse or verify signature' },
  bad_oauth_callback: { status: 400, message: 'OAuth state parameter missing' },
  bad_oauth_state: { status: 400, message: 'OAuth state not found or expired' },
  conflict: {
    status: 409,
    message: 'Too many concurrent token refresh requests on the same session or refresh token',
  },
  current_password_invalid: { status: 400, message: 'Current password is not correct' },
  current_password_required: { status: 400, message: 'Current password required when setting new password.' },
  email_exists: { status: 422, message: 'A user with this email address has already been registered' },
  email_not_confirmed: { status: 400, message: 'Email not confirmed' },
  feature_disabled: { status: 404, message: 'This feature is disabled' },
  flow_state_already_used: { status: 400, message: 'OAuth state has already been used' },
  flow_state_expired: { status: 422, message: 'invalid flow state, flow state has expired' },
  flow_state_not_found: { status: 404, message: 'invalid flow state, no valid flow state found' },
  invalid_credentials: { status: 400, message: 'Invalid login credentials' },
  manual_linking_disabled: { status: 404, message: 'Manual linking is disabled' },
  mfa_factor_not_found: { status: 404, message: 'Factor not found' },
  mfa_phone_enroll_not_enabled: { status: 422, message: 'MFA enroll is disabled for Phone' },
  mfa_totp_enroll_not_enabled: { status: 422, message: 'MFA enroll is disabled for TOTP' },
  mfa_webauthn_enroll_not_enabled: { status: 422, message: 'MFA enroll is disabled for WebAuthn' },
  no_authorization: { status: 401, message: 'This endpoint requires a valid Bearer token' },
  not_admin: { status: 403, message: 'User not allowed' },
  not_found: { status: 404, message: 'Not found' },
  otp_expired: { status: 403, message: 'Token has expired or is invalid' },
  over_email_send_rate_limit: { status: 429, message: 'email rate limit exceeded' },
  over_request_rate_limit: { status: 429, message: 'Request rate limit reached' },
  passkey_disabled: { status: 404, message: 'Passkeys are disabled' },
  phone_provider_disabled: { status: 400, message: 'Unsupported phone provider' },
  provider_disabled: { status: 400, message: 'Provider is not enabled' },
  provider_email_needs_verification: {
    status: 422,
    message: 'Unverified email with google. A confirmation email has been sent to your google email',
  },
  // Our own.
  read_only: { status: 503, message: 'Earshot is read-only for maintenance' },
  reauthentication_needed: { status: 400, message: 'Password update requires reauthentication' },
  reauthentication_not_valid: { status: 422, message: 'Nonce has expired or is invalid' },
  refresh_token_already_used: { status: 400, message: 'Invalid Refresh Token: Already Used' },
  refresh_token_not_found: { status: 400, message: 'Invalid Refresh Token: Refresh Token Not Found' },
  request_entity_too_large: { status: 413, message: 'Request body exceeds the maximum size' },
  request_timeout: {
    status: 504,
    message: 'Processing this request timed out, please retry after a moment.',
  },
  same_password: { status: 422, message: 'New password should be different from the old password.' },
  saml_provider_disabled: { status: 404, message: 'SAML 2.0 is disabled' },
  session_expired: { status: 400, message: 'Invalid Refresh Token: Session Expired' },
  session_not_found: { status: 403, message: 'Session from session_id claim in JWT does not exist' },
  signup_disabled: { status: 422, message: 'Signups not allowed for this instance' },
  unexpected_failure: {
    status: 500,
    message: 'Unexpected failure, please check server logs for more information',
  },
  user_already_exists: { status: 422, message: 'User already registered' },
  user_banned: { status: 400, message: 'User is banned' },
  user_not_found: { status: 403, message: 'User from sub claim in JWT does not exist' },
  validation_failed: { status: 400, message: 'Some values are not valid' },
  web3_provider_disabled: { status: 422, message: 'Web3 provider is disabled' },
  weak_password: { status: 422, message: 'Password is too weak' },
} as const satisfies Record<string, { status: number; message: string }>

export type AuthErrorCode = keyof typeof authErrors

interface AuthErrorDetails {
  readonly message?: string
  readonly status?: number
  readonly retryAfterSeconds?: number
  /** Only with `weak_password`. */
  readonly weakPasswordReasons?: readonly ('length' | 'characters' | 'pwned')[]
  readonly cause?: unknown
}

/** An error with GoTrue's code and text. */
export class AuthError extends Error {
  readonly code: AuthErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  readonly weakPasswordReasons: readonly string[] | undefined

  constructor(code: AuthErrorCode, details: AuthErrorDetails = {}) {
    super(details.message ?? authErrors[code].message, { cause: details.cause })
    this.name = 'AuthError'
    this.code = code
    this.status = details.status ?? authErrors[code].status
    this.retryAfterSeconds = details.retryAfterSeconds
    this.weakPasswordReasons = details.weakPasswordReasons
  }
}

/** The version of the protocol from which errors carry their code as `code`. */
export const apiVersion = '2024-01-01'

/** The error as a body, in the shape that the caller's version of the protocol expects. */
export function toAuthErrorBody(error: AuthError, requestedVersion: string | undefined, requestId: string): object {
  const extra = error.weakPasswordReasons && { weak_password: { reasons: error.weakPasswordReasons } }
  if (isCurrentVersion(requestedVersion)) return { code: error.code, message: error.message, ...extra }
  return {
    code: error.status,
    error_code: error.code,
    msg: error.message,
    ...(error.status >= 500 && { error_id: requestId }),
    ...extra,
  }
}

/** Whether a caller asked for the protocol of {@link apiVersion} or later. */
export function isCurrentVersion(requestedVersion: string | undefined): boolean {
  return (
    requestedVersion !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(requestedVersion) && requestedVersion >= apiVersion
  )
}
