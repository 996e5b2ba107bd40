import type { AuthError } from '../protocol/auth-error.ts'
import { pkcePrefix } from './one-time-secret.ts'

/** The redirect of the first of two confirmed links: its message takes the place of an error. */
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

/** The redirect of a failed link: the reason is in the fragment and, for PKCE, also in the query. */
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
