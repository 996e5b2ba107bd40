import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#server/config.ts'
import { findClusterAddress } from '#server/platform/embedded-postgres/cluster.ts'
import { lockDataDir } from '#server/platform/embedded-postgres/lock-data-dir.ts'
import { prepareDataDir } from '#server/platform/embedded-postgres/prepare-data-dir.ts'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start-postgres.ts'
import type { CleanUp } from '../launch/clean-up.ts'

/** How long to wait for the PostgreSQL of a starting product. */
const startingMs = 15_000

/**
 * URL of the product's database: DATABASE_URL, or the built-in one of a product running on the data folder, or else a
 * built-in one started here and handed to `cleanUp`.
 *
 * @throws StartError naming the problem
 */
export async function reachDatabase(config: Config, cleanUp: CleanUp): Promise<string> {
  if (config.databaseUrl !== null) return config.databaseDirectUrl ?? config.databaseUrl
  prepareDataDir(config.dataDir)
  const lock = await lockDataDir(config.dataDir).catch((error: unknown) => error)
  if (lock instanceof Error) return findRunning(config.dataDir, lock)
  // No error, so it is the lock.
  const { release } = lock as { release(): void }
  cleanUp.add({ stop: async () => release() })
  const starting = startEmbeddedPostgres(config.dataDir)
  cleanUp.add({ stop: async () => (await starting.catch(() => undefined))?.stop() })
  return (await starting).url
}

async function findRunning(dataDir: string, refusal: Error): Promise<string> {
  const { default: pg } = await import('pg')
  for (const giveUpAt = Date.now() + startingMs; ; await sleep(300)) {
    const url = findClusterAddress(dataDir)
    if (url !== undefined) {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
      client.on('error', () => {})
      const isThere = await client.connect().then(
        () => true,
        () => false,
      )
      await client.end().catch(() => {})
      if (isThere) return url
    }
    if (Date.now() > giveUpAt) {
      throw new StartError(`${refusal.message.replace(/\.?$/, '')} — and its database is unreachable.`)
    }
  }
}
