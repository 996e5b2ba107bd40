import { describe, expect, it } from 'vitest'
import {
  categorizeAuthFailure,
  describeAuthError,
  fallbackMessage,
  flagGoogleFailure,
  isNetworkError,
} from './auth-errors.ts'

const expired = 'Your session has expired. Please sign in again.'
const interrupted = 'Authentication flow interrupted. Please try again.'
const provider = 'Failed to sign in with provider. Please try again.'
const registered =
  'An account with this email already exists. Try signing in instead, or use "Forgot Password" if needed.'
const rateLimited = 'Too many attempts. Please wait a few minutes and try again.'
const temporary = 'A temporary issue occurred. Please try again in a moment.'

describe('describeAuthError by code', () => {
  it.each([
    ['invalid_credentials', 'Invalid email or password. Please try again.'],
    ['user_not_found', 'No account found with this email address.'],
    ['email_not_confirmed', 'Please verify your email before signing in.'],
    ['user_banned', 'This account has been suspended. Please contact support.'],
    ['user_already_registered', registered],
    ['weak_password', 'Password is too weak. Please use at least 6 characters.'],
    ['over_email_send_rate_limit', 'Too many attempts. Please try again later.'],
    ['invalid_email', 'Please enter a valid email address.'],
    ['same_password', 'New password must be different from the old password.'],
    ['password_mismatch', 'Passwords do not match.'],
    ['oauth_error', provider],
    ['oauth_no_code', 'Authentication was cancelled. Please try signing in again.'],
    ['invalid_request', 'Authentication request failed. Please try again.'],
    ['provider_email_needs_verification', 'Please verify your email with the provider first.'],
    ['pkce_error', interrupted],
    ['session_not_found', expired],
    ['refresh_token_not_found', expired],
    ['invalid_refresh_token', expired],
    ['network_error', 'Network error. Please check your connection and try again.'],
    ['timeout', 'Request timed out. Please try again.'],
    ['rate_limit_exceeded', rateLimited],
    ['database_error', temporary],
    ['unexpected_failure', 'An unexpected error occurred. Please try again.'],
    ['otp_expired', 'Your email confirmation link has expired. Please request a new one.'],
    ['access_denied', 'Access denied. Please check your email for a valid confirmation link.'],
  ])('%s', (code, message) => {
    expect(describeAuthError({ code })).toBe(message)
    expect(describeAuthError({ code, status: 400, message: 'whatever the server wrote' })).toBe(message)
  })

  it.each([
    ['user_already_exists', registered],
    ['email_exists', registered],
    ['email_address_invalid', 'Please enter a valid email address.'],
    ['over_request_rate_limit', rateLimited],
    ['refresh_token_already_used', expired],
    ['session_expired', expired],
    ['bad_jwt', expired],
    ['no_authorization', expired],
    ['bad_code_verifier', interrupted],
    ['pkce_code_verifier_not_found', interrupted],
    ['flow_state_not_found', interrupted],
    ['flow_state_expired', interrupted],
    ['flow_state_already_used', interrupted],
    ['bad_oauth_state', provider],
    ['bad_oauth_callback', provider],
    ['identity_already_exists', registered],
    ['invalid_jwt', expired],
    ['server_error', provider],
    ['request_timeout', 'Request timed out. Please try again.'],
    ['conflict', temporary],
    ['temporarily_unavailable', temporary],
    ['bad_json', 'Authentication request failed. Please try again.'],
    ['hook_timeout', 'Email service is temporarily unavailable. Please try again in a few minutes.'],
    ['hook_timeout_after_retry', 'Email service is temporarily unavailable. Please try again in a few minutes.'],
    ['signup_disabled', 'New accounts are not accepted here. Please ask the administrator for an invitation.'],
    ['otp_disabled', 'No account found with this email address.'],
  ])('%s, the name in the protocol', (code, message) => {
    expect(describeAuthError({ code, status: 400, message: '' })).toBe(message)
  })

  it.each([
    'validation_failed',
    'bad_json',
    'signup_disabled',
    'email_provider_disabled',
    'otp_disabled',
    'provider_disabled',
    'email_address_not_authorized',
    'captcha_failed',
    'reauthentication_needed',
    'reauthentication_not_valid',
    'current_password_required',
    'current_password_invalid',
    'hook_timeout',
    'hook_timeout_after_retry',
    'request_entity_too_large',
    'user_sso_managed',
    'identity_already_exists',
  ])('%s does not fall back', (code) => {
    expect(describeAuthError({ code, status: 400, message: '' })).not.toBe(fallbackMessage)
  })

  it('reads the text of a refusal whose code says little', () => {
    expect(
      describeAuthError({
        code: 'validation_failed',
        status: 400,
        message: 'Unable to validate email address: invalid format',
      }),
    ).toBe('Please enter a valid email address.')
    expect(
      describeAuthError({ code: 'validation_failed', status: 400, message: 'Signup requires a valid password' }),
    ).toBe('Password is too weak. Please use at least 6 characters.')
  })
})

