import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { createLog } from '../log/log.ts'
import { openWorkerPool } from './worker-pool.ts'

let database: Required<TestDatabase>

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('takes a connection back that is given back twice, once', async () => {
  const pool = openWorkerPool(database.appUrl, 2, createLog({ level: 'silent' }))
  await new Promise<void>((resolve, reject) => {
    pool.connect((error, _client, release) => {
      if (error) return reject(error)
      release()
      release()
      resolve()
    })
  })
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1])
  await pool.end()
})
