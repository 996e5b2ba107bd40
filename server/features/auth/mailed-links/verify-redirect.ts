import type { AuthError } from '../protocol/auth-error.ts'
import { pkcePrefix } from './one-time-secret.ts'

/** Where a clicked link leads with a code to exchange. Parameters are sorted, as GoTrue sorts them. */
export function toCodeRedirect(redirectTo: string, code: string): string {
  const url = new URL(redirectTo)
  url.searchParams.set('code', code)
  url.searchParams.sort()
  return url.href
}

/** Where a clicked link leads with a session. In the fragment, which browsers send to no server. */
export function toSessionRedirect(
  redirectTo: string,
  session: Readonly<Record<string, unknown>>,
  type: string,
): string {
  const url = new URL(redirectTo)
  url.hash = new URLSearchParams({
    access_token: String(session.access_token),
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    refresh_token: String(session.refresh_token),
    sb: '',
    token_type: 'bearer',
    type,
  }).toString()
  return url.href
}

/** Where a clicked link leads that was the first of two: what is left to do stands where errors stand. */
export function toMessageRedirect(redirectTo: string, message: string, isPkce: boolean): string {
  const url = new URL(redirectTo)
  if (isPkce) {
    url.searchParams.set('message', message)
    url.searchParams.sort()
  }
  url.hash = new URLSearchParams({ message, ...(!isPkce && { sb: '' }) }).toString()
  return url.href
}

const errorByStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** Where a clicked link leads that did not work: why stands in the fragment and, for PKCE, in the query as well. */
export function toErrorRedirect(redirectTo: string, { code, message, status }: AuthError, linkToken: string): string {
  const url = new URL(redirectTo)
  const error = errorByStatus[status]
  const facts = { ...(error !== undefined && { error }), error_code: code, error_description: message }
  const isPkce = linkToken.startsWith(pkcePrefix)
  if (isPkce) {
    for (const [name, value] of Object.entries(facts)) url.searchParams.set(name, value)
    url.searchParams.sort()
  }
  url.hash = new URLSearchParams({ ...facts, ...(!isPkce && { sb: '' }) }).toString()
  return url.href
}
