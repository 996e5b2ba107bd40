import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { functionsFolder, migrationsFolder, readFunctionFiles, readMigrationFiles } from './migration-files.ts'
import { splitFunctions } from './split-functions.ts'

const split = (sql: string) => {
  const { functions, tables } = splitFunctions({ name: 'functions/a.sql', checksum: '', sql })
  return [functions, ...tables].map((part) => part.sql.trim())
}

describe('a file of functions', () => {
  it('is split into functions, and policies and triggers of each table', () => {
    const body = `create or replace function app.f() returns trigger language plpgsql as $$ begin; -- drop policy a on b;\nend; $$;`
    const policy = `drop policy if exists p on public.a; create policy p on public.a using ('on public.c;' <> '');`
    const trigger = `create or replace trigger t after update of x on app.b\n  for each row execute function app.f();`
    expect(split(`${body}\n${policy}\n${trigger}\n-- The end;`)).toEqual(
      [`${body}\n\n\n-- The end;`, policy, trigger].map((text, index) =>
        index === 0 ? expect.stringContaining(body) : text,
      ),
    )
  })

  it('drops the function of a trigger after the trigger', () => {
    expect(split('drop trigger if exists t on public.a;\ndrop function app.f();\ndrop function app.g();')).toEqual([
      '',
      'drop trigger if exists t on public.a;\ndrop function app.f();\ndrop function app.g();',
    ])
  })

  it('keeps each statement in its line', () => {
    const [part] = splitFunctions({ name: '', checksum: '', sql: 'select 1;\n\ndrop policy p on public.a;' }).tables
    expect(part?.sql.split('\n')[2]).toBe('drop policy p on public.a;')
  })
})

it('no part of the product’s own functions locks more than one table against those who use it', async () => {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const files = await readFunctionFiles(functionsFolder, await readMigrationFiles(migrationsFolder))
  const locked: Record<string, string[]> = {}
  for (const file of files) {
    const { functions, tables } = splitFunctions(file)
    for (const [index, { sql }] of [functions, ...tables].entries()) {
      await client.query('begin; set local check_function_bodies = off; set local search_path = public')
      await client.query(sql)
      const { rows } = await client.query<{ name: string }>(
        `select distinct l.relation::regclass::text as name from pg_locks l join pg_class c on c.oid = l.relation
         where l.pid = pg_backend_pid() and c.relkind in ('r', 'p') and c.relnamespace <> 'pg_catalog'::regnamespace
           and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`,
      )
      await client.query('commit')
      if (rows.length > (index === 0 ? 0 : 1)) locked[`${file.name} ${index}`] = rows.map(({ name }) => name)
    }
  }
  expect(locked).toEqual({})
  await client.end()
  await database.drop()
})
