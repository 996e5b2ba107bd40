import { listSettings } from '#contract/superadmin-settings.ts'
import type { Feature } from '#server/platform/feature.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Platform } from '#server/platform/platform.ts'

/** The settings of this process, for superadmins. */
export function createSuperadminSettingsFeature({ config }: Pick<Platform, 'config'>): Feature {
  return {
    name: 'superadmin-settings',
    routes: (app) => addRoute(app, listSettings, async () => answer(200, { items: [...config.shownSettings] })),
  }
}
