import { defineCron, type Job } from '#server/platform/jobs/job.ts'
import type { Platform } from '#server/platform/platform.ts'
import { keepLimits } from './keep-limits.ts'

/** Makes the parts of the next hours, and deletes old lines where no process writes many. */
export function logsJobs({ config, database, log }: Pick<Platform, 'config' | 'database' | 'log'>): Job[] {
  return [
    defineCron('keep_logs', { at: '9 * * * *', catchUpHours: 1 }, async () => {
      const run = <T>(work: Parameters<typeof database.asSystem<T>>[1]) =>
        database.asSystem('the log belongs to the instance', work)
      await keepLimits({ run, log, limits: config.storedLogs, wasFull: true })
    }),
  ]
}
