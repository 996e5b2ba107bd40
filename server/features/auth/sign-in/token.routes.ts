import type { FastifyInstance } from 'fastify'
import { type AuthParts, type Client, spendRequest } from '../auth-parts.ts'
import { readClient, sendSession } from '../auth-request.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { type JsonObject, readJsonObject, readQuery, readText } from '../protocol/request-body.ts'
import { refreshSession } from '../sessions/refresh.service.ts'
import type { SessionGrant } from '../sessions/session.service.ts'
import { exchangeCode, signInWithPassword } from './sign-in.service.ts'

/** Sessions in exchange for what proves who asks: a password, a code that a link brought, an earlier session. */
export function tokenRoutes(app: FastifyInstance, parts: AuthParts): void {
  app.post('/token', async (request, reply) => {
    const client = readClient(request)
    await spendRequest(parts.limits.token, client)
    const body = readJsonObject(request.body)
    return sendSession(parts, reply, await grantSession(readQuery(request.query, 'grant_type'), body, client))
  })

  async function grantSession(grantType: string, body: JsonObject, client: Client): Promise<SessionGrant> {
    switch (grantType) {
      case 'password': {
        const email = readText(body, 'email')
        if (email === '') throw new AuthError('validation_failed', { message: 'missing email or phone' })
        return signInWithPassword(parts, { email, password: readText(body, 'password'), client })
      }
      case 'refresh_token': {
        const token = readText(body, 'refresh_token')
        if (token === '') throw new AuthError('validation_failed', { message: 'refresh_token required' })
        return refreshSession(parts, token, client)
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
