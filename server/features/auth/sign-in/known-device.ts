import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthParts } from '../auth-parts.ts'
import { rememberDevice } from './known-device.queries.ts'

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
  const secure = isSecure(parts.appUrl) ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${nameCookie(parts.appUrl)}=${token}; Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${secure}`,
  )
}

function readToken({ appUrl }: Pick<AuthParts, 'appUrl'>, request: FastifyRequest): string | undefined {
  const start = `${nameCookie(appUrl)}=`
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const token = pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
  return token !== undefined && tokenPattern.test(token) ? token : undefined
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

// The prefix keeps other hosts of the same domain from setting it.
function nameCookie(appUrl: string): string {
  return `${isSecure(appUrl) ? '__Host-' : ''}earshot-device`
}

function isSecure(appUrl: string): boolean {
  return appUrl.startsWith('https:')
}
