import type { Config } from '#server/config.ts'
import { BackupError } from '#server/features/backup/backup-error.ts'
import {
  type BorrowedPostgres,
  borrowPostgres,
  startLocked,
} from '#server/platform/embedded-postgres/borrow-postgres.ts'
import { hasCluster } from '#server/platform/embedded-postgres/exchange-cluster.ts'
import { lockDataDir } from '#server/platform/embedded-postgres/lock-data-dir.ts'
import { prepareDataDir } from '#server/platform/embedded-postgres/prepare-data-dir.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'

/** The instance's database as the login that owns it, whether Earshot runs or not. @throws BackupError */
export async function reachInstance(
  config: Config,
  purpose: 'back up' | 'upgrade' = 'back up',
): Promise<BorrowedPostgres> {
  if (purpose === 'back up') refuseSupabase(config)
  if (config.databaseUrl !== null) {
    return { url: config.databaseMigrationUrl ?? config.databaseUrl, stop: async () => {} }
  }
  if (!hasCluster(config.dataDir)) {
    throw new BackupError(
      `There is nothing to ${purpose}: Earshot was not started on ${config.dataDir} yet. Set DATA_DIR.`,
    )
  }
  return borrowPostgres(config.dataDir).catch((error: unknown) => {
    throw new BackupError(`The built-in database can’t be reached: ${readErrorMessage(error).replace(/\.$/, '')}.`)
  })
}

/** The database into which a backup is restored; the built-in one is created. @throws BackupError */
export async function reachEmptyInstance(config: Config): Promise<BorrowedPostgres> {
  refuseSupabase(config)
  prepareDataDir(config.dataDir)
  if (config.databaseUrl !== null) {
    return { url: config.databaseMigrationUrl ?? config.databaseUrl, stop: async () => {} }
  }
  return startLocked(config.dataDir, await lockDataDir(config.dataDir))
}

function refuseSupabase({ supabase }: Config): void {
  if (supabase === null) return
  throw new BackupError(
    'With SUPABASE_URL, accounts belong to the Supabase project: use its own backups for the database, and copy the files.',
  )
}
