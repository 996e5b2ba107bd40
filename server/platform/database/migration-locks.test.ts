import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '#server/config.ts'
import { createBlankDatabase } from '#server/testing/database.ts'
import { fillFirstSchema, makeFirstSchema } from '#server/testing/first-schema.ts'
import { findDangers, findUntrueLocks, judgeLoneMigration } from '#server/testing/judge-migration.ts'
import { measureMigration } from '#server/testing/measure-migration.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { migrationsFolder, readMigrationFiles } from './migration-files.ts'
import { firstDeclaringNumber, firstSchema, readNotes } from './migration-locks.ts'

const { appVersion } = loadConfig({})

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createBlankDatabase()
  await makeFirstSchema(database.url)
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await fillFirstSchema(client, 200)
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

it('each migration after the first schema declares its locks, takes these and no others, and is safe beside the version before', async () => {
  const faults: string[] = []
  for (const file of await readMigrationFiles(migrationsFolder)) {
    if (file.name <= firstSchema) continue
    const notes = readNotes(file.name, file.sql)
    if (!file.transactional) {
      faults.push(...[judgeLoneMigration(file)].filter((fault) => fault !== undefined))
      await client.query(file.sql)
      continue
    }
    const measured = await measureMigration(client, file)
    faults.push(...findUntrueLocks(file, notes, measured.locks))
    // Earlier ones are frozen: the guide says which of them take long.
    if (Number(file.name.slice(0, 4)) >= firstDeclaringNumber)
      faults.push(...findDangers(file, notes, measured, appVersion))
  }
  expect(faults.join('\n\n')).toBe('')
})

describe('a new migration', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'earshot-locks-'))
    await client.query(`
      create table public.shop (id int primary key, name text, size text);
      create table public.kind (id int primary key);
      create table public.empty (id int primary key);
      insert into public.shop select n, 'shop', 's' from generate_series(1, 20) n;
      insert into public.kind select n from generate_series(1, 20) n`)
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function judge(sql: string): Promise<string[]> {
    await writeFile(join(folder, '0001_new.sql'), sql)
    const [file] = await readMigrationFiles(folder)
    if (!file) throw new Error('The file is missing.')
    // Each is tried on the same tables.
    const reading = new Proxy(client, {
      get: (target, name) =>
        name === 'query'
          ? (text: string, values?: unknown[]) => target.query(text === 'commit' ? 'rollback' : text, values)
          : Reflect.get(target, name),
    })
    const measured = await measureMigration(reading, file)
    const notes = readNotes(file.name, file.sql)
    return [...findUntrueLocks(file, notes, measured.locks), ...findDangers(file, notes, measured, '1.3.0')]
  }

  it.each([
    ['-- lock: none\ncreate table public.more (id int);'],
    ['-- lock: public.shop, access exclusive, brief\nalter table public.shop add column colour text;'],
    [
      "-- lock: public.shop, access exclusive, brief\nalter table public.shop add column colour text not null default 'red';",
    ],
    ['-- lock: public.shop, access exclusive, brief\nalter table public.shop add check (size is not null) not valid;'],
    ["-- lock: public.shop, row exclusive, changes rows\nupdate public.shop set name = 'x';"],
    [
      '-- lock: public.shop, share, reads rows, small: one row for each shop\ncreate index shop_name_idx on public.shop (name);',
    ],
    [
      '-- lock: public.shop, access exclusive, brief\n-- allow: public.shop.name dropped: unused since 1.2.0\nalter table public.shop drop column name;',
    ],
  ])('is accepted: %s', async (sql) => {
    expect(await judge(sql)).toEqual([])
  })

  it.each([
    ['create table public.more (id int);', 'declares no lock. Write into its head:\n-- lock: none'],
    [
      '-- lock: none\nalter table public.shop add column colour text;',
      'takes the lock public.shop, access exclusive, brief, and',
    ],
    ['-- lock: public.shop, share, brief\nselect 1;', 'and does not take it'],
    [
      '-- lock: public.shop, access exclusive, brief\nalter table public.shop alter column id type bigint;',
      'takes the lock public.shop, access exclusive, rewrites',
    ],
    [
      '-- lock: public.shop, share, reads rows\ncreate index shop_name_idx on public.shop (name);',
      'create index concurrently',
    ],
    [
      '-- lock: public.shop, access exclusive, reads rows\nalter table public.shop add check (size is not null);',
      'Add it with “not valid”',
    ],
    [
      '-- lock: public.shop, share row exclusive, reads rows\n-- lock: public.kind, share row exclusive, reads rows\nalter table public.shop add foreign key (id) references public.kind not valid; alter table public.shop validate constraint shop_id_fkey;',
      'checks all rows of public.shop for shop_id_fkey',
    ],
    [
      '-- lock: public.shop, access exclusive, reads rows\nalter table public.shop alter column name set not null;',
      'makes public.shop.name not null: the version before 1.3.0 still uses it',
    ],
    [
      '-- lock: public.shop, access exclusive, rewrites\nalter table public.shop alter column id type bigint;',
      'changes the type of',
    ],
    [
      '-- lock: public.shop, access exclusive, changes rows\nalter table public.shop add column n int; update public.shop set n = 1;',
      'changes rows of public.shop under the lock access exclusive',
    ],
    [
      '-- lock: public.shop, access exclusive, brief\nalter table public.shop drop column name;',
      'drops or renames public.shop.name',
    ],
    [
      '-- lock: public.shop, access exclusive, brief\nalter table public.shop rename to shops;',
      'drops or renames public.shop.size',
    ],
    ['-- lock: public.kind, access exclusive, brief\ndrop table public.kind;', 'drops or renames public.kind.id'],
    [
      '-- lock: public.empty, access exclusive, brief\nalter table public.empty add column n int not null;',
      'can’t insert rows any more',
    ],
    [
      '-- lock: public.shop, access exclusive, brief\n-- allow: public.shop.name dropped: unused since 1.3.0\nalter table public.shop drop column name;',
      'must be an earlier one',
    ],
    ['-- lock: public.shop, hard, brief\nselect 1;', 'has a note that can’t be read: public.shop, hard, brief'],
  ])('is refused: %s', async (sql, reason) => {
    const faults = await judge(sql).catch((error: unknown) => [String(error)])
    expect(faults.join('\n')).toContain(reason)
  })

  it.each([
    ['create index concurrently shop_name_idx on public.shop (name);', undefined],
    ['-- Sorted.\ncreate unique index concurrently if not exists shop_x on public.shop (name) where id > 3', undefined],
    ['vacuum public.shop;', 'an interruption could not be repaired'],
    [
      'create index concurrently a on public.shop (id); drop table public.kind;',
      'an interruption could not be repaired',
    ],
  ])('outside a transaction: %s', async (sql, reason) => {
    await writeFile(
      join(folder, '0001_new.sql'),
      `-- no-transaction\n-- lock: public.shop, share update exclusive, reads rows\n${sql}`,
    )
    const [file] = await readMigrationFiles(folder)
    const fault = file && judgeLoneMigration(file)
    if (reason === undefined) expect(fault).toBeUndefined()
    else expect(fault).toContain(reason)
  })
})
