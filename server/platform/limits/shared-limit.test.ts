import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { createLog } from '../log/log.ts'
import { createSharedLimit } from './shared-limit.ts'

const log = createLog({ level: 'silent' })
const fiveMinutesMs = 300_000
let testDatabase: Required<TestDatabase>
/** One limit per process, for two processes. */
let databases: [Database, Database]
let sql: pg.Pool

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const open = () => openDatabase({ url: testDatabase.appUrl, log, maxConnections: 10 })
  databases = [open(), open()]
  sql = new pg.Pool({ connectionString: testDatabase.url, max: 2 })
  sql.on('error', () => {})
})
afterAll(async () => {
  await Promise.all([...databases.map((each) => each.close()), sql.end()])
  await testDatabase.drop()
})

async function shiftClock(name: string, interval: string): Promise<void> {
  await sql.query('update app.rate_limits set full_at = full_at + $2::interval where name = $1', [name, interval])
}

describe('shared limit', () => {
  it('grants exactly its capacity to many simultaneous requests in two processes', async () => {
    const limits = databases.map((each) =>
      createSharedLimit({ name: 'crowd', capacity: 30, refillMs: fiveMinutesMs }, each),
    )
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => limits[index % 2]?.take('192.0.2.1')))
    expect(answers.filter((wait) => wait === undefined)).toHaveLength(30)
    for (const wait of answers) if (wait !== undefined) expect(wait).toBe(10)
  })

  it('separates keys and names, and stores keys hashed', async () => {
    const [database] = databases
    const one = createSharedLimit({ name: 'one', capacity: 1, refillMs: 60_000 }, database)
    const other = createSharedLimit({ name: 'other', capacity: 1, refillMs: 60_000 }, database)
    expect([await one.take('a'), await one.take('b'), await other.take('a')]).toEqual([undefined, undefined, undefined])
    expect([await one.take('a'), await one.take('b'), await other.take('a')]).toEqual([60, 60, 60])
    const { rows } = await sql.query<{ found: string }>(
      "select encode(key_hash, 'hex') as found from app.rate_limits where name = 'one' order by 1",
    )
    // printf a | sha256sum, printf b | sha256sum
    expect(rows.map((row) => row.found)).toEqual([
      '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d',
      'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
    ])
  })

  it('refills one token after the other', async () => {
    const limit = createSharedLimit({ name: 'refill', capacity: 4, refillMs: 2_000 }, databases[0])
    for (let index = 0; index < 4; index += 1) expect(await limit.take('a')).toBeUndefined()
    expect(await limit.take('a')).toBe(1)
    await pause(550)
    expect(await limit.take('a')).toBeUndefined()
    expect(await limit.take('a')).toBe(1)
  })

  it('is full again after a long pause, and never more than full', async () => {
    const [one, other] = databases.map((each) =>
      createSharedLimit({ name: 'pause', capacity: 3, refillMs: fiveMinutesMs }, each),
    )
    for (let index = 0; index < 3; index += 1) await one?.take('a')
    await shiftClock('pause', '-1 day')
    const answers = []
    for (let index = 0; index < 5; index += 1) answers.push(await other?.take('a'))
    expect(answers).toEqual([undefined, undefined, undefined, 100, 100])
  })

  it('delays no request longer than one token takes after the clock was set back', async () => {
    const [database] = databases
    const limit = createSharedLimit({ name: 'clock', capacity: 30, refillMs: fiveMinutesMs }, database)
    await limit.take('a')
    await shiftClock('clock', '1 year')
    expect(await limit.take('a')).toBe(10)
    await shiftClock('clock', '-10 seconds')
    const another = createSharedLimit({ name: 'clock', capacity: 30, refillMs: fiveMinutesMs }, database)
    expect(await another.take('a')).toBeUndefined()
  })

  it('sends no query for a key that was just refused', async () => {
    const limit = createSharedLimit({ name: 'flood', capacity: 1, refillMs: fiveMinutesMs }, databases[0])
    await limit.take('a')
    expect(await limit.take('a')).toBe(300)
    await sql.query("delete from app.rate_limits where name = 'flood'")
    expect(await limit.take('a')).toBe(300)
    const { rowCount } = await sql.query("select from app.rate_limits where name = 'flood'")
    expect(rowCount).toBe(0)
  })

  it('returns a token when its transaction fails', async () => {
    const [database] = databases
    const limit = createSharedLimit({ name: 'within', capacity: 1, refillMs: 60_000 }, database)
    await expect(
      database.asAuthAdmin('test', async (tx) => {
        expect(await limit.takeWithin(tx, 'a')).toBeUndefined()
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await database.asAuthAdmin('test', (tx) => limit.takeWithin(tx, 'a'))).toBeUndefined()
    expect(await limit.take('a')).toBe(60)
  })

  it('gets a returned token back, in every process', async () => {
    const [one, other] = databases.map((each) =>
      createSharedLimit({ name: 'returned', capacity: 2, refillMs: fiveMinutesMs }, each),
    )
    await one?.take('a')
    await one?.take('a')
    await one?.giveBack('a')
    expect([await other?.take('a'), await other?.take('a')]).toEqual([undefined, 150])
  })

  it('grants no request while the database is unreachable', async () => {
    const database = openDatabase({ url: 'postgres://127.0.0.1:1/none', log, maxConnections: 1 })
    const limit = createSharedLimit({ name: 'away', capacity: 5, refillMs: 60_000 }, database)
    await expect(limit.take('a')).rejects.toThrow(/ECONNREFUSED/)
    await database.close()
  })
})
