import type { Feature } from '#server/platform/feature.ts'
import type { KeyLookup } from '#server/platform/http/key-guard.ts'
import type { Platform } from '#server/platform/platform.ts'
import { apiKeysRoutes } from './api-keys.routes.ts'
import { createApiKeys } from './api-keys.service.ts'
import { createKeyCache } from './key-cache.ts'
import { createKeyUses } from './key-uses.ts'

export interface ApiKeysFeature extends Feature {
  /** How guards learn about keys. */
  readonly keyLookup: KeyLookup
}

/** Keys with which programs call the API of one project. */
export function createApiKeysFeature({ database, log }: Platform): ApiKeysFeature {
  const cache = createKeyCache(database)
  const uses = createKeyUses(database, log)
  return {
    name: 'api-keys',
    start: async ({ web }) => {
      if (!web) return
      await cache.listen()
      uses.start()
    },
    routes: (app) => apiKeysRoutes(app, createApiKeys(database)),
    keyLookup: {
      findKey: cache.find,
      noteUse: ({ id: keyId, organizationId }, ip) => uses.note({ organizationId, keyId, ip, atMs: Date.now() }),
    },
    stop: async () => {
      await cache.close()
      await uses.close()
    },
  }
}
