import type { FastifyRequest } from 'fastify'
import { readCookie, writeCookie } from '#server/platform/http/own-cookie.ts'
import type { AuthParts } from '../auth-parts.ts'

const lifeSeconds = 600

/**
 * Marks the browser in which an implicit flow began, which ends with a session in the URL. Without it, an attacker
 * could finish their own sign-in in another person's browser, who would then work in the attacker's account. With PKCE
 * the verifier proves the same, and no cookie is needed.
 */
export function createStateCookie({ appUrl }: Pick<AuthParts, 'appUrl'>, state: string): string {
  return writeCookie(appUrl, { name: nameState(state), value: '1', lifeSeconds })
}

export function hasStateCookie({ appUrl }: Pick<AuthParts, 'appUrl'>, request: FastifyRequest, state: string): boolean {
  return readCookie(appUrl, nameState(state), request.headers.cookie) === '1'
}

function nameState(state: string): string {
  return `earshot-sign-in-${state}`
}
