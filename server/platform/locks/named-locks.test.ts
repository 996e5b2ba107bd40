import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { createLog } from '../log/log.ts'
import { type NamedLocks, openNamedLocks } from './named-locks.ts'

let database: Required<TestDatabase>
let here: NamedLocks
let there: NamedLocks

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => {
  const open = () => openNamedLocks({ url: database.appUrl, log: createLog({ level: 'silent' }) })
  here = open()
  there = open()
})
afterEach(async () => {
  await here.close()
  await there.close()
})

const ignore = () => {}

describe('a lock by name', () => {
  it('has one holder among all processes', async () => {
    let holders = 0
    let most = 0
    const work = async (locks: NamedLocks) => {
      const release = await locks.acquire('one', ignore)
      holders += 1
      most = Math.max(most, holders)
      await pause(5)
      holders -= 1
      await release()
    }
    await Promise.all(Array.from({ length: 20 }, (_, index) => work(index % 2 ? here : there)))
    expect(most).toBe(1)
  })

  it('does not block other names', async () => {
    const releases = await Promise.all([
      here.acquire('a', ignore),
      here.acquire('b', ignore),
      there.acquire('c', ignore),
    ])
    for (const release of releases) await release()
  })

  it.each([
    ['here', () => here],
    ['at another process', () => there],
  ])('notifies its holder of a waiter %s', async (_, other) => {
    let release = async () => {}
    const wanted = Promise.withResolvers<void>()
    release = await here.acquire('wanted', () => wanted.resolve())
    const next = other().acquire('wanted', ignore)
    await wanted.promise
    await release()
    await (await next)()
  })

  it('times out for a waiter whose holder does not release it', async () => {
    const release = await here.acquire('stuck', ignore)
    await expect(there.acquire('stuck', ignore)).rejects.toThrow('stuck is locked')
    await release()
    await (await there.acquire('stuck', ignore))()
  })

  it('is released when its holder’s connection breaks, and the holder is notified', async () => {
    const lost = Promise.withResolvers<void>()
    const release = await here.acquire('lost', () => lost.resolve())
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    // Only in this database: other test files use the same server.
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'earshot locks' and datname = current_database()`,
    )
    await client.end()
    await lost.promise
    await (await there.acquire('lost', ignore))()
    await release()
    await (await here.acquire('lost', ignore))()
  })
})
