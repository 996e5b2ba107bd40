import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Impersonated } from '../database/actor.ts'
import type { Origin } from '../database/request-origin.ts'

/** The client, as known from the connection. */
export interface Client {
  readonly ip: string | null
  readonly userAgent: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether it is a call of the auth server, whose routes find out by themselves whose account it is about. */
    isOfAccount: boolean
  }
}

const maxUserAgentLength = 1000

/** Truncates the client's details to the column sizes. */
export function describeClient(ip: string, userAgent: string | undefined): Client {
  const address = ip.split('%')[0] ?? ''
  return { ip: isIP(address) ? address : null, userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null }
}

/** Who makes a request, and from where. `request.ip` follows TRUST_PROXY. A visitor is only known to be one. */
export function describeOrigin(request: FastifyRequest): Origin {
  const { id: requestId, caller } = request
  if (!caller && !request.isOfAccount) return { kind: 'visitor', requestId }
  const { ip, userAgent } = describeClient(request.ip, request.headers['user-agent'])
  const from = { requestId, ...(ip !== null && { ip }), ...(userAgent !== null && { userAgent }) }
  if (!caller) return { kind: 'visitor', ...from }
  const { userId, impersonation, isReadOnly } = caller.actor
  if (impersonation) {
    const { id: impersonationId, superadminId: impersonatorId } = impersonation
    return { kind: 'user', userId, impersonationId, impersonatorId, ...(isReadOnly && { isReadOnly }), ...from }
  }
  if ('keyId' in caller) return { kind: 'api_key', userId: caller.keyId, ...from }
  const isElsewhere = caller.actor.organizationId !== undefined && caller.isSuperadmin && caller.role === undefined
  const { agent, actsAsSuperadmin } = caller
  return {
    kind: isElsewhere || actsAsSuperadmin ? 'superadmin' : 'user',
    userId,
    ...(agent !== undefined && { agent }),
    ...from,
  }
}

/** The superadmin behind an impersonated request, who looks at an organisation. */
export function describeImpersonator(request: FastifyRequest, { id, superadminId }: Impersonated): Origin {
  const { impersonatorId: _, isReadOnly: __, ...origin } = describeOrigin(request)
  return { ...origin, kind: 'superadmin', userId: superadminId, impersonationId: id }
}
