import { type Check, notApplicable, ok, type Verdict, warning } from '../check.ts'
import { readLogWriters } from '../operation.queries.ts'

const lateSeconds = 60

const notStored = (): Verdict => notApplicable('LOG_DAYS is 0: log lines are not stored.')

export const logChecks: readonly Check[] = [
  {
    id: 'log-lines-dropped',
    area: 'Database',
    title: 'Dropped log lines',
    remedy: 'Search the logs for what writes so many lines. Set LOG_LEVEL to `info`.',
    needsDatabase: true,
    run: async ({ config, database }) => {
      if (config.storedLogs.days === 0) return notStored()
      const { dropped } = await readLogWriters(database, { lateSeconds })
      if (dropped === 0) return ok('No log line was dropped.')
      return warning(`${dropped} log lines were dropped since processes started, the last within 24 hours.`)
    },
  },
  {
    id: 'log-writer-late',
    area: 'Database',
    title: 'Storing of log lines',
    remedy: 'Look at the standard output of the process, and at the load of the database. Restart the process.',
    needsDatabase: true,
    run: async ({ config, database }) => {
      if (config.storedLogs.days === 0) return notStored()
      const { late, lastError } = await readLogWriters(database, { lateSeconds })
      if (late === 0) return ok('All running processes store their log lines.')
      const problem = lastError === null ? '' : ` The last error: ${lastError}.`
      return warning(`${late} ${late === 1 ? 'process does' : 'processes do'} not store log lines in time.${problem}`)
    },
  },
  {
    id: 'log-size',
    area: 'Database',
    title: 'Size of the stored log',
    remedy: 'Raise LOG_MAX_MB, lower LOG_DAYS, or remove what writes so many lines.',
    needsDatabase: true,
    run: async ({ config, database }) => {
      if (config.storedLogs.days === 0) return notStored()
      const { deletedTo } = await readLogWriters(database, { lateSeconds })
      if (deletedTo === null) return ok(`Log lines are kept for ${config.storedLogs.days} days.`)
      return warning(`The stored log reached LOG_MAX_MB: lines before ${deletedTo.toISOString()} were deleted early.`)
    },
  },
]
