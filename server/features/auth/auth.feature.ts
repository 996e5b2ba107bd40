import type { Feature } from '#server/platform/feature.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Platform } from '#server/platform/platform.ts'
import { accountRoutes } from './account.routes.ts'
import { createAccounts } from './account.service.ts'
import { createAuthJobs } from './auth.jobs.ts'
import { authRoutes } from './auth.routes.ts'
import { type Auth, createAuth, getAuthServer } from './auth.service.ts'
import { sendRecovery } from './mailed-links/recovery-by-superadmin.ts'
import { rpcRoutes } from './rpc/rpc.routes.ts'

export interface AuthFeature extends Feature, Pick<Auth, 'verifyAccessToken'> {
  /** The key that browsers send along. Known once the feature has started. */
  readonly publishableKey: () => string
  readonly recovery: Recovery
}

/** Password resets that superadmins send. */
export interface Recovery {
  /** False: a Supabase project sends them. */
  readonly isOurs: boolean
  /** @throws ProductError `sign_in_elsewhere`, `rate_limited`. */
  send(email: string, client: Client): Promise<void>
}

/** Sign-in and accounts. A Supabase project, where one is configured, serves and prunes sign-in itself. */
export function createAuthFeature(platform: Platform): AuthFeature {
  const { config, database } = platform
  const isOurs = !config.supabase
  let auth: Auth | undefined
  const getAuth = () => {
    if (!auth) throw new Error('sign-in is used before it has started')
    return auth
  }
  return {
    name: 'auth',
    start: async ({ web }) => {
      if (web) auth = await createAuth(platform)
    },
    routes: async (app) => {
      accountRoutes(app, createAccounts(database))
      if (!isOurs) return
      await app.register(authRoutes, { prefix: '/auth/v1', auth: getAuth() })
      await app.register(rpcRoutes, { prefix: '/rest/v1/rpc', auth: getAuth() })
    },
    jobs: () => (isOurs ? createAuthJobs({ database, auditLogDays: config.auth.auditLogDays }) : []),
    recovery: {
      isOurs,
      send: async (email, client) => {
        if (!isOurs) throw new ProductError('sign_in_elsewhere')
        await sendRecovery(getAuthServer(getAuth()).parts, email, client)
      },
    },
    publishableKey: () => getAuth().publishableKey,
    verifyAccessToken: (token) => getAuth().verifyAccessToken(token),
  }
}
