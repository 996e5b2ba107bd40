import { downloadSupportBundle, listSettings } from '#contract/superadmin-settings.ts'
import { migrationsFolder, readMigrationFiles } from '#server/platform/database/migration-files.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import type { Feature } from '#server/platform/feature.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { LogsFeature } from '../logs/logs.feature.ts'
import { describeDatabase } from './superadmin-settings.queries.ts'
import { type BundlePart, makeSupportBundle } from './support-bundle.ts'

/** The settings of this process, and a bundle of what support needs to know, for superadmins. */
export function createSuperadminSettingsFeature(
  { config, database, log }: Pick<Platform, 'config' | 'database' | 'log'>,
  { readLatestLines }: Pick<LogsFeature, 'readLatestLines'>,
): Feature {
  /** A new part is a line here. Each reads what it needs when the bundle is asked for. */
  const parts: readonly BundlePart[] = [
    { fileName: 'settings.json', read: async () => config.shownSettings },
    {
      fileName: 'versions.json',
      read: async () => ({
        earshot: config.appVersion,
        node: process.versions.node,
        system: `${process.platform} ${process.arch}`,
      }),
    },
    {
      fileName: 'health.json',
      read: async () => ({
        uptimeSeconds: Math.round(process.uptime()),
        memoryBytes: process.memoryUsage(),
        connections: database.connections(),
      }),
    },
    {
      fileName: 'migrations.json',
      // A server with a migration to run does not start, so these have run.
      read: async () => (await readMigrationFiles(migrationsFolder)).map(({ name, checksum }) => `${name} ${checksum}`),
    },
    { fileName: 'database.json', read: () => describeDatabase(database) },
    { fileName: 'logs.ndjson', read: readLatestLines },
  ]

  return {
    name: 'superadmin-settings',
    routes: (app) => {
      addRoute(app, listSettings, async () => answer(200, { items: [...config.shownSettings] }))
      addRoute(app, downloadSupportBundle, async () => {
        const bundle = await makeSupportBundle(parts)
        // A bundle is for when something is broken: a database that is away keeps no one from it, and has no entry.
        await database
          .asSystem('downloads of superadmins are recorded', (tx) =>
            writeInstanceEntry(tx, {
              action: 'support_bundle.downloaded',
              targetType: 'instance',
              targetName: 'Support bundle',
              after: { bytes: bundle.length },
            }),
          )
          .catch((error: unknown) => log.error({ err: error }, 'a download of the support bundle was not recorded'))
        // Bytes are sent as they are; the contract can only call them text.
        return answer(200, bundle as unknown as string, {
          'content-type': 'application/zip',
          'content-disposition': 'attachment; filename="earshot-support.zip"',
          'cache-control': 'no-store',
        })
      })
    },
  }
}
