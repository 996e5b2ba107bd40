import { createAdmission } from '#server/platform/admission/admission.ts'
import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Quotas } from '../quotas/quotas.service.ts'
import { createProofOfWork } from './abuse/proof-of-work.ts'
import { createRecentWords } from './abuse/recent-words.ts'
import { createCounters } from './counters.ts'
import { createIdentityKeys } from './identity.ts'
import { createOwnItems } from './own-items.service.ts'
import { widgetSettingsRoutes } from './settings/widget-settings.routes.ts'
import { createWidgetSettings } from './settings/widget-settings.service.ts'
import { widgetRoutes } from './widget.routes.ts'
import { createIngest, type Ingest, requireOpen } from './widget.service.ts'
import { readWidgetBuild } from './widget-build.ts'
import { createWidgetCache } from './widget-cache.ts'

export interface WidgetFeature extends Feature, Pick<Ingest, 'admit' | 'storeFromApi'> {
  readonly requireOpen: typeof requireOpen
}

/** What visitors' browsers load and send, and its settings. */
export function createWidgetFeature(
  { buckets, config, database, dispatch, log, readOnly, secret, metrics, widgetFolder, yielding }: Platform,
  { quotas }: { quotas: Pick<Quotas, 'require'> },
): WidgetFeature {
  const { appUrl } = config
  const widgets = createWidgetCache(database)
  const counters = createCounters(database, log, readOnly)
  const identityKeys = createIdentityKeys(secret.deriveKey)
  const ingest = createIngest({
    database,
    widgets,
    identityKeys,
    proofs: createProofOfWork(secret.deriveKey('proof of work')),
    recentWords: createRecentWords(),
    appUrl,
    yielding,
    dispatch,
  })
  return {
    name: 'widget',
    start: async ({ web }) => {
      if (!web) return
      await widgets.listen()
      counters.start()
    },
    routes: async (app) => {
      const build = await readWidgetBuild(widgetFolder)
      widgetSettingsRoutes(app, { settings: createWidgetSettings(database, build, identityKeys), build })
      await widgetRoutes(app, {
        ingest,
        admission: createAdmission({ maxRunning: 256, maxWaiting: 2_000, targetMs: 1_000, log }),
        ownItems: createOwnItems(database, identityKeys),
        widgets,
        counters,
        build,
        appUrl,
        metrics,
        quotas,
        ingestBuckets: buckets.perMinute('ingest', config.ingestRatePerMinute),
      })
    },
    admit: ingest.admit,
    storeFromApi: ingest.storeFromApi,
    requireOpen,
    stop: async () => {
      await ingest.drain()
      await counters.close()
      await widgets.close()
    },
  }
}
