import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUuid } from '#contract/uuid.ts'
import type { AuthParts } from '../auth-parts.ts'
import { readAccessToken } from '../auth-request.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { readJsonObject, readText } from '../protocol/request-body.ts'
import { requireServiceRole } from '../protocol/service-role.ts'
import { getSignedInUser } from '../sessions/session.service.ts'
import { refuseDisabledInput } from './disabled-input.ts'
import { type DisabledRoute, disabledRoutes } from './disabled-routes.ts'

/** Disabled features: client libraries get GoTrue's error codes instead of a 404. */
export function disabledFeatures(app: FastifyInstance, parts: AuthParts): void {
  for (const route of disabledRoutes) {
    app.route({
      method: [...route.methods],
      url: route.path,
      exposeHeadRoute: false,
      handler: async (request) => {
        await requireAudience(parts, request, route.audience)
        checkFactorId(request)
        throw new AuthError(route.code, route.message === undefined ? {} : { message: route.message })
      },
    })
  }

  app.post('/factors', async (request) => {
    await requireAudience(parts, request, 'signed in')
    throw refuseFactor(readText(readJsonObject(request.body), 'factor_type'))
  })

  // No account has a second factor.
  app.get('/admin/users/:userId/factors', { exposeHeadRoute: false }, async (request) => {
    await requireAudience(parts, request, 'service role')
    return []
  })

  app.addHook('preHandler', async (request) => {
    const route = request.routeOptions.url
    if (route !== undefined) refuseDisabledInput(request, route.slice(app.prefix.length))
  })
}

async function requireAudience(
  parts: AuthParts,
  request: FastifyRequest,
  audience: DisabledRoute['audience'],
): Promise<void> {
  if (audience === 'service role') await requireServiceRole(parts, request)
  if (audience === 'signed in') await getSignedInUser(parts, await readAccessToken(parts, request))
}

function checkFactorId(request: FastifyRequest): void {
  // Some of these routes' paths have this parameter.
  const { factorId } = request.params as { factorId?: string }
  if (factorId !== undefined && !isUuid(factorId.toLowerCase())) {
    throw new AuthError('validation_failed', { status: 404, message: 'factor_id must be an UUID' })
  }
}

function refuseFactor(type: string): AuthError {
  switch (type) {
    case 'totp':
      return new AuthError('mfa_totp_enroll_not_enabled')
    case 'phone':
      return new AuthError('mfa_phone_enroll_not_enabled')
    case 'webauthn':
      return new AuthError('mfa_webauthn_enroll_not_enabled')
    default:
      return new AuthError('validation_failed', { message: 'factor_type needs to be totp, phone, or webauthn' })
  }
}
