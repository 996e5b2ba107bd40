import { findReadOnlyMode } from '#server/platform/read-only/read-only.queries.ts'
import { type Check, failed, ok, warning } from '../check.ts'
import { listVersions, readJobs } from '../operation.queries.ts'

const stuckAfterSeconds = 600
const deadAfterSeconds = 3600

const longReadOnlyHours = 4

export const jobChecks: readonly Check[] = [
  {
    id: 'read-only',
    area: 'Jobs',
    title: 'Read-only mode',
    remedy: 'End it in Superadmin → Maintenance, or with `npm run maintenance -- off`, once the maintenance is over.',
    needsDatabase: true,
    run: async ({ database }) => {
      const mode = await findReadOnlyMode(database)
      if (!mode) return ok('The instance takes writes.')
      const hours = (Date.now() - mode.since.getTime()) / 3_600_000
      const sentence = `${mode.turnedOnBy} made the instance read-only ${Math.floor(hours)} hours ago.`
      return hours > longReadOnlyHours ? warning(sentence) : ok(sentence)
    },
  },
  {
    id: 'worker',
    area: 'Jobs',
    title: 'Worker',
    remedy: 'Start a process with the service worker (SERVICES=web,worker or SERVICES=worker).',
    needsDatabase: true,
    run: async ({ database }) => {
      const { workers } = await readJobs(database)
      if (workers > 0) return ok('A worker reported within the last minute.')
      return failed('No worker reported within the last minute: emails, exports and integrations wait.')
    },
  },
  {
    id: 'queue-stuck',
    area: 'Jobs',
    title: 'Waiting jobs',
    remedy: 'Start more workers. If they are idle, restart them and look for errors in their log.',
    needsDatabase: true,
    run: async ({ database }) => {
      const { waiting, oldestSeconds } = await readJobs(database)
      if (waiting === 0) return ok('No job waits.')
      if (await findReadOnlyMode(database)) return ok(`${waiting} jobs wait until the instance takes writes again.`)
      const sentence = `${waiting} jobs wait, the oldest for ${Math.round(oldestSeconds / 60)} minutes.`
      if (oldestSeconds > deadAfterSeconds) return failed(sentence)
      return oldestSeconds > stuckAfterSeconds ? warning(sentence) : ok(sentence)
    },
  },
  {
    id: 'failed-jobs',
    area: 'Jobs',
    title: 'Failed jobs',
    remedy: 'Read their errors in monitoring, remove the cause, then retry or delete them.',
    needsDatabase: true,
    run: async ({ database }) => {
      const { failed: count } = await readJobs(database)
      if (count === 0) return ok('No job failed.')
      return warning(`${count} ${count === 1 ? 'job' : 'jobs'} failed at the last attempt.`)
    },
  },
  {
    id: 'process-versions',
    area: 'Jobs',
    title: 'Versions of processes',
    remedy: 'Finish the upgrade: restart the processes of the old version.',
    needsDatabase: true,
    run: async ({ database }) => {
      const versions = await listVersions(database)
      if (versions.length < 2) return ok('All processes have the same version.')
      return warning(`Processes of the versions ${versions.join(' and ')} run side by side.`)
    },
  },
]
