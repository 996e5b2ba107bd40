import { findClusterAddress } from './cluster.ts'
import { hasCluster } from './exchange-cluster.ts'
import { lockDataDir } from './lock-data-dir.ts'
import { StartError } from './start-error.ts'
import { startEmbeddedPostgres } from './start-postgres.ts'

/** A built-in PostgreSQL for a while. */
export interface BorrowedPostgres {
  /** URL of the product's database, as superuser. */
  readonly url: string
  /** Stops it, if it was started for the caller. */
  stop(): Promise<void>
}

/**
 * The built-in PostgreSQL of a data folder: that of the running product, or else one that is started.
 *
 * @throws StartError when Earshot was never started there, is just starting, or PostgreSQL can't run.
 */
export async function borrowPostgres(dataDir: string): Promise<BorrowedPostgres> {
  if (!hasCluster(dataDir)) throw new StartError('Earshot was not started here yet')
  const lock = await lockDataDir(dataDir).catch(() => undefined)
  if (!lock) {
    const url = findClusterAddress(dataDir)
    if (url === undefined) throw new StartError('Earshot is just starting')
    return { url, stop: async () => {} }
  }
  return startLocked(dataDir, lock)
}

/** Starts the built-in PostgreSQL of a data folder whose lock the caller has, which it then gives away. */
export async function startLocked(dataDir: string, lock: { release(): void }): Promise<BorrowedPostgres> {
  try {
    const postgres = await startEmbeddedPostgres(dataDir)
    return {
      url: postgres.url,
      stop: async () => {
        await postgres.stop()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
