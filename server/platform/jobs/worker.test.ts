import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { openDatabase } from '../database/database.ts'
import { createLog } from '../log/log.ts'
import { deleteInBatches } from './delete-in-batches.ts'
import { defineCron, defineJob } from './job.ts'
import { freePredecessors } from './other-workers.queries.ts'
import { startWorker, type Worker } from './worker.ts'

const log = createLog({ level: 'silent' })
let database: Required<TestDatabase>
let sql: pg.Pool
let workers: Worker[] = []
let runs = 0
/** Connected to the server, not to the database of the test. */
let server: pg.Client
const count = defineJob('count', Type.Unknown(), async () => {
  runs += 1
})

beforeAll(async () => {
  server = new pg.Client({ connectionString: inject('databaseServerUrl') })
  await server.connect()
})
afterAll(() => server.end())
beforeEach(async () => {
  database = await createTestDatabase()
  sql = new pg.Pool({ connectionString: database.url, max: 1 })
  sql.on('error', () => {})
  runs = 0
})
afterEach(async () => {
  await stopAll()
  await sql.end()
  await database.drop()
})

async function stopAll(): Promise<void> {
  await Promise.all(workers.map((worker) => worker.stop()))
  workers = []
}

/** Two, as two processes would run. */
async function startBoth(): Promise<void> {
  const nightly = defineCron('nightly', { at: '0 3 * * *', catchUpHours: 24 }, async () => {
    runs += 1
  })
  const start = () => startWorker({ url: database.appUrl, log, jobs: [nightly], concurrency: 1 })
  workers = await Promise.all([start(), start()])
}

async function moveLastRun(to: string): Promise<void> {
  await sql.query(
    `update graphile_worker._private_known_crontabs set known_since = now() - interval '30 days', last_execution = ${to}`,
  )
}

describe('a job that runs by itself', () => {
  it('makes up for a missed night once, whichever of two workers does it', async () => {
    await startBoth()
    await pause(300)
    expect(runs).toBe(0)
    await stopAll()
    await moveLastRun("now() - interval '9 days'")
    await startBoth()
    await expect.poll(() => runs).toBe(1)
    await pause(300)
    expect(runs).toBe(1)
    const { rows } = await sql.query('select from graphile_worker.jobs')
    expect(rows).toHaveLength(0)
  })

  it('does not run again after a restart', async () => {
    await startBoth()
    await stopAll()
    await moveLastRun('now()')
    await startBoth()
    await pause(500)
    expect(runs).toBe(0)
  })
})

describe('a job that fails', () => {
  it('is logged by name and error, without its payload', async () => {
    const lines: string[] = []
    const loud = createLog({ level: 'error', destination: { write: (line) => lines.push(line) } })
    const failing = defineJob('failing', Type.Object({ message: Type.String() }), async () => {
      throw new Error('out of luck')
    })
    workers = [await startWorker({ url: database.appUrl, log: loud, jobs: [failing], concurrency: 1 })]
    await sql.query(`select app.enqueue_job('failing', '{"message": "private words"}')`)
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      job: { name: 'failing', attempt: 1 },
      err: { message: 'out of luck' },
    })
    expect(lines.join('')).not.toContain('private words')
  })
})

describe('check', () => {
  it('does not take a living worker for dead when the clock is set forward', async () => {
    await startBoth()
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    await expect(workers[0]?.check()).resolves.toBeUndefined()
    vi.restoreAllMocks()
  })
})

/** Queues a job as the product does. */
async function enqueue(name: string): Promise<void> {
  await sql.query('select graphile_worker.add_job($1)', [name])
}

async function countJobs(): Promise<number> {
  const { rows } = await sql.query<{ count: string }>('select count(*) from graphile_worker.jobs')
  return Number(rows[0]?.count)
}

describe('a job whose worker is gone', () => {
  const heartbeatMs = 100

  it('runs again when its worker has missed its heartbeats', async () => {
    await enqueue('count')
    await sql.query(`update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now()`)
    await sql.query(`insert into app.job_workers (worker_id) values ('killed')`)
    const startedAt = performance.now()
    workers = [await startWorker({ url: database.appUrl, log, jobs: [count], concurrency: 1, heartbeatMs })]
    await expect.poll(() => runs).toBe(1)
    expect(performance.now() - startedAt).toBeGreaterThan(3 * heartbeatMs)
  })

  it('runs at once in the successor that its keeper started, and others’ jobs are left alone', async () => {
    const [keeperId, otherKeeperId] = [randomUUID(), randomUUID()]
    await sql.query(
      `insert into app.job_workers (worker_id, keeper_id) values ('killed', $1), ('other', $2), ('alone', null)`,
      [keeperId, otherKeeperId],
    )
    for (const owner of ['killed', 'other', 'alone']) {
      await enqueue('count')
      await sql.query(
        'update graphile_worker._private_jobs set locked_by = $1, locked_at = now() where locked_by is null',
        [owner],
      )
    }
    const own = openDatabase({ url: database.appUrl, log, maxConnections: 1 })
    try {
      await freePredecessors(own, keeperId)
    } finally {
      await own.close()
    }
    workers = [await startWorker({ url: database.appUrl, log, jobs: [count], concurrency: 1, keeperId })]
    await expect.poll(() => runs).toBe(1)
    await expect.poll(countJobs).toBe(2)
    const { rows } = await sql.query('select locked_by from graphile_worker._private_jobs order by 1')
    expect(rows).toEqual([{ locked_by: 'alone' }, { locked_by: 'other' }])
    const registered = await sql.query('select count(*) from app.job_workers where keeper_id = $1', [keeperId])
    expect(registered.rows).toEqual([{ count: '1' }])
  })

  it('is left to a living worker, however long it takes', async () => {
    let slowRuns = 0
    const slow = defineJob('slow', Type.Unknown(), async () => {
      slowRuns += 1
      await pause(12 * heartbeatMs)
    })
    const start = () => startWorker({ url: database.appUrl, log, jobs: [slow, count], concurrency: 1, heartbeatMs })
    workers = await Promise.all([start(), start()])
    await enqueue('slow')
    await pause(8 * heartbeatMs)
    // Wakes the idle worker, which takes the oldest job that is free.
    await enqueue('count')
    await expect.poll(countJobs).toBe(0)
    expect({ slowRuns, runs }).toEqual({ slowRuns: 1, runs: 1 })
  })
})

