import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { createLog } from '../log/log.ts'
import { createYielding } from './yielding.ts'

let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ url: testDatabase.url, log: createLog({ level: 'silent' }), maxConnections: 2 })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

/** Busy, as a process under full load is, until it is told to stop. */
function startFullLoad(yielding: ReturnType<typeof createYielding>): () => void {
  let isOver = false
  const spin = () => {
    if (isOver) return
    const until = performance.now() + 20
    while (performance.now() < until);
    yielding.noteCrowd()
    setImmediate(spin)
  }
  spin()
  return () => {
    isOver = true
  }
}

describe('work that yields', () => {
  it('runs without a pause, slowly under full load, and without a pause again', async () => {
    const yielding = createYielding(database, new AbortController().signal)
    let isOver = false
    let begun = 0
    const lanes = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        await yielding.run(async () => {
          begun += 1
          await new Promise((resolve) => setImmediate(resolve))
        })
      }
    })
    await expect.poll(() => begun).toBeGreaterThan(1_000)
    const stop = startFullLoad(yielding)
    const perSecond = async () => {
      const [before, startedAt] = [begun, performance.now()]
      await pause(1_000)
      return ((begun - before) / (performance.now() - startedAt)) * 1_000
    }
    await expect.poll(perSecond).toBeLessThan(6)
    // It never stops entirely.
    await expect.poll(perSecond).toBeGreaterThan(0)
    stop()
    await expect.poll(perSecond).toBeGreaterThan(100)
    isOver = true
    await Promise.all(lanes)
  })

  it('runs without a pause while submissions wait for a slow disk, and the process has time', async () => {
    const yielding = createYielding(database, new AbortController().signal)
    for (let round = 0; round < 12; round += 1) {
      yielding.noteCrowd()
      await pause(100)
    }
    const startedAt = performance.now()
    for (let round = 0; round < 10; round += 1) await yielding.run(async () => {})
    expect(performance.now() - startedAt).toBeLessThan(500)
  })

  it('waits no longer when the process stops', async () => {
    const stopping = new AbortController()
    const yielding = createYielding(database, stopping.signal)
    const stop = startFullLoad(yielding)
    await pause(1_200)
    let ended = 0
    const pieces = Array.from({ length: 40 }, () =>
      yielding.run(async () => {
        ended += 1
      }),
    )
    await pause(0)
    expect(ended).toBeLessThan(40)
    stop()
    stopping.abort()
    const startedAt = performance.now()
    await Promise.all(pieces)
    expect(ended).toBe(40)
    // In turns, they would take ten seconds.
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  it('hears of full load in another process', async () => {
    const { signal } = new AbortController()
    const other = createYielding(database, signal)
    await other.listen()
    const stop = startFullLoad(createYielding(database, signal))
    const measure = async () => {
      const startedAt = performance.now()
      for (let round = 0; round < 3; round += 1) await other.run(async () => {})
      return performance.now() - startedAt
    }
    await expect.poll(measure).toBeGreaterThan(400)
    stop()
    await other.close()
  })
})