describe('describeAuthError by text', () => {
  it.each([
    ['Invalid login credentials', 'Invalid email or password. Please try again.'],
    ['Email not confirmed', 'Please verify your email before signing in.'],
    ['User already registered', registered],
    ['duplicate key value violates unique constraint', registered],
    ['relation "profiles" does not exist', temporary],
    ['Failed to fetch', 'Network error. Please check your connection and try again.'],
    ['Request rate limit reached', rateLimited],
    ['For security purposes, you can only request this after 43 seconds.', rateLimited],
    ['missing code', interrupted],
    ['both auth code and code verifier should be non-empty', interrupted],
    ['PKCE flow failed', interrupted],
    ['Auth session missing!', expired],
    ['Auth session or user missing', expired],
    ['Invalid Refresh Token: Already Used', expired],
    ['Not a valid PKCE flow url.', interrupted],
    ['No code detected.', interrupted],
    ['User already exists', registered],
    ['Database error querying schema', temporary],
    ['NetworkError when attempting to fetch resource.', 'Network error. Please check your connection and try again.'],
    ['the connection was reset', 'Network error. Please check your connection and try again.'],
    ['The operation timed out', 'Request timed out. Please try again.'],
    ['Unsupported provider: provider is not enabled', 'Signing in with this provider is switched off here.'],
  ])('%s', (message, expected) => {
    expect(describeAuthError({ message })).toBe(expected)
  })
})

describe('describeAuthError by status', () => {
  it('calls 500 a temporary issue', () => {
    expect(describeAuthError({ status: 500, message: 'Unexpected failure' })).toBe(temporary)
  })

  it('says more when the text mentions the database', () => {
    const message = describeAuthError({ status: 500, message: 'Database error saving new user' })
    expect(message).toContain('A temporary issue occurred')
    expect(message.length).toBeGreaterThan(temporary.length)
  })

  it('describes an unauthorised email hook', () => {
    expect(describeAuthError({ status: 500, message: 'Hook requires authorization token' })).toBe(
      'Email service is temporarily unavailable. Please try again in a few minutes.',
    )
  })

  it('calls status 0 a network error', () => {
    expect(describeAuthError({ status: 0, message: '' })).toContain('Network error.')
  })

  it('calls other 5xx answers a temporary issue', () => {
    expect(describeAuthError({ status: 503, message: '' })).toBe(temporary)
  })

  it.each([undefined, null, {}, 'text', { code: 'something_new' }, { code: 'toString' }, { code: 7, message: 7 }])(
    'falls back for %j',
    (error) => {
      expect(describeAuthError(error)).toBe('An unexpected error occurred')
    },
  )
})

describe('isNetworkError', () => {
  it.each([
    [{ code: 'network_error' }, true],
    [{ code: 'timeout' }, true],
    [{ message: 'NetworkError when attempting' }, true],
    [{ message: 'Failed to fetch' }, true],
    [{ message: 'the connection was reset' }, true],
    [{ code: 'invalid_credentials', message: 'Invalid login credentials' }, false],
    [undefined, false],
  ])('%j → %s', (error, expected) => {
    expect(isNetworkError(error)).toBe(expected)
  })
})

describe('categorizeAuthFailure', () => {
  it.each([
    [{ code: 'bad_oauth_state' }, 'oauth'],
    [{ code: 'provider_email_needs_verification' }, 'oauth'],
    [{ status: 0, message: '' }, 'network'],
    [{ message: 'Failed to fetch' }, 'network'],
    [{ status: 500, message: 'Database error saving new user' }, 'database'],
    [{ code: 'invalid_credentials', status: 400 }, 'validation'],
    [{ code: 'weak_password' }, 'validation'],
    [{ code: 'user_already_registered' }, 'validation'],
    [{ code: 'current_password_invalid' }, 'validation'],
    [{ code: 'request_timeout', status: 504 }, 'network'],
    [{ code: 'conflict' }, 'unknown'],
    [undefined, 'unknown'],
  ])('%j → %s', (error, category) => {
    expect(categorizeAuthFailure(error)).toBe(category)
  })

  it('knows two ways in which Google fails', () => {
    expect(categorizeAuthFailure({ code: 'bad_code_verifier' }, 'google')).toBe('oauth')
    expect(categorizeAuthFailure({ status: 0 }, 'google')).toBe('network')
  })
})

describe('flagGoogleFailure', () => {
  it.each([
    [{ code: 'oauth_no_code' }, 'oauth_no_code'],
    [{ code: 'provider_email_needs_verification' }, 'provider_email_needs_verification'],
    [{ code: 'user_banned' }, 'user_banned'],
    [{ code: 'validation_failed', message: 'Unsupported provider' }, 'oauth_error'],
    [{ code: 'interaction_required' }, 'oauth_error'],
    [{ status: 0, message: '' }, 'network_error'],
    [{ message: 'Failed to fetch' }, 'network_error'],
    [undefined, 'oauth_error'],
  ])('%j → %s', (error, code) => {
    expect(flagGoogleFailure(error)).toBe(code)
  })
})
