import { statfs } from 'node:fs/promises'
import type { Config } from '#server/config.ts'
import { BackupError } from '#server/features/backup/backup-error.ts'
import { floorBytes } from '#server/features/backup/floor-bytes.ts'
import { describePlan } from '#server/platform/database/describe-plan.ts'
import type { UpgradePlan } from '#server/platform/database/migrate.ts'
import { formatBytes } from '../backup/progress.ts'

/** A table that is rewritten needs its room twice. Of a server of one's own, no one here knows the disk. @throws BackupError */
export async function requireRoomForRewrites(plan: UpgradePlan, config: Config, ownerUrl: string): Promise<void> {
  if (config.databaseUrl !== null) return
  const { rewrittenBytes } = await describePlan(plan, ownerUrl)
  if (rewrittenBytes === 0) return
  const { bavail, bsize } = await statfs(config.dataDir)
  const needed = rewrittenBytes + floorBytes(config)
  if (bavail * bsize >= needed) return
  throw new BackupError(
    `The upgrade rewrites tables of ${formatBytes(rewrittenBytes)}, and nothing was changed: it needs ${formatBytes(needed)} of free space in ${config.dataDir}, where ${formatBytes(bavail * bsize)} are free. Free space, and start again.`,
  )
}
