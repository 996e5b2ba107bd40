import type { FailedJob } from '#contract/superadmin-monitoring.ts'
import type { Database } from '#server/platform/database/database.ts'
import { beginDownload, type CsvDownload } from '#server/platform/events/csv-download.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { scrubText } from '#server/platform/scrub/scrub-text.ts'
import * as queries from './failed-jobs.queries.ts'

const reason = 'superadmins see and change the job queue of the instance'
const pageSize = 50
/** Jobs that one transaction retries. */
const retriedAtOnce = 10_000
const longestError = 1000

export type FailedJobs = ReturnType<typeof createFailedJobs>

interface Filters {
  readonly search?: string
}

/** Jobs that failed at their last attempt: graphile-worker keeps them and never runs them again by itself. */
export function createFailedJobs(database: Database) {
  async function readPage(
    { search = '', sort }: Filters & { sort?: 'latest' | 'oldest' },
    after: queries.JobPlace | undefined,
    limit: number,
  ) {
    const wanted = { search: search.trim().toLowerCase(), isOldestFirst: sort === 'oldest', after, limit: limit + 1 }
    return database.asSystem(reason, async (tx) => {
      const found = await queries.listFailedJobs(tx, wanted)
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      return {
        jobs: page.map(toFailedJob),
        next: last && { failedAt: last.place, id: last.id },
        count: await queries.countFailedJobs(tx, wanted.search),
      }
    })
  }

  /** @throws ProductError `job_not_found`. */
  const actOn = (id: string, action: 'job.retried' | 'job.deleted', act: typeof queries.retryJob) =>
    database.asSystem(reason, async (tx) => {
      const name = isJobId(id) ? await queries.findFailedJob(tx, id) : undefined
      // Another superadmin may have retried it, and a worker taken it.
      if (name === undefined || (await act(tx, id)) === 0) throw new ProductError('job_not_found')
      await writeInstanceEntry(tx, { action, targetType: 'job', targetName: name, after: { id } })
      return { count: 1 }
    })

  return {
    /** @throws ProductError `validation_failed` for a foreign cursor. */
    list: async ({
      cursor,
      limit = pageSize,
      ...filters
    }: Filters & { sort?: 'latest' | 'oldest'; cursor?: string; limit?: number }) => {
      const { jobs, next, count } = await readPage(
        filters,
        cursor === undefined ? undefined : readCursor(cursor),
        limit,
      )
      return { items: jobs, count, nextCursor: next ? writeCursor(next) : null }
    },
    export: (filters: Filters & { sort?: 'latest' | 'oldest' }): Promise<CsvDownload> =>
      beginDownload<queries.JobPlace>(database, {
        name: 'Failed jobs',
        file: 'failed-jobs',
        filters,
        columns: ['id', 'job', 'attempts', 'last_error', 'created_at', 'failed_at'],
        read: async (after, limit) => {
          const { jobs, next } = await readPage(filters, after, limit)
          return {
            rows: jobs.map((job) => [job.id, job.name, job.attempts, job.lastError, job.createdAt, job.failedAt]),
            next,
          }
        },
      }),
    retry: (id: string) => actOn(id, 'job.retried', queries.retryJob),
    delete: (id: string) => actOn(id, 'job.deleted', queries.deleteJob),
    retryAll: ({ search = '' }: Filters) =>
      database.asSystem(reason, async (tx) => {
        const count = await queries.retryJobs(tx, search.trim().toLowerCase(), retriedAtOnce)
        if (count > 0) {
          const after = { count, search }
          await writeInstanceEntry(tx, { action: 'jobs.retried', targetType: 'job', targetName: 'Failed jobs', after })
        }
        return { count }
      }),
  }
}

/** Whether the text is a number that PostgreSQL's bigint can hold. */
function isJobId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text)
}

function toFailedJob(row: Awaited<ReturnType<typeof queries.listFailedJobs>>[number]): FailedJob {
  const { place: _, lastError, createdAt, failedAt, ...job } = row
  return {
    ...job,
    lastError: lastError === null ? null : scrubText(lastError).slice(0, longestError),
    createdAt: createdAt.toISOString(),
    failedAt: failedAt.toISOString(),
  }
}

function writeCursor({ failedAt, id }: queries.JobPlace): string {
  return Buffer.from(`${id} ${failedAt}`).toString('base64url')
}

function readCursor(cursor: string): queries.JobPlace {
  const match = /^([1-9]\d{0,17}) (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00)$/.exec(
    Buffer.from(cursor, 'base64url').toString(),
  )
  const [, id, failedAt] = match ?? []
  if (id === undefined || failedAt === undefined || Number.isNaN(Date.parse(failedAt))) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { id, failedAt }
}
