import { readBasePath } from './base-path.ts'

/** A cookie of this instance that scripts can't read. */
export interface OwnCookie {
  readonly name: string
  readonly value: string
  readonly lifeSeconds: number
}

/** The header `Set-Cookie`. Browsers send the cookie below the base path alone, where other apps of the host are not. */
export function writeCookie(appUrl: string, { name, value, lifeSeconds }: OwnCookie): string {
  const secure = isSecure(appUrl) ? '; Secure' : ''
  const attributes = `Path=${readBasePath(appUrl)}/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${secure}`
  return `${toFullName(appUrl, name)}=${value}; ${attributes}`
}

/** A cookie's value, from the header `Cookie`. */
export function readCookie(appUrl: string, name: string, header = ''): string | undefined {
  const start = `${toFullName(appUrl, name)}=`
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}

/**
 * `__Host-` keeps other hosts of the same domain from setting the cookie, but browsers accept it for the path `/` only (RFC
 * 6265bis, section 4.1.3); with a base path, `__Secure-` at least refuses connections without TLS.
 */
function toFullName(appUrl: string, name: string): string {
  if (!isSecure(appUrl)) return name
  return `${readBasePath(appUrl) === '' ? '__Host-' : '__Secure-'}${name}`
}

function isSecure(appUrl: string): boolean {
  return appUrl.startsWith('https:')
}
