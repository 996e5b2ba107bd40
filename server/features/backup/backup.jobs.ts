import type { Config } from '#server/config.ts'
import { findClusterAddress } from '#server/platform/embedded-postgres/cluster.ts'
import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import type { Platform } from '#server/platform/platform.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { queueEmail, renderBackupAlert } from '../mail/mail.service.ts'
import { BackupBusyError } from './backup-error.ts'
import * as queries from './backup-runs.queries.ts'
import { floorBytes } from './floor-bytes.ts'
import { type Outcome, runApart } from './scheduled/run-apart.ts'

type Kind = queries.BackupRun['kind']
type Parts = Pick<Platform, 'config' | 'database' | 'log' | 'readOnly' | 'stopping'>

const reason = 'backups are of the whole instance'
/** The hourly job begins within this time. */
const toleranceMinutes = 30
const maxProblemCharacters = 1_000

/** Makes backups as often as the settings say, and restores the newest one into a scratch database each week. */
export function createBackupJobs(parts: Parts): Job[] {
  const { everyHours } = parts.config.backup
  if (everyHours === null) return []
  return [
    // Each hour: after a failure, the next attempt is an hour later. One job at a time, in whatever process.
    defineCron(
      'make_backup',
      { at: '23 * * * *', catchUpHours: 1 },
      async () => {
        const minutes = everyHours * 60 - toleranceMinutes
        const isDone = await parts.database.asSystem(reason, (tx) => queries.hasRecentRun(tx, 'backup', minutes))
        if (!isDone) await run('backup', parts)
      },
      { evenReadOnly: 'it reads; a backup is what maintenance often begins with' },
    ),
    defineCron('drill_restore', { at: '53 4 * * 0', catchUpHours: 7 * 24 - 1 }, () => run('drill', parts), {
      evenReadOnly: 'it reads, and writes into a scratch database',
    }),
  ]
}

/** A failure is noted and told, and not thrown: the next moment of the schedule is the retry. */
async function run(kind: Kind, parts: Parts): Promise<void> {
  const { config, log, readOnly, stopping } = parts
  const startedAt = new Date()
  // While the instance is read-only no archive is deleted: it may be the one from before an upgrade that goes wrong.
  const keep = readOnly.current() ? null : config.backup.keep
  const ended = await attempt(kind, config, keep, stopping).catch((error: unknown) => {
    // The server stops: the job runs again elsewhere.
    stopping.throwIfAborted()
    if (error instanceof BackupBusyError) return undefined
    return { problem: readErrorMessage(error).slice(0, maxProblemCharacters) }
  })
  if (!ended) return
  if ('problem' in ended) log.error({ kind, problem: ended.problem }, 'a scheduled backup or drill failed')
  const problem = 'problem' in ended ? ended.problem : null
  const outcome = 'problem' in ended ? { location: null, bytes: null, rowCount: null, fileCount: null } : ended
  await noteAndTell(parts, { kind, isScheduled: true, startedAt, ...outcome, problem })
}

async function attempt(
  kind: Kind,
  config: Parts['config'],
  keep: number | null,
  stopping: AbortSignal,
): Promise<Outcome> {
  const { dataDir, s3, appVersion, backup } = config
  return runApart(
    {
      kind,
      ownerUrl: findOwnerUrl(config),
      dataDir,
      s3,
      appVersion,
      folder: backup.to,
      passphrase: backup.passphrase,
      keep,
      floorBytes: floorBytes(config),
    },
    stopping,
  )
}

/** The built-in database, or the configured one, as the login that owns it. */
function findOwnerUrl(config: Config & { databaseUrl: string }): string {
  const source = config.shownSettings.find(({ name }) => name === 'DATABASE_URL')?.source
  const isBuiltIn = source === 'generated' || source === 'default'
  const own = isBuiltIn ? findClusterAddress(config.dataDir) : undefined
  return config.databaseMigrationUrl ?? own ?? config.databaseUrl
}

/** State and emails are of one transaction: each failure is told once, and once more when it is over. */
function noteAndTell({ database, config }: Parts, run: queries.BackupRun): Promise<void> {
  return database.asSystem(reason, async (tx) => {
    const before = await queries.findLastRun(tx, run.kind)
    await queries.insertRun(tx, run)
    if ((before?.problem ?? null) === null ? run.problem === null : run.problem !== null) return
    const mail = renderBackupAlert({ kind: run.kind, problem: run.problem, appUrl: config.appUrl })
    for (const to of await queries.listSuperadminEmails(tx)) await queueEmail(tx, to, mail)
  })
}
