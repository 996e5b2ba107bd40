import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Client, describeClient } from '#server/platform/http/describe-origin.ts'
import type { AuthParts } from './auth-parts.ts'
import { type AccessClaims, AccessTokenError } from './keys/access-token.ts'
import { AuthError } from './protocol/auth-error.ts'
import { readQuery } from './protocol/request-body.ts'
import { type SessionGrant, toSessionJson } from './sessions/session.service.ts'

/** The client, as known from the connection. */
export function readClient(request: FastifyRequest): Client {
  return describeClient(request.ip, request.headers['user-agent'])
}

/** The requested redirect, if it is allowed; else the site's URL. */
export function chooseRedirect({ redirects }: Pick<AuthParts, 'redirects'>, request: FastifyRequest): string {
  const header = request.headers.redirect_to
  return redirects.choose(
    typeof header === 'string' ? header : undefined,
    readQuery(request.query, 'redirect_to'),
    request.headers.referer,
  )
}

/** The bearer's claims. @throws AuthError `no_authorization` or `bad_jwt`. */
export async function readAccessToken(
  { tokens }: Pick<AuthParts, 'tokens'>,
  request: FastifyRequest,
): Promise<AccessClaims> {
  const token = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) throw new AuthError('no_authorization')
  try {
    return await tokens.verify(token)
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error
    throw new AuthError('bad_jwt', { message: `invalid JWT: unable to parse or verify signature, ${error.message}` })
  }
}

/** Sends a session, with GoTrue's headers. */
export function sendSession(
  parts: AuthParts,
  reply: FastifyReply,
  grant: SessionGrant,
): Promise<Record<string, unknown>> {
  reply.header('sb-auth-user-id', grant.user.id).header('sb-auth-session-id', grant.sessionId)
  return toSessionJson(parts, grant)
}
