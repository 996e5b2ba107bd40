import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startEmbeddedPostgres } from './start-postgres.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'earshot-postgres-'))
  // Started by root, PostgreSQL runs as another user.
  chmodSync(dataDir, 0o755)
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** Starts it, asks one question, and stops it. */
async function ask(question: string): Promise<unknown> {
  const postgres = await startEmbeddedPostgres(dataDir)
  const client = new pg.Client({ connectionString: postgres.url })
  try {
    await client.connect()
    return (await client.query(question)).rows
  } finally {
    await client.end()
    await postgres.stop()
  }
}

describe('the built-in PostgreSQL', () => {
  it('needs no locale of the machine, and sorts as it does everywhere', async () => {
    for (const name of ['LANG', 'LC_ALL', 'LC_COLLATE', 'LC_CTYPE', 'LC_MESSAGES']) vi.stubEnv(name, 'xx_XX.UTF-8')
    const sorted = `select array_agg(w order by w) as words, (select datlocprovider from pg_database where datname = current_database())
      from (values ('é'), ('e'), ('Z'), ('z'), ('ß')) v (w)`
    expect(await ask(sorted)).toEqual([{ words: ['Z', 'e', 'z', 'ß', 'é'], datlocprovider: 'b' }])
  })

  it.skipIf(process.platform === 'win32')('starts on a folder to which a volume has given a group', async () => {
    await ask('select 1')
    const cluster = join(dataDir, 'postgres')
    chmodSync(cluster, 0o2770)
    expect(await ask('select 2 as answer')).toEqual([{ answer: 2 }])
    expect(statSync(cluster).mode & 0o777).toBe(0o700)
  })
})
