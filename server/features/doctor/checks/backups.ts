import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode } from '#server/platform/read-error.ts'
import { type Check, failed, notApplicable, ok, warning } from '../check.ts'
import { readBackups } from '../operation.queries.ts'

const hourMs = 3_600_000
/** A drill is made each week. */
const lateDrillHours = 9 * 24

export const backupChecks: readonly Check[] = [
  {
    id: 'backup',
    area: 'Files',
    title: 'Age of the last backup',
    remedy: 'Set BACKUP_EVERY_HOURS, or run `npm run backup` each day. See the guide “Backup and restore”.',
    run: async ({ config: { dataDir }, database, machine }) => {
      const noted = database ? await readBackups(database) : undefined
      if (noted?.backupProblem) return failed(`The last scheduled backup failed: ${noted.backupProblem}`)
      // Also what was copied there by other means.
      const at = await findLatestFile(join(dataDir, 'backups'))
      const ages = [noted?.backupHours ?? null, at === undefined ? null : (machine.now() - at) / hourMs]
      const hours = Math.min(...ages.filter((age) => age !== null))
      if (hours === Number.POSITIVE_INFINITY) return warning('No backup was made.')
      const days = Math.floor(hours / 24)
      if (days >= 7) return failed(`The last backup was made ${days} days ago.`)
      return days >= 2
        ? warning(`The last backup was made ${days} days ago.`)
        : ok('The last backup is less than two days old.')
    },
  },
  {
    id: 'restore-drill',
    area: 'Files',
    title: 'Restore drill',
    remedy: 'Run `npm run backup`, restore that archive into an empty instance, and read why the drill failed.',
    needsDatabase: true,
    run: async ({ config: { backup }, database }) => {
      if (backup.everyHours === null) return notApplicable('No backups are scheduled.')
      const { drillHours, drillProblem, firstBackupHours } = await readBackups(database)
      if (drillProblem) return failed(`The newest backup could not be restored: ${drillProblem}`)
      if (drillHours === null) {
        if ((firstBackupHours ?? 0) < lateDrillHours)
          return ok('The first drill is made within a week of the first backup.')
        return warning('No backup was ever restored.')
      }
      const days = Math.floor(drillHours / 24)
      if (drillHours > lateDrillHours) return warning(`The last drill was made ${days} days ago.`)
      return ok(`A backup was restored and compared ${days === 0 ? 'today' : `${days} days ago`}.`)
    },
  },
]

/** When the newest archive was changed, in milliseconds since 1970; undefined: there is none. */
async function findLatestFile(folder: string): Promise<number | undefined> {
  try {
    const names = (await readdir(folder)).filter((name) => !name.endsWith('.partial'))
    const times = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs))
    return times.length === 0 ? undefined : Math.max(...times)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}
