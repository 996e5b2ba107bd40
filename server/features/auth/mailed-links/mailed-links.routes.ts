import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AuthParts, spendRequest } from '../auth-parts.ts'
import { chooseRedirect, readClient, sendSession } from '../auth-request.ts'
import { spendNetwork } from '../mail-budgets.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { type JsonObject, readFlag, readJsonObject, readObject, readQuery, readText } from '../protocol/request-body.ts'
import { toCodeRedirect, toSessionRedirect } from '../protocol/sign-in-redirect.ts'
import { toAuthError } from '../protocol/to-auth-error.ts'
import { toSessionJson } from '../sessions/session.service.ts'
import { recordDevice } from '../sign-in/known-device.ts'
import { readCodeChallenge } from '../sign-in/pkce.ts'
import { pkcePrefix } from './one-time-secret.ts'
import { requestMagicLink, requestRecovery, resendConfirmation, resendEmailChange } from './request-link.service.ts'
import { halfDoneMessage, type VerifiedLink, verifyLink, verifySecret } from './verify.service.ts'
import { toErrorRedirect, toMessageRedirect } from './verify-redirect.ts'

/** Emails with sign-in links and codes, and the verification of both. */
export function mailedLinksRoutes(app: FastifyInstance, parts: AuthParts): void {
  requestRoutes(app, parts)
  linkVerificationRoutes(app, parts)
  secretVerificationRoute(app, parts)
}

/** Requests for an email with a link and a code. */
function requestRoutes(app: FastifyInstance, parts: AuthParts): void {
  app.post('/recover', async (request) => {
    await spendRequest(parts.limits.recover, readClient(request))
    await spendNetwork(parts, 'recover', readClient(request))
    await requestRecovery(parts, readLinkRequest(parts, request, readJsonObject(request.body)))
    return {}
  })

  app.post('/otp', async (request) => {
    await spendRequest(parts.limits.otp, readClient(request))
    await spendNetwork(parts, 'otp', readClient(request))
    const body = readJsonObject(request.body)
    if (readText(body, 'email') === '' && readText(body, 'phone') !== '') throw new AuthError('phone_provider_disabled')
    await requestMagicLink(parts, {
      ...readLinkRequest(parts, request, body),
      createsUser: readFlag(body, 'create_user', true),
      metadata: readObject(body, 'data'),
    })
    return {}
  })

  app.post('/resend', async (request) => {
    await spendRequest(parts.limits.resend, readClient(request))
    await spendNetwork(parts, 'resend', readClient(request))
    const body = readJsonObject(request.body)
    const type = readText(body, 'type')
    if (type === 'signup') await resendConfirmation(parts, readLinkRequest(parts, request, body))
    else if (type === 'email_change') await resendEmailChange(parts, readLinkRequest(parts, request, body))
    else throw new AuthError('validation_failed', { message: 'Missing one of these types: signup, email_change' })
    return {}
  })
}

/** The link of an email. A person opens it, so every result redirects to the app. */
function linkVerificationRoutes(app: FastifyInstance, parts: AuthParts): void {
  // Mail scanners request links with HEAD, which must not use them up.
  app.head('/verify', async (_request, reply) => reply.code(204).send())
  app.get('/verify', { exposeHeadRoute: false }, async (request, reply) => {
    const [linkToken, type] = [readQuery(request.query, 'token'), readQuery(request.query, 'type')]
    if (type === '') throw new AuthError('validation_failed', { message: 'Verify requires a verification type' })
    if (linkToken === '')
      throw new AuthError('validation_failed', { message: 'Verify requires a token or a token hash' })
    const client = readClient(request)
    const redirectTo = chooseRedirect(parts, request)
    try {
      await spendRequest(parts.limits.verify, client)
      const verified = await verifyLink(parts, { linkToken, type }, client)
      return reply.redirect(await toTarget(parts, verified, { redirectTo, linkToken, type }), 303)
    } catch (thrown) {
      const error = toAuthError(thrown)
      if (error.status >= 500) request.log.error({ err: thrown }, 'verification failed')
      return reply.redirect(toErrorRedirect(redirectTo, error, linkToken), 303)
    }
  })
}

/** The verification of a code, or of a link token from a request body. */
function secretVerificationRoute(app: FastifyInstance, parts: AuthParts): void {
  app.post('/verify', async (request, reply) => {
    const client = readClient(request)
    await spendRequest(parts.limits.verify, client)
    const body = readJsonObject(request.body)
    const type = readText(body, 'type')
    if (type === '') throw new AuthError('validation_failed', { message: 'Verify requires a verification type' })
    const [linkToken, code, email] = [readText(body, 'token_hash'), readText(body, 'token'), readText(body, 'email')]
    if ((linkToken === '') === (code === '')) {
      throw new AuthError('validation_failed', { message: 'Verify requires either a token or a token hash' })
    }
    if (linkToken !== '' && email !== '') {
      throw new AuthError('validation_failed', { message: 'Only the token_hash and type should be provided' })
    }
    const grant = await verifySecret(parts, { type, ...(linkToken === '' ? { email, code } : { linkToken }) }, client)
    if (!grant) return { msg: halfDoneMessage, code: '200' }
    await recordDevice(parts, request, reply, grant.user.id)
    return sendSession(parts, reply, grant)
  })
}

function readLinkRequest(parts: AuthParts, request: FastifyRequest, body: JsonObject) {
  return {
    email: readText(body, 'email'),
    challenge: readCodeChallenge(readText(body, 'code_challenge'), readText(body, 'code_challenge_method')),
    redirectTo: chooseRedirect(parts, request),
    client: readClient(request),
  }
}

/** The redirect of a used link. @throws AuthError when the sign-in after the confirmation was refused. */
async function toTarget(
  parts: AuthParts,
  verified: VerifiedLink,
  { redirectTo, linkToken, type }: { redirectTo: string; linkToken: string; type: string },
): Promise<string> {
  switch (verified.kind) {
    case 'code':
      return toCodeRedirect(redirectTo, verified.code)
    case 'session':
      return toSessionRedirect(redirectTo, await toSessionJson(parts, verified.grant), type)
    case 'half_done':
      return toMessageRedirect(redirectTo, halfDoneMessage, linkToken.startsWith(pkcePrefix))
    case 'refused':
      throw verified.error
  }
}
