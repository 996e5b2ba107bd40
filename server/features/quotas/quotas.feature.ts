import { getStorageUsage } from '#contract/quotas.ts'
import type { Feature } from '#server/platform/feature.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createDiskFloor } from './disk-floor.ts'
import { createFileUsage } from './file-usage.ts'
import { createFullQuotas } from './full-quotas.ts'
import { createLimits } from './limits.ts'
import { createQuotas, type Quotas } from './quotas.service.ts'

export interface QuotasFeature extends Feature {
  readonly quotas: Quotas
}

/** Room on the disk, and limits of organisations: what may be written, and how much is used. */
export function createQuotasFeature({ config, database, log }: Platform): QuotasFeature {
  const quotas = createQuotas({
    database,
    disk: createDiskFloor(config, log),
    findLimits: createLimits(config),
    findFileUsage: createFileUsage(database),
    fullQuotas: createFullQuotas(database),
  })
  return {
    name: 'quotas',
    routes: (app) => {
      addRoute(app, getStorageUsage, async ({ params, caller }) =>
        answer(200, await quotas.readUsage(caller.actor, params.organizationId)),
      )
    },
    quotas,
  }
}
