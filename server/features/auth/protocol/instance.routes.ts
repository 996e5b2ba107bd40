import type { FastifyInstance } from 'fastify'
import type { AuthParts } from '../auth-parts.ts'
import { describeSettings, healthJson } from './settings-json.ts'

/** Health, settings and public keys of the auth server. */
export function instanceRoutes(app: FastifyInstance, parts: Pick<AuthParts, 'keys' | 'settings'>): void {
  app.get('/health', async () => healthJson)
  app.get('/settings', async () => describeSettings(parts.settings))
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=600')
    return parts.keys.publicJwks
  })
}
