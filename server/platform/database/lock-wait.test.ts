import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBlankDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { findLockTimeoutMs, pauseMs } from './lock-wait.ts'

let database: TestDatabase
let client: pg.Client
let vacuum: pg.Client

beforeAll(async () => {
  database = await createBlankDatabase()
  client = new pg.Client({ connectionString: database.url })
  vacuum = new pg.Client({ connectionString: database.url })
  await Promise.all([client.connect(), vacuum.connect()])
})
afterAll(async () => {
  await vacuum?.end()
  await client?.end()
  await database?.drop()
})

describe('a migration that waits for a lock', () => {
  it('waits for less than a twentieth of the time, so that the 95th percentile of answers does not show it', async () => {
    let waitedMs = 0
    let allMs = 0
    for (let attempt = 1; attempt <= 60; attempt += 1) {
      const turnMs = await findLockTimeoutMs(client, attempt)
      waitedMs += turnMs
      allMs += turnMs + pauseMs(attempt)
    }
    expect(waitedMs / allMs).toBeLessThan(0.05)
  })

  it('waits for longer in each fifth attempt while a vacuum runs, because autovacuum gives way after a second', async () => {
    await client.query(`create table public.wide as select repeat('x', 1000) as text from generate_series(1, 2000)`)
    await vacuum.query('set vacuum_cost_delay = 100; set vacuum_cost_limit = 1')
    const vacuuming = vacuum.query('vacuum public.wide').catch(() => 'cancelled')
    await expect.poll(() => findLockTimeoutMs(client, 5)).toBe(1_500)
    expect(await Promise.all([4, 6, 10].map((attempt) => findLockTimeoutMs(client, attempt)))).toEqual([
      200, 200, 1_500,
    ])
    await client.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where query = 'vacuum public.wide' and pid <> pg_backend_pid()`,
    )
    expect(await vacuuming).toBe('cancelled')
    expect(await findLockTimeoutMs(client, 5)).toBe(200)
  })
})
