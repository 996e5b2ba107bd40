import type { Config } from '#server/config.ts'
import type { UpgradeBackup } from '#server/features/backup/upgrade/back-up-before-upgrade.ts'
import { type MigrateOptions, migrate, type UpgradeStep } from '#server/platform/database/migrate.ts'

interface UpgradeOptions {
  readonly config: Config
  /** Address of the database, as the login that owns it. */
  readonly ownerUrl: string
  readonly log: MigrateOptions['log']
  /** Prints a line for the person who waits. */
  tell(line: string): void
}

/**
 * Brings the database to this version, after a backup. Costs one query when there is nothing to do.
 *
 * @throws Error whose message is one line for the operator
 */
export async function upgradeDatabase(
  options: UpgradeOptions,
): Promise<{ applied: string[]; backup: UpgradeBackup | undefined }> {
  const { config, ownerUrl, log, tell } = options
  let backup: UpgradeBackup | undefined
  let isUpgrade = false
  let total = 0
  let done = 0
  const { applied } = await migrate({
    url: ownerUrl,
    log,
    skipAuth: config.supabase !== null,
    appVersion: config.appVersion,
    beforeUpgrade: async (plan) => {
      isUpgrade = true
      total = plan.pending.migrations.length
      backup = await prepare(plan, options)
      tell(`Migrating the database: ${total} ${total === 1 ? 'migration' : 'migrations'} …`)
    },
    onStep: (step) => {
      if (step.kind === 'queued') tell(`${step.reason.replace(/^a/, 'A')} …`)
      if (!isUpgrade || step.kind === 'queued') return
      if (step.kind === 'done') done += 1
      const line = describeStep(step, `${done + (step.kind === 'done' ? 0 : 1)} of ${total}`)
      if (line !== undefined) tell(line)
    },
  })
  if (isUpgrade) await finish(options, backup)
  return { applied, backup }
}

async function prepare(
  plan: Parameters<NonNullable<MigrateOptions['beforeUpgrade']>>[0],
  { config, ownerUrl, tell }: UpgradeOptions,
): Promise<UpgradeBackup | undefined> {
  const [{ backUpBeforeUpgrade }, { requireRoomForRewrites }, { showProgress, formatBytes }] = await Promise.all([
    import('#server/features/backup/upgrade/back-up-before-upgrade.ts'),
    import('./require-room.ts'),
    import('../backup/progress.ts'),
  ])
  await requireRoomForRewrites(plan, config, ownerUrl)
  const progress = showProgress({ write: (line) => tell(line.trimEnd()) })
  const backup = await backUpBeforeUpgrade(plan, {
    config,
    ownerUrl,
    onProgress: ({ step, bytes, expectedBytes }) =>
      progress(step === 'write' ? 'Writing the backup' : 'Verifying the backup', bytes, expectedBytes),
  })
  if (backup?.made) tell(`Backup made before the upgrade: ${backup.location} (${formatBytes(backup.made.bytes)}).`)
  else if (backup) tell(`The upgrade was interrupted and continues. Its backup is ${backup.location}.`)
  return backup
}

/** Short ones stay silent. */
function describeStep(step: Exclude<UpgradeStep, { kind: 'queued' }>, position: string): string | undefined {
  if (step.kind === 'waiting') {
    const { file, attempt, blocker } = step.waiting
    return attempt % 5 === 1 ? `${file} waits for a lock, ${blocker}.` : undefined
  }
  if (step.kind === 'running') {
    return `${step.name} (${position}) has been running for ${step.seconds} s${step.detail && `: ${step.detail}`}`
  }
  return step.durationMs < 1_000 ? undefined : `${step.name} (${position}): ${(step.durationMs / 1000).toFixed(1)} s`
}

async function finish({ config, ownerUrl, log, tell }: UpgradeOptions, backup: UpgradeBackup | undefined) {
  const [{ endPendingUpgrade }, { noteBackup }] = await Promise.all([
    import('#server/features/backup/upgrade/pending-upgrade.ts'),
    import('#server/features/backup/note-backup.ts'),
  ])
  await endPendingUpgrade(config.dataDir)
  if (backup?.made) {
    // A backup that is not noted is still there.
    await noteBackup(ownerUrl, backup.made, backup.startedAt, 'a backup was made before an upgrade').catch(
      (error: unknown) => log.warn({ err: error }, 'the backup could not be noted for the doctor'),
    )
  }
  tell('The database is up to date.')
}
