import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { listMutants } from './list-mutants.ts'
import { applyEdits } from './mutant.ts'

/* That every mutant still changes something. Whether it is caught, `npm run mutants` tries. */
const mutants = listMutants()

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

describe('mutants', () => {
  it('are at least thirty, each with a name of its own', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(30)
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  })

  it.each(mutants)('fit the product of today: $name', async ({ change }) => {
    if (change.kind === 'code') {
      for (const { file } of change.edits) {
        const source = readFileSync(file, 'utf8')
        expect(applyEdits(change, file, source)).not.toBe(source)
      }
      return
    }
    await client.query('begin')
    try {
      await client.query(change.sql)
    } finally {
      await client.query('rollback')
    }
  })
})
