import type { FastifyInstance } from 'fastify'
import { getConfig, type PublicConfig } from '#contract/config.ts'
import type { Config } from './config.ts'
import { addRoute, answer } from './platform/http/add-route.ts'

/** The part of the configuration that browsers need. `publishableKey` is that of the auth server in use. */
export function toPublicConfig(config: Config, publishableKey: string): PublicConfig {
  return {
    supabaseUrl: config.supabase?.url ?? config.appUrl,
    supabaseAnonKey: config.supabase?.anonKey ?? publishableKey,
    appUrl: config.appUrl,
    appVersion: config.appVersion,
    googleSignIn: config.googleSignIn,
    testPayments: config.stripe?.isTest ?? false,
    ...config.public,
  }
}

export function publicConfigRoutes(app: FastifyInstance, publicConfig: PublicConfig): void {
  addRoute(app, getConfig, async () => answer(200, publicConfig, { 'cache-control': 'public, max-age=60' }))
}
