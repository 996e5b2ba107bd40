import type { FastifyInstance } from 'fastify'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { type AuthParts, spendRequest } from '../auth-parts.ts'
import { readClient, sendSession } from '../auth-request.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { type JsonObject, readJsonObject, readQuery, readText } from '../protocol/request-body.ts'
import { refreshSession } from '../sessions/refresh.service.ts'
import { readDevice, recordDevice } from './known-device.ts'
import type { ProviderTokens } from './provider-tokens.ts'
import { type ExchangedCode, exchangeCode, signInWithPassword } from './sign-in.service.ts'

/** Sessions in exchange for a password, a code from a link, or a refresh token. */
export function tokenRoutes(app: FastifyInstance, parts: AuthParts): void {
  app.post('/token', { config: { evenReadOnly: 'people sign in and stay signed in' } }, async (request, reply) => {
    const client = readClient(request)
    await spendRequest(parts.limits.token, client)
    const body = readJsonObject(request.body)
    const grantType = readQuery(request.query, 'grant_type')
    const { grant, providerTokens } = await grantSession(grantType, body, {
      client,
      device: readDevice(parts, request),
    })
    if (grantType !== 'refresh_token') await recordDevice(parts, request, reply, grant.user.id)
    const session = await sendSession(parts, reply, grant)
    return { ...session, ...(providerTokens && toProviderJson(providerTokens)) }
  })

  async function grantSession(
    grantType: string,
    body: JsonObject,
    { client, device }: { client: Client; device: Buffer | undefined },
  ): Promise<ExchangedCode> {
    switch (grantType) {
      case 'password': {
        const email = readText(body, 'email')
        if (email === '') throw new AuthError('validation_failed', { message: 'missing email or phone' })
        const grant = await signInWithPassword(parts, { email, password: readText(body, 'password'), device, client })
        return { grant, providerTokens: undefined }
      }
      case 'refresh_token': {
        const token = readText(body, 'refresh_token')
        if (token === '') throw new AuthError('validation_failed', { message: 'refresh_token required' })
        return { grant: await refreshSession(parts, token, client), providerTokens: undefined }
      }
      case 'pkce': {
        const [code, verifier] = [readText(body, 'auth_code'), readText(body, 'code_verifier')]
        return exchangeCode(parts, { code, verifier, client })
      }
      default:
        throw new AuthError('invalid_credentials', { message: 'unsupported_grant_type' })
    }
  }
}

function toProviderJson({ accessToken, refreshToken }: ProviderTokens): Record<string, unknown> {
  return { provider_token: accessToken, ...(refreshToken !== undefined && { provider_refresh_token: refreshToken }) }
}
