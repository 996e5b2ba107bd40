import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBlankDatabase, createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { migrate } from './migrate.ts'
import { functionsFolder, migrationsFolder, readFunctionFiles, readMigrationFiles } from './migration-files.ts'
import { dumpSchema } from './schema-dump.ts'

const silent = { info: () => {}, warn: () => {} }

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createBlankDatabase()
  folder = await mkdtemp(join(tmpdir(), 'earshot-functions-'))
  await mkdir(join(folder, 'functions'))
  await writeFile(join(folder, '0001_app.sql'), 'create table public.item (id int primary key);')
  await writeFile(join(folder, '0002_feedback.sql'), 'create table public.reply (id int primary key);')
})

afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

function run() {
  return migrate({ url: database.url, log: silent, folder, functionsFolder: join(folder, 'functions') })
}

function write(name: string, sql: string): Promise<void> {
  return writeFile(join(folder, 'functions', name), sql)
}

async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

const answer = (n: number) =>
  `create or replace function app.answer() returns int language sql set search_path = '' as 'select ${n}';`

async function functionNames(): Promise<string[]> {
  const rows = await query<{ name: string }>(
    "select proname as name from pg_proc where pronamespace = 'app'::regnamespace order by 1",
  )
  return rows.map((row) => row.name)
}

describe('a function file', () => {
  it('runs after the migrations, and again whenever its content has changed', async () => {
    await write('app.sql', answer(1))
    await run()
    expect(await query('select app.answer()')).toEqual([{ answer: 1 }])
    await write('app.sql', answer(2))
    expect(await run()).toEqual({ applied: [] })
    expect(await query('select app.answer()')).toEqual([{ answer: 2 }])
  })

  it('does not run again while its content is the same', async () => {
    await write('app.sql', answer(1))
    await run()
    await query('drop function app.answer()')
    await run()
    expect(await functionNames()).toEqual([])
  })

  it('runs again after a migration, which may have dropped a policy or a trigger with a column', async () => {
    await write(
      'app.sql',
      'drop policy if exists seen on public.item; create policy seen on public.item using (id > 0);',
    )
    await run()
    await writeFile(
      join(folder, '0003_wide.sql'),
      'drop policy seen on public.item; alter table public.item alter column id type bigint;',
    )
    expect(await run()).toEqual({ applied: ['0003_wide.sql'] })
    expect(await query('select polname from pg_policy')).toEqual([{ polname: 'seen' }])
  })

  it('removes what a line of it drops, in databases that have it and in new ones', async () => {
    await write('app.sql', answer(1))
    await run()
    await write('app.sql', 'drop function if exists app.answer();')
    await run()
    expect(await functionNames()).toEqual([])
    await query("delete from app.schema_migrations where name = 'functions/app.sql'")
    await run()
    expect(await functionNames()).toEqual([])
  })

  it('changes nothing when another one fails, and neither does the migration before it', async () => {
    await write('app.sql', answer(1))
    await run()
    await writeFile(join(folder, '0003_late.sql'), 'create table public.late (id int primary key);')
    await write('app.sql', answer(2))
    await write('feedback.sql', '\nselect * from nowhere;')
    await expect(run()).rejects.toThrow(
      'Function file functions/feedback.sql failed: relation "nowhere" does not exist (line 2). ' +
        'Nothing of it was kept; start again once the cause is removed.',
    )
    expect(await query('select app.answer()')).toEqual([{ answer: 1 }])
    expect(await query("select to_regclass('public.late') as late")).toEqual([{ late: null }])
    await rm(join(folder, 'functions', 'feedback.sql'))
    expect(await run()).toEqual({ applied: ['0003_late.sql'] })
    expect(await query('select app.answer()')).toEqual([{ answer: 2 }])
  })

  it('may call functions of a later file', async () => {
    await write('app.sql', "create or replace function app.first() returns int language sql as 'select app.answer()';")
    await write('feedback_more.sql', answer(3))
    await run()
    expect(await query('select app.first()')).toEqual([{ first: 3 }])
  })

  it('must be named after a migration', async () => {
    await write('visitor.sql', 'select 1;')
    await expect(run()).rejects.toThrow(
      'Function file visitor.sql must be named noun.sql or noun_topic.sql after a migration NNNN_noun.sql.',
    )
  })
})

describe('the function files of db/functions', () => {
  const read = async () => readFunctionFiles(functionsFolder, await readMigrationFiles(migrationsFolder))

  it('run a second time with every body checked, and change nothing', async () => {
    const migrated = await createTestDatabase()
    const client = new pg.Client({ connectionString: migrated.url })
    await client.connect()
    const before = await dumpSchema(client)
    await client.query('begin; set local search_path = public; set local client_min_messages = warning')
    for (const file of await read()) await client.query(file.sql)
    await client.query('commit')
    await client.end()
    const again = new pg.Client({ connectionString: migrated.url })
    await again.connect()
    expect(await dumpSchema(again)).toBe(before)
    await again.end()
    await migrated.drop()
  })

  it('define each function, trigger and policy once', async () => {
    const defined = (await read()).flatMap(({ sql }) =>
      [
        ...sql.matchAll(
          /^create (?:or replace )?(?:constraint )?(function|procedure|trigger|policy|type) ([\w.]+)(?:[^;]*? on ([\w.]+))?/gm,
        ),
      ].map(([, kind, name, table]) =>
        kind === 'trigger' || kind === 'policy' ? `${kind} ${name} on ${table}` : `${kind} ${name}`,
      ),
    )
    expect(defined.length).toBeGreaterThan(150)
    expect(defined.filter((name, index) => defined.indexOf(name) !== index)).toEqual([])
  })

  it('contain no table and no data', async () => {
    for (const { name, sql } of await read()) {
      expect(sql, name).not.toMatch(/^(create|alter|drop) (unlogged )?table|^(insert|update|delete) /m)
    }
  })
})
