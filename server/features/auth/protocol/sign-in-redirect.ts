/** The redirect with a code to exchange. Parameters are sorted, as GoTrue sorts them. */
export function toCodeRedirect(redirectTo: string, code: string): string {
  const url = new URL(redirectTo)
  url.searchParams.set('code', code)
  url.searchParams.sort()
  return url.href
}

/**
 * The redirect with a session. In the fragment, which browsers don't send to servers.
 *
 * @param type the emailed link's type; undefined after a provider sign-in.
 */
export function toSessionRedirect(
  redirectTo: string,
  session: Readonly<Record<string, unknown>>,
  type?: string,
): string {
  const url = new URL(redirectTo)
  url.hash = new URLSearchParams({
    access_token: String(session.access_token),
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    refresh_token: String(session.refresh_token),
    sb: '',
    token_type: 'bearer',
    ...(type !== undefined && { type }),
  }).toString()
  return url.href
}
