const home = '/dashboard'

/** Screens of getting in: leading back to one of them after getting in would lead nowhere. */
const ownPaths = new Set(['/login', '/register', '/forgot-password', '/reset-password', '/auth/callback'])

/** The login path for a signed-out person, with a way back to the current page. */
export function buildLoginPath(location: { pathname: string; search: string }): string {
  if (location.pathname === home) return '/login'
  return addRedirect('/login', `${location.pathname}${location.search}`)
}

/** A screen of getting in that leads on to `target`, which is left out when it is the dashboard. */
export function addRedirect(path: string, target: string): string {
  return target === home ? path : `${path}?${new URLSearchParams({ redirect: target })}`
}

/** The purpose of an emailed link, from its return URL. */
export type LinkPurpose = 'signup' | 'magiclink' | 'recovery' | 'email_change'

/** The return address of emailed links and providers; it redirects to `next`. */
export function buildCallbackUrl(
  appUrl: string | null,
  { purpose, next = home }: { purpose?: LinkPurpose; next?: string } = {},
): string {
  const query = new URLSearchParams({ ...(purpose && { type: purpose }), ...(next !== home && { next }) })
  const url = `${appUrl ?? window.location.origin}/auth/callback`
  return query.size > 0 ? `${url}?${query}` : url
}

/**
 * The path that a parameter asks for, or the dashboard. Only paths of this site are honoured: a link that looks like
 * ours must not lead anywhere else after sign-in.
 */
export function readRedirect(search: string, name: 'redirect' | 'next' = 'redirect'): string {
  const target = new URLSearchParams(search).get(name)
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
  const isOwn = ownPaths.has(url.pathname.replace(/\/+$/, ''))
  return isSafe && !isOwn ? `${url.pathname}${url.search}${url.hash}` : home
}
