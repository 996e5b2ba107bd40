import type { FastifyInstance } from 'fastify'
import { type AuthParts, spendRequest } from '../auth-parts.ts'
import { chooseRedirect, readClient, sendSession } from '../auth-request.ts'
import { spendNetwork } from '../mail-budgets.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { readJsonObject, readObject, readText } from '../protocol/request-body.ts'
import { readCodeChallenge } from '../sign-in/pkce.ts'
import { signUp } from './sign-up.service.ts'

/** New accounts. */
export function signUpRoutes(app: FastifyInstance, parts: AuthParts): void {
  app.post('/signup', async (request, reply) => {
    const body = readJsonObject(request.body)
    const [email, phone] = [readText(body, 'email'), readText(body, 'phone')]
    if (email === '' && phone === '') throw new AuthError('anonymous_provider_disabled')
    const client = readClient(request)
    await spendRequest(parts.limits.signUp, client)
    await spendNetwork(parts, 'sign_up', client)
    if (parts.settings.disableSignup) throw new AuthError('signup_disabled')
    if (email === '') throw new AuthError('phone_provider_disabled', { message: 'Phone signups are disabled' })
    const outcome = await signUp(parts, {
      email,
      password: readText(body, 'password'),
      metadata: readObject(body, 'data'),
      challenge: readCodeChallenge(readText(body, 'code_challenge'), readText(body, 'code_challenge_method')),
      redirectTo: chooseRedirect(parts, request),
      client,
    })
    return 'grant' in outcome ? sendSession(parts, reply, outcome.grant) : outcome.userJson
  })
}
