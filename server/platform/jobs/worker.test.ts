import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { createLog } from '../log/log.ts'
import { deleteInBatches } from './delete-in-batches.ts'
import { defineCron, defineJob } from './job.ts'
import { startWorker, type Worker } from './worker.ts'

const log = createLog({ level: 'silent' })
let database: Required<TestDatabase>
let sql: pg.Pool
let workers: Worker[] = []
let runs = 0

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
    await expect.poll(() => runs, { timeout: 5_000 }).toBe(1)
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
    await expect.poll(() => lines.length, { timeout: 5_000 }).toBeGreaterThan(0)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      job: { name: 'failing', attempts: 1 },
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
