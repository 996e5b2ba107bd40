import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readCookie, writeCookie } from '#server/platform/http/own-cookie.ts'
import type { AuthParts } from '../auth-parts.ts'
import { rememberDevice } from './known-device.queries.ts'

const cookieName = 'earshot-device'
const lifeSeconds = 365 * 24 * 3600
const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/** The hash of the browser's device cookie; undefined without one. The cookie itself is stored nowhere. */
export function readDevice(parts: Pick<AuthParts, 'appUrl'>, request: FastifyRequest): Buffer | undefined {
  const token = readToken(parts, request)
  return token === undefined ? undefined : hashToken(token)
}

/**
 * Records that the account has signed in with this browser, and gives the browser a cookie if it has none. Cookies stay
 * with the browser's own requests to this instance; an app on another origin is never a known device.
 */
export async function recordDevice(
  parts: Pick<AuthParts, 'appUrl' | 'database'>,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<void> {
  const token = readToken(parts, request) ?? randomBytes(32).toString('base64url')
  await parts.database.asAuthAdmin('record of a device', (tx) => rememberDevice(tx, userId, hashToken(token)))
  reply.header('set-cookie', writeCookie(parts.appUrl, { name: cookieName, value: token, lifeSeconds }))
}

function readToken({ appUrl }: Pick<AuthParts, 'appUrl'>, request: FastifyRequest): string | undefined {
  const token = readCookie(appUrl, cookieName, request.headers.cookie)
  return token !== undefined && tokenPattern.test(token) ? token : undefined
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
