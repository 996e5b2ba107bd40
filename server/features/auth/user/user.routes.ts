import type { FastifyInstance } from 'fastify'
import { type AuthParts, isBanned, spendRequest } from '../auth-parts.ts'
import { chooseRedirect, readAccessToken, readClient } from '../auth-request.ts'
import { spendNetwork } from '../mail-budgets.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { type JsonObject, readJsonObject, readObject, readText } from '../protocol/request-body.ts'
import { toUserJson } from '../protocol/user-json.ts'
import { getSignedInUser } from '../sessions/session.service.ts'
import { readCodeChallenge } from '../sign-in/pkce.ts'
import { requestReauthentication } from './reauthenticate.service.ts'
import { updateUser } from './update-user.service.ts'

/** The signed-in person's own account. */
export function userRoutes(app: FastifyInstance, parts: AuthParts): void {
  app.get('/user', async (request) => {
    const { user, identities } = await getSignedInUser(parts, await readAccessToken(parts, request))
    if (isBanned(user)) throw new AuthError('user_banned', { status: 403 })
    return toUserJson(user, identities)
  })

  app.put('/user', async (request) => {
    const claims = await readAccessToken(parts, request)
    const client = readClient(request)
    await spendRequest(parts.limits.user, client)
    const body = readJsonObject(request.body)
    if (readText(body, 'phone') !== '') {
      throw new AuthError('phone_provider_disabled', { message: 'Phone signups are disabled' })
    }
    if (readText(body, 'email') !== '') await spendNetwork(parts, 'account', client)
    const { user, identities } = await updateUser(parts, claims, {
      email: readOptionalText(body, 'email'),
      password: readOptionalText(body, 'password'),
      currentPassword: readText(body, 'current_password'),
      nonce: readText(body, 'nonce'),
      data: readObject(body, 'data'),
      challenge: readCodeChallenge(readText(body, 'code_challenge'), readText(body, 'code_challenge_method')),
      redirectTo: chooseRedirect(parts, request),
      client,
    })
    return toUserJson(user, identities)
  })

  app.get('/reauthenticate', async (request) => {
    const { user } = await getSignedInUser(parts, await readAccessToken(parts, request))
    if (isBanned(user)) throw new AuthError('user_banned', { status: 403 })
    const client = readClient(request)
    await spendRequest(parts.limits.user, client)
    await spendNetwork(parts, 'account', client)
    await requestReauthentication(parts, user.id, client)
    return {}
  })
}

/** Undefined where the caller leaves the field as it is: missing, null or empty. */
function readOptionalText(body: JsonObject, name: string): string | undefined {
  const text = readText(body, name)
  return text === '' ? undefined : text
}
