/** The error catalogue: what is shown for each code when signing in fails. */
export const errorCatalogue = {
  invalid_credentials: 'Invalid email or password. Please try again.',
  user_not_found: 'No account found with this email address.',
  email_not_confirmed: 'Please verify your email before signing in.',
  user_banned: 'This account has been suspended. Please contact support.',
  user_already_registered:
    'An account with this email already exists. Try signing in instead, or use "Forgot Password" if needed.',
  weak_password: 'Password is too weak. Please use at least 6 characters.',
  over_email_send_rate_limit: 'Too many attempts. Please try again later.',
  invalid_email: 'Please enter a valid email address.',
  same_password: 'New password must be different from the old password.',
  password_mismatch: 'Passwords do not match.',
  oauth_error: 'Failed to sign in with provider. Please try again.',
  oauth_no_code: 'Authentication was cancelled. Please try signing in again.',
  invalid_request: 'Authentication request failed. Please try again.',
  provider_email_needs_verification: 'Please verify your email with the provider first.',
  pkce_error: 'Authentication flow interrupted. Please try again.',
  session_not_found: 'Your session has expired. Please sign in again.',
  refresh_token_not_found: 'Your session has expired. Please sign in again.',
  invalid_refresh_token: 'Your session has expired. Please sign in again.',
  network_error: 'Network error. Please check your connection and try again.',
  timeout: 'Request timed out. Please try again.',
  rate_limit_exceeded: 'Too many attempts. Please wait a few minutes and try again.',
  database_error: 'A temporary issue occurred. Please try again in a moment.',
  unexpected_failure: 'An unexpected error occurred. Please try again.',
  otp_expired: 'Your email confirmation link has expired. Please request a new one.',
  access_denied: 'Access denied. Please check your email for a valid confirmation link.',
} as const

export const hookFailure = 'Email service is temporarily unavailable. Please try again in a few minutes.'
export const fallbackMessage = 'An unexpected error occurred'
