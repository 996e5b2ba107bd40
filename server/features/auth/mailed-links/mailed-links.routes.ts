import type { FastifyInstance } from 'fastify'
import { type AuthParts, spendRequest } from '../auth-parts.ts'
import { chooseRedirect, readClient, sendSession } from '../auth-request.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { readJsonObject, readQuery, readText } from '../protocol/request-body.ts'
import { toAuthError } from '../protocol/to-auth-error.ts'
import { toSessionJson } from '../sessions/session.service.ts'
import { readCodeChallenge } from '../sign-in/pkce.ts'
import { resendConfirmation } from '../sign-up/sign-up.service.ts'
import { verifyLink, verifySecret } from './verify.service.ts'
import { toCodeRedirect, toErrorRedirect, toSessionRedirect } from './verify-redirect.ts'

/** Mails that let somebody in, and what their links and codes lead to. */
export function mailedLinksRoutes(app: FastifyInstance, parts: AuthParts): void {
  app.post('/resend', async (request) => {
    const body = readJsonObject(request.body)
    const client = readClient(request)
    await spendRequest(parts.limits.resend, client)
    if (readText(body, 'type') !== 'signup') {
      throw new AuthError('validation_failed', { message: 'Missing one of these types: signup' })
    }
    await resendConfirmation(parts, {
      email: readText(body, 'email'),
      challenge: readCodeChallenge(readText(body, 'code_challenge'), readText(body, 'code_challenge_method')),
      redirectTo: chooseRedirect(parts, request),
      client,
    })
    return {}
  })

  // The link of a mail. Whatever happens, a person looks at the outcome: it leads back to the app.
  // Mail scanners look at links with HEAD: that must not use them up.
  app.head('/verify', async (_request, reply) => reply.code(204).send())
  app.get('/verify', { exposeHeadRoute: false }, async (request, reply) => {
    const [token, type] = [readQuery(request.query, 'token'), readQuery(request.query, 'type')]
    if (type === '') throw new AuthError('validation_failed', { message: 'Verify requires a verification type' })
    if (token === '') throw new AuthError('validation_failed', { message: 'Verify requires a token or a token hash' })
    const client = readClient(request)
    const redirectTo = chooseRedirect(parts, request)
    try {
      await spendRequest(parts.limits.verify, client)
      const verified = await verifyLink(parts, token, client)
      if (verified.kind === 'refused') throw verified.error
      const target =
        verified.kind === 'code'
          ? toCodeRedirect(redirectTo, verified.code)
          : toSessionRedirect(redirectTo, await toSessionJson(parts, verified.grant), type)
      return reply.redirect(target, 303)
    } catch (thrown) {
      const error = toAuthError(thrown)
      if (error.status >= 500) request.log.error({ err: thrown }, 'verification failed')
      return reply.redirect(toErrorRedirect(redirectTo, error, token), 303)
    }
  })

  app.post('/verify', async (request, reply) => {
    const client = readClient(request)
    await spendRequest(parts.limits.verify, client)
    const body = readJsonObject(request.body)
    if (readText(body, 'type') === '') {
      throw new AuthError('validation_failed', { message: 'Verify requires a verification type' })
    }
    const [linkToken, code, email] = [readText(body, 'token_hash'), readText(body, 'token'), readText(body, 'email')]
    if ((linkToken === '') === (code === '')) {
      throw new AuthError('validation_failed', { message: 'Verify requires either a token or a token hash' })
    }
    if (linkToken !== '' && email !== '') {
      throw new AuthError('validation_failed', { message: 'Only the token_hash and type should be provided' })
    }
    if (!['signup', 'email'].includes(readText(body, 'type'))) throw new AuthError('otp_expired')
    const grant = await verifySecret(parts, linkToken === '' ? { email, code } : { linkToken }, client)
    return sendSession(parts, reply, grant)
  })
}