describe('a worker that lost its database', () => {
  const name = () => new URL(database.url).pathname.slice(1)

  /** No connection works, and none can be made. */
  async function takeAway(): Promise<void> {
    await server.query(`alter database ${name()} allow_connections false`)
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name()])
  }

  it('continues when it is back, and records the job that ended meanwhile as done or runs it again', async () => {
    const fragile = defineJob('count', Type.Unknown(), async () => {
      runs += 1
      if (runs === 1) await takeAway()
    })
    workers = [await startWorker({ url: database.appUrl, log, jobs: [fragile], concurrency: 2, heartbeatMs: 100 })]
    await enqueue('count')
    await expect.poll(() => runs).toBe(1)
    await pause(300)
    await server.query(`alter database ${name()} allow_connections true`)
    sql = new pg.Pool({ connectionString: database.url, max: 1 })
    await enqueue('count')
    await expect.poll(countJobs).toBe(0)
    expect(runs).toBeGreaterThanOrEqual(2)
    await expect.poll(() => workers[0]?.check()).toBeUndefined()
  })
})

describe('a job whose record was lost when the database crashed', () => {
  it('runs, although the worker that holds it lives', async () => {
    workers = [await startWorker({ url: database.appUrl, log, jobs: [count], concurrency: 1 })]
    // Its first heartbeat is written after its start.
    await expect.poll(async () => (await sql.query('select from app.job_workers')).rowCount).toBe(1)
    await sql.query(`select graphile_worker.add_job('count', run_at => now() + interval '1 day')`)
    await sql.query(
      `update graphile_worker._private_jobs set run_at = now(), locked_at = now(),
         locked_by = (select worker_id from app.job_workers)`,
    )
    const ofWorker = "from pg_stat_activity where application_name = 'earshot worker' and datname = current_database()"
    // The connection by which the worker notices a crash is opened after its start.
    const isListening = async () => (await sql.query(`select ${ofWorker} and query ilike 'listen%'`)).rowCount
    await expect.poll(isListening).toBe(1)
    await sql.query(`select pg_terminate_backend(pid) ${ofWorker}`)
    await expect.poll(() => runs).toBe(1)
  })

  it('is known to be its new runner’s at once, not at the next heartbeat', async () => {
    const listIds = async () =>
      (await sql.query<{ worker_id: string }>('select worker_id from app.job_workers')).rows.map((row) => row.worker_id)
    workers = [await startWorker({ url: database.appUrl, log, jobs: [count], concurrency: 1, heartbeatMs: 60_000 })]
    await expect.poll(listIds).toHaveLength(1)
    const [former = ''] = await listIds()
    const ofWorker = "from pg_stat_activity where application_name = 'earshot worker' and datname = current_database()"
    const isListening = async () => (await sql.query(`select ${ofWorker} and query ilike 'listen%'`)).rowCount
    await expect.poll(isListening).toBe(1)
    await sql.query(`select pg_terminate_backend(pid) ${ofWorker}`)
    await expect.poll(async () => (await listIds()).filter((id) => id !== former)).toHaveLength(1)
  })
})

describe('a job that lost its database', () => {
  it('runs again within the same attempt', async () => {
    const attempts: number[] = []
    const shaky = defineJob('count', Type.Unknown(), async () => {
      runs += 1
      const { rows } = await sql.query<{ attempts: number }>('select attempts from graphile_worker.jobs')
      attempts.push(rows[0]?.attempts ?? 0)
      if (runs === 1) await sql.query('select pg_terminate_backend(pg_backend_pid())')
    })
    workers = [await startWorker({ url: database.appUrl, log, jobs: [shaky], concurrency: 1 })]
    await enqueue('count')
    await expect.poll(countJobs).toBe(0)
    expect(attempts).toEqual([1, 1])
  })
})

describe('deleteInBatches', () => {
  it('continues until a batch is not full', async () => {
    let left = 4_500
    const limits: number[] = []
    const total = await deleteInBatches(async (limit) => {
      limits.push(limit)
      const deleted = Math.min(left, limit)
      left -= deleted
      return deleted
    })
    expect({ total, left, limits }).toEqual({ total: 4_500, left: 0, limits: [2_000, 2_000, 2_000] })
  })
})
