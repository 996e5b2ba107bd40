import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { type Database, openDatabase } from '../database/database.ts'
import type { TokenBuckets } from '../http/token-buckets.ts'
import { createLog } from '../log/log.ts'
import { createSharedBuckets } from './shared-buckets.ts'

const log = createLog({ level: 'silent' })
let testDatabase: Required<TestDatabase>
/** One per process, for two processes. */
let databases: [Database, Database]
let sql: pg.Pool

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const open = () => openDatabase({ url: testDatabase.appUrl, log, maxConnections: 4 })
  databases = [open(), open()]
  sql = new pg.Pool({ connectionString: testDatabase.url, max: 2 })
  sql.on('error', () => {})
})
afterAll(async () => {
  await Promise.all([...databases.map((each) => each.close()), sql.end()])
  await testDatabase.drop()
})

function open(options: { name: string; capacity: number; refillMs: number }): [TokenBuckets, TokenBuckets] {
  const [one, other] = databases
  return [createSharedBuckets(one, log).create(options), createSharedBuckets(other, log).create(options)]
}

const countRows = async (name: string) =>
  Number((await sql.query('select count(*) as n from app.rate_limits where name = $1', [name])).rows[0]?.n)

/** Asks each process for a few at a time, as long as it `lasts`, and counts what they grant. */
async function flood(processes: readonly TokenBuckets[], lasts: (rounds: number) => boolean): Promise<number> {
  let granted = 0
  for (let rounds = 0; lasts(rounds); rounds += 1) {
    for (const each of processes) for (let n = 0; n < 5; n += 1) if (each.take('flood') === undefined) granted += 1
    await pause(1)
  }
  return granted
}

describe('buckets that processes share', () => {
  it('grant their capacity over two processes, exact within a tenth, however it is split', async () => {
    const both = open({ name: 'both', capacity: 600, refillMs: 6_000_000 })
    const granted = await flood(both, (rounds) => rounds < 150)
    expect(granted).toBeGreaterThanOrEqual(600)
    expect(granted).toBeLessThanOrEqual(660)
    // One of them alone may have all of it: nothing is set aside for the other.
    const [one] = open({ name: 'one', capacity: 600, refillMs: 6_000_000 })
    expect(await flood([one], (rounds) => rounds < 150)).toBe(600)
  })

  it('grant the refill over two processes, exact within a tenth: no excess repeats', async () => {
    const both = open({ name: 'refill', capacity: 100, refillMs: 1_000 })
    const from = performance.now()
    const granted = await flood(both, () => performance.now() < from + 2_000)
    const due = 100 + ((performance.now() - from) / 1_000) * 100
    expect(granted).toBeGreaterThan(due * 0.9)
    expect(granted).toBeLessThan(due * 1.1)
  })

  it('ask the database for nothing when a key spends little', async () => {
    const [buckets] = open({ name: 'visitors', capacity: 30, refillMs: 60_000 })
    for (let visitor = 0; visitor < 5_000; visitor += 1) expect(buckets.take(`visitor ${visitor}`)).toBeUndefined()
    const [busy] = open({ name: 'busy', capacity: 1_000_000, refillMs: 60_000 })
    for (let n = 0; n < 10_000; n += 1) busy.take('one')
    await pause(50)
    expect([await countRows('visitors'), await countRows('busy')]).toEqual([0, 0])
  })

  it('store keys hashed, apart by name, and prune what is full again', async () => {
    const [buckets] = open({ name: 'hashed', capacity: 10, refillMs: 60_000 })
    buckets.take('192.0.2.1')
    buckets.take('192.0.2.1')
    await expect.poll(() => countRows('hashed')).toBe(1)
    const { rows } = await sql.query<{ hash: string }>(
      "select encode(key_hash, 'hex') as hash from app.rate_limits where name = 'hashed'",
    )
    // printf 192.0.2.1 | sha256sum
    expect(rows[0]?.hash).toMatch(/^[0-9a-f]{64}$/)
    const [apart] = open({ name: 'apart', capacity: 10, refillMs: 60_000 })
    expect(apart.describe('192.0.2.1').left).toBe(10)
  })

  it('say how long a refused key has to wait, and what is left of a granted one', async () => {
    const [buckets] = open({ name: 'wait', capacity: 4, refillMs: 60_000 })
    for (let n = 0; n < 4; n += 1) expect(buckets.take('a')).toBeUndefined()
    expect(buckets.take('a')).toBe(15)
    expect(buckets.describe('a')).toEqual({ capacity: 4, refillSeconds: 60, left: 0, fullInSeconds: 60 })
    expect(buckets.spentShare('a')).toBeCloseTo(1, 2)
  })

  it('owe no more than half of the capacity after the clock of the database was set back', async () => {
    const [one, other] = open({ name: 'clock', capacity: 10, refillMs: 1_000 })
    one.take('a', 5)
    await expect.poll(() => countRows('clock')).toBe(1)
    await sql.query("update app.rate_limits set full_at = full_at + interval '1 year' where name = 'clock'")
    other.take('a', 5)
    await expect.poll(() => other.take('a'), { timeout: 3_000 }).toBeUndefined()
  })

  it('count by themselves while the database is away', async () => {
    const away = openDatabase({ url: 'postgres://127.0.0.1:1/none', log, maxConnections: 1 })
    const buckets = createSharedBuckets(away, log).create({ name: 'away', capacity: 100, refillMs: 60_000 })
    let granted = 0
    for (let n = 0; n < 200; n += 1) {
      if (buckets.take('a') === undefined) granted += 1
      if (n % 50 === 0) await pause(5)
    }
    expect(granted).toBe(100)
    await away.close()
  })
})
