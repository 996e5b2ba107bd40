const home = '/dashboard'

/** Where to send somebody without a session: the login page, which leads back to where they were. */
export function buildLoginPath(location: { pathname: string; search: string }): string {
  if (location.pathname === home) return '/login'
  return `/login?${new URLSearchParams({ redirect: `${location.pathname}${location.search}` })}`
}

/**
 * The path that a `redirect` parameter asks for, or the dashboard. Only paths of this site are honoured: a link that
 * looks like ours must not lead anywhere else after sign-in.
 */
export function readRedirect(search: string): string {
  const target = new URLSearchParams(search).get('redirect')
  // A browser drops tabs and line breaks from addresses and reads `\` as `/`: neither may hide a `//host`.
  const hasStrayCharacter = target !== null && [...target].some((c) => c === '\\' || c.charCodeAt(0) < 33)
  if (!target?.startsWith('/') || target.startsWith('//') || hasStrayCharacter) return home
  const base = 'https://earshot.invalid'
  let url: URL
  try {
    url = new URL(target, base)
  } catch {
    return home
  }
  const isSafe = url.origin === base && !url.pathname.startsWith('//')
  return isSafe && url.pathname !== '/login' ? `${url.pathname}${url.search}${url.hash}` : home
}
