import type { FastifyRequest } from 'fastify'
import type { AuthParts } from '../auth-parts.ts'

const lifeSeconds = 600

/**
 * Marks the browser in which an implicit flow began, which ends with a session in the URL. Without it, an attacker
 * could finish their own sign-in in another person's browser, who would then work in the attacker's account. With PKCE
 * the verifier proves the same, and no cookie is needed.
 */
export function createStateCookie({ appUrl }: Pick<AuthParts, 'appUrl'>, state: string): string {
  const secure = isSecure(appUrl) ? '; Secure' : ''
  return `${nameCookie(appUrl, state)}=1; Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${secure}`
}

export function hasStateCookie({ appUrl }: Pick<AuthParts, 'appUrl'>, request: FastifyRequest, state: string): boolean {
  const cookies = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return cookies.includes(`${nameCookie(appUrl, state)}=1`)
}

// The prefix keeps other hosts of the same domain from setting it.
function nameCookie(appUrl: string, state: string): string {
  return `${isSecure(appUrl) ? '__Host-' : ''}earshot-sign-in-${state}`
}

function isSecure(appUrl: string): boolean {
  return appUrl.startsWith('https:')
}
