import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '#server/config.ts'
import type { UpgradePlan } from '#server/platform/database/migrate.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { BackupBusyError, BackupError } from '../backup-error.ts'
import { floorBytes } from '../floor-bytes.ts'
import { type BackupOptions, type MadeBackup, makeBackup } from '../make-backup.ts'
import { openPlace } from '../places/open-place.ts'
import { connectAsOwner } from '../rows/owner-connection.ts'
import { readPendingUpgrade, writePendingUpgrade } from './pending-upgrade.ts'
import { pruneUpgradeArchives, removeUpgradeArchive, upgradeArchiveName } from './upgrade-archives.ts'

/** A backup that takes longer hangs. */
const busyPatienceMs = 3_600_000
const askAgainMs = 2_000

export interface UpgradeBackup {
  readonly location: string
  readonly startedAt: Date
  /** Undefined: it was made by an attempt before, which was interrupted when some migrations had run. */
  readonly made?: MadeBackup
}

/**
 * Backs up an instance that is about to be upgraded, unless it has no accounts yet, the setting says otherwise or accounts belong to a
 * Supabase project.
 *
 * @throws BackupError when no backup can be made. Nothing was changed then.
 */
export async function backUpBeforeUpgrade(
  { state, pending }: UpgradePlan,
  { config, ownerUrl, onProgress }: { config: Config; ownerUrl: string } & Pick<BackupOptions, 'onProgress'>,
): Promise<UpgradeBackup | undefined> {
  if (!config.backup.beforeUpgrade || config.supabase !== null) return undefined
  if (!(await hasAccounts(ownerUrl).catch(refuse))) return undefined
  const from = state.migrations.at(-1)?.name ?? ''
  const to = pending.migrations.at(-1)?.name ?? from
  const earlier = await readPendingUpgrade(config.dataDir)
  const isSame = earlier?.to === to
  // The version before no longer starts on this database, so nothing but migrations has changed it since.
  if (earlier && isSame && from > earlier.from) {
    return { location: earlier.location, startedAt: new Date(earlier.startedAt) }
  }
  const startedAt = new Date()
  const made = await makeOne({ config, ownerUrl, to, onProgress })
  await writePendingUpgrade(config.dataDir, { from, to, location: made.location, startedAt: startedAt.toISOString() })
  // Of an attempt that changed nothing: its backup is replaced, or a start that fails again and again would fill the disk.
  if (earlier && isSame) await removeUpgradeArchive(earlier.location, config.s3)
  await pruneUpgradeArchives(config.backup.to, config.s3)
  return { location: made.location, startedAt, made }
}

async function makeOne(options: {
  config: Config
  ownerUrl: string
  to: string
  onProgress: BackupOptions['onProgress']
}): Promise<MadeBackup> {
  const { config, ownerUrl, to, onProgress } = options
  for (const giveUpAt = Date.now() + busyPatienceMs; ; await pause(askAgainMs)) {
    try {
      return await makeBackup({
        url: ownerUrl,
        storage: openStorage(config),
        dataDir: config.dataDir,
        appVersion: config.appVersion,
        passphrase: config.backup.passphrase,
        openTarget: (estimatedBytes, createdAt) =>
          openPlace(config.backup.to + upgradeArchiveName(createdAt, to), {
            s3: config.s3,
            estimatedBytes,
            floorBytes: floorBytes(config),
            createdAt,
            stdout: process.stdout,
          }),
        ...(onProgress && { onProgress }),
      })
    } catch (error) {
      if (error instanceof BackupBusyError && Date.now() < giveUpAt) continue
      refuse(error)
    }
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof BackupError)) throw error
  throw new BackupError(
    `The upgrade needs a backup first, and nothing was changed: ${error.message} If you have a backup of your own, set UPGRADE_BACKUP=off.`,
  )
}

/** A first start that was interrupted has none, and maybe no table for them. */
async function hasAccounts(ownerUrl: string): Promise<boolean> {
  const client = await connectAsOwner(ownerUrl)
  try {
    const { rows: found } = await client.query<{ isThere: boolean }>(
      `select to_regclass('auth.users') is not null as "isThere"`,
    )
    if (!found[0]?.isThere) return false
    const { rows } = await client.query('select from auth.users limit 1')
    return rows.length > 0
  } finally {
    await client.end()
  }
}
