import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
})

describe('the slug of an organisation', () => {
  it.each([
    ['Bar & Söhne', 'bar-soehne'],
    ['Straße nach Östersund', 'strasse-nach-oestersund'],
    ['  Crème Brûlée, S.A.  ', 'creme-brulee-s-a'],
    ['So\u0308hne', 'soehne'],
    ['Łódź Ærø Åland', 'lodz-aeroe-aaland'],
    ['Привет, мир', 'privet-mir'],
    ['Αθήνα', 'athina'],
    ['İstanbul Işık', 'istanbul-isik'],
    ['東京', 'organization'],
    ['ACME 42', 'acme-42'],
  ])('%s is %s', async (name, slug) => {
    const { rows } = await client.query('select app.make_slug($1) as slug', [name])
    expect(rows[0]?.slug).toBe(slug)
  })
})
