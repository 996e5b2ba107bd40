import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { startDatabaseLine } from '#server/testing/database-line.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { createLog } from '../log/log.ts'
import { createReadOnly, type ReadOnly, refuseWrite } from './read-only.ts'

const log = createLog({ level: 'silent' })
let testDatabase: TestDatabase
let database: Database
let owner: pg.Client
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ url: testDatabase.url, log, maxConnections: 2 })
  owner = new pg.Client({ connectionString: testDatabase.url })
  await owner.connect()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
  await turnOff()
})
afterAll(async () => {
  await database.close()
  await owner.end()
  await testDatabase.drop()
})

const turnOn = () => owner.query(`insert into app.read_only_periods (message, turned_on_by) values ('Soon.', 'test')`)
const turnOff = () => owner.query('update app.read_only_periods set ended_at = now() where ended_at is null')

async function open(on: Database = database, everyMs?: number): Promise<ReadOnly> {
  const readOnly = createReadOnly(on, log, everyMs === undefined ? {} : { everyMs })
  opened.push(readOnly)
  await readOnly.start()
  return readOnly
}

describe('read-only mode', () => {
  it('reaches every process at once, begins and ends', async () => {
    const [one, other] = [await open(), await open()]
    let changes = 0
    other.onChange(() => {
      changes += 1
    })
    expect(one.current()).toBeUndefined()
    one.requireWrites()
    await turnOn()
    await expect.poll(() => [one.current()?.message, other.current()?.message]).toEqual(['Soon.', 'Soon.'])
    expect(() => one.requireWrites()).toThrow(expect.objectContaining({ code: 'read_only', status: 503 }))
    await turnOff()
    await expect.poll(() => [one.current(), other.current()]).toEqual([undefined, undefined])
    expect(changes).toBe(2)
  })

  it('is known to a process that starts while it is on', async () => {
    await turnOn()
    expect((await open()).current()?.turnedOnBy).toBe('test')
  })

  it('is noticed within the next round when the notification is lost', async () => {
    const readOnly = await open(database, 50)
    await owner.query('alter table app.read_only_periods disable trigger user')
    try {
      await turnOn()
      await expect.poll(() => readOnly.current()?.message).toBe('Soon.')
    } finally {
      await owner.query('alter table app.read_only_periods enable trigger user')
    }
  })

  it('stays as it was while the database is away, and is read again when it is back', async () => {
    const line = await startDatabaseLine(testDatabase.url)
    const distant = openDatabase({ url: line.url, log, maxConnections: 2 })
    try {
      await turnOn()
      const readOnly = await open(distant, 50)
      await line.cut()
      await turnOff()
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(readOnly.current()).toBeDefined()
      line.mend()
      await expect.poll(() => readOnly.current(), { timeout: 10_000 }).toBeUndefined()
    } finally {
      await Promise.all(opened.splice(0).map((each) => each.close()))
      await distant.close()
      await line.stop()
    }
  })
})

describe('the refusal of a write', () => {
  const mode = { message: null, endsAt: null, since: new Date(), turnedOnBy: 'test' }
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000)

  it('asks to come back within a minute, whatever end is expected', () => {
    expect(refuseWrite(mode).retryAfterSeconds).toBe(60)
    expect(refuseWrite({ ...mode, endsAt: inSeconds(7200) }).retryAfterSeconds).toBe(60)
    expect(refuseWrite({ ...mode, endsAt: inSeconds(20) }).retryAfterSeconds).toBe(20)
    expect(refuseWrite({ ...mode, endsAt: inSeconds(-600) }).retryAfterSeconds).toBe(5)
  })

  it('says the superadmin’s words, or its own', () => {
    expect(refuseWrite({ ...mode, message: 'A larger disk.' }).message).toBe(
      'Earshot is read-only for maintenance. A larger disk.',
    )
    expect(refuseWrite(mode).message).toMatch(/nothing was changed/)
  })
})
