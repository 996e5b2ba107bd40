import { getOverview } from '#contract/superadmin-overview.ts'
import type { Feature } from '#server/platform/feature.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createOverviewReader } from './overview.service.ts'

/** The first screen of superadmins: health, what needs attention, growth. */
export function createSuperadminOverviewFeature({ config, database, log }: Platform): Feature {
  return {
    name: 'superadmin-overview',
    routes: (app, { checks }) => {
      const read = createOverviewReader({ database, dataDir: config.dataDir, log, checks })
      addRoute(app, getOverview, async () => answer(200, await read()))
    },
  }
}
