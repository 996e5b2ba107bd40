import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBlankDatabase, createTestDatabase } from '#server/testing/database.ts'
import { migrations } from '#server/testing/gather-facts.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { jobQueueRevision, type MigrateOptions, migrate, type UpgradePlan } from './migrate.ts'
import { migrationsFolder, readMigrationFiles } from './migration-files.ts'

const silent = { info: () => {}, warn: () => {} }

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createBlankDatabase()
  folder = await mkdtemp(join(tmpdir(), 'earshot-migrations-'))
  await writeFile(join(folder, '0001_first.sql'), 'create table public.first (id int primary key);\n')
  await writeFile(join(folder, '0002_second.sql'), 'create table public.second (id int primary key);\n')
})

afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

function run(options: Partial<MigrateOptions> = {}) {
  return migrate({ url: database.url, log: silent, folder, ...options })
}

async function query<Row extends pg.QueryResultRow>(text: string, url = database.url): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function tables(): Promise<string[]> {
  const rows = await query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
  )
  return rows.map((row) => row.name)
}

/** The message, which must be a single line. */
async function messageOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error('It was expected to fail.')
  expect(error.message).not.toContain('\n')
  return error.message
}

describe('migrate', () => {
  it("makes the product's database from nothing, with the job queue", async () => {
    const { applied } = await migrate({ url: database.url, log: silent })
    expect(applied).toEqual((await readdir(migrationsFolder)).sort())
    expect(await query('select max(id) as id from graphile_worker.migrations')).toEqual([{ id: jobQueueRevision }])
    expect(await query('select count(*)::int as n from app.schema_migrations where finished_at is null')).toEqual([
      { n: 0 },
    ])
  })

  it('does nothing the second time, in one connection and a few milliseconds', async () => {
    const migrated = await createTestDatabase()
    await migrate({ url: migrated.url, log: silent })
    const startedAt = performance.now()
    expect(await migrate({ url: migrated.url, log: silent })).toEqual({ applied: [] })
    // 13 ms when measured; the limit only tells a query from a migration.
    expect(performance.now() - startedAt).toBeLessThan(500)
    await migrated.drop()
  })

  it('applies what was added since', async () => {
    await run()
    await writeFile(join(folder, '0003_third.sql'), 'create table public.third (id int primary key);')
    expect(await run()).toEqual({ applied: ['0003_third.sql'] })
    expect(await tables()).toEqual(['first', 'second', 'third'])
  })

  it('lets one of many processes that start at once do the work', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => run()))
    expect(results.flatMap((result) => result.applied).sort()).toEqual(['0001_first.sql', '0002_second.sql'])
  })

  it('makes two databases of one server at once, although they share their roles', async () => {
    const other = await createBlankDatabase()
    await Promise.all([database, other].map(({ url }) => migrate({ url, log: silent })))
    await other.drop()
  })

  it('leaves nothing of a migration that fails, keeps those before it, and continues once it is fixed', async () => {
    const broken = 'create table public.third (id int primary key);\nselect * from nowhere;\n'
    await writeFile(join(folder, '0003_third.sql'), broken)
    expect(await messageOf(run())).toBe(
      'Migration 0003_third.sql failed: relation "nowhere" does not exist (line 2). ' +
        'Nothing of it was kept; start again once the cause is removed.',
    )
    expect(await tables()).toEqual(['first', 'second'])
    await writeFile(join(folder, '0003_third.sql'), broken.replace('nowhere', 'public.first'))
    expect(await run()).toEqual({ applied: ['0003_third.sql'] })
  })

  it('recovers from a process that dies in the middle of a migration', async () => {
    await writeFile(join(folder, '0003_slow.sql'), 'create table public.third (id int);\nselect pg_sleep(30);')
    const attempt = messageOf(run())
    await expect
      .poll(
        () =>
          query(
            "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(30)%' and pid <> pg_backend_pid() and datname = current_database()",
          ),
        { timeout: 10_000 },
      )
      .toHaveLength(1)
    expect(await attempt).toContain('0003_slow.sql failed')
    expect(await tables()).toEqual(['first', 'second'])
    await writeFile(join(folder, '0003_slow.sql'), 'create table public.third (id int);')
    expect(await run()).toEqual({ applied: ['0003_slow.sql'] })
  })

  it('refuses a migration that was edited after it ran', async () => {
    await run()
    await writeFile(join(folder, '0001_first.sql'), 'create table public.first (id bigint primary key);\n')
    expect(await messageOf(run())).toContain('Migration 0001_first.sql was changed after it had run on this database.')
  })

  it('refuses a database of the migrations before they were folded, with one line that says what to do', async () => {
    await run()
    await query(
      "insert into app.schema_migrations (name, checksum, finished_at) values ('0002_emails.sql', 'x', now())",
    )
    expect(await messageOf(run())).toBe(
      'The database was made by a preview of Earshot and this version cannot update it. To keep its feedback, start the ' +
        'version that made it and export the feedback. Then delete the data folder, or set DATABASE_URL to an empty ' +
        'database, and start again.',
    )
  })

  it('accepts a checkout with other line ends as the same files', async () => {
    await run()
    const text = await readFile(join(folder, '0001_first.sql'), 'utf8')
    await writeFile(join(folder, '0001_first.sql'), text.replaceAll('\n', '\r\n'))
    expect(await run()).toEqual({ applied: [] })
  })

  it('refuses a database that a newer version has used', async () => {
    await copyFile(join(folder, '0001_first.sql'), join(folder, '0003_third.sql'))
    await writeFile(join(folder, '0003_third.sql'), 'select 1;')
    await run()
    await rm(join(folder, '0003_third.sql'))
    expect(await messageOf(run())).toContain('used by a newer version of Earshot')
  })

  it('refuses a database that lacks an earlier migration', async () => {
    await run()
    await query("delete from app.schema_migrations where name = '0001_first.sql'")
    expect(await messageOf(run())).toContain('0001_first.sql has not run on this database although the later')
  })

  it.each([
    ['0004_gap.sql', 'number 0003 was expected'],
    ['0002_twice.sql', 'number 0003 was expected'],
    ['third.sql', 'must be named like 0001_name.sql'],
  ])('refuses the file name %s before it touches anything', async (name, problem) => {
    await writeFile(join(folder, name), 'select 1;')
    expect(await messageOf(run())).toContain(problem)
    expect(await tables()).toEqual([])
  })

  it('runs a file outside a transaction when its first line asks for it', async () => {
    await writeFile(
      join(folder, '0003_index.sql'),
      '-- no-transaction\ncreate index concurrently first_idx on public.first (id);',
    )
    expect((await run()).applied).toContain('0003_index.sql')
    expect(await run()).toEqual({ applied: [] })
  })

  it('builds an index again whose building was interrupted', async () => {
    const sql = '-- no-transaction\ncreate index concurrently first_idx on public.first (id);'
    await run()
    await query(`create unique index first_idx on public.first ((id / 2))`)
    await query(`update pg_index set indisvalid = false where indexrelid = 'public.first_idx'::regclass`)
    await writeFile(join(folder, '0003_index.sql'), sql)
    const checksum = (await readMigrationFiles(folder)).at(-1)?.checksum
    await query(`insert into app.schema_migrations (name, checksum) values ('0003_index.sql', '${checksum}')`)
    await writeFile(join(folder, '0004_fourth.sql'), 'create table public.fourth (id int);')
    expect(await run()).toEqual({ applied: ['0003_index.sql', '0004_fourth.sql'] })
    const [index] = await query(
      `select indisvalid as valid, pg_get_indexdef(indexrelid) as definition from pg_index where indexrelid = 'public.first_idx'::regclass`,
    )
    expect(index).toEqual({ valid: true, definition: 'CREATE INDEX first_idx ON public.first USING btree (id)' })
    expect(await run()).toEqual({ applied: [] })
  })

  it('waits for a lock in short turns, between which others use the table, and continues when the lock is free', async () => {
    await run()
    const holder = new pg.Client({ connectionString: database.url, application_name: 'report' })
    await holder.connect()
    await holder.query('begin; select from public.first')
    await writeFile(join(folder, '0003_third.sql'), 'alter table public.first add column name text;')
    const waits: string[] = []
    const upgrade = run({
      onStep: (step) => {
        if (step.kind === 'waiting') waits.push(step.waiting.blocker)
      },
    })
    await expect.poll(() => waits.length, { timeout: 10_000 }).toBe(1)
    // Queued behind a migration that waits, this would end with the transaction above.
    await query('insert into public.first values (1)')
    await holder.query('commit')
    expect(await upgrade).toEqual({ applied: ['0003_third.sql'] })
    expect(waits[0]).toMatch(
      /^which process \d+ of the database \(report\) may hold: its transaction is open for \d+ s$/,
    )
    await holder.end()
  })

  it('gives up waiting for a lock with one line that names who holds it, and leaves the old state', async () => {
    await run()
    const holder = new pg.Client({ connectionString: database.url, application_name: 'report' })
    await holder.connect()
    await holder.query('begin; select from public.first')
    await writeFile(join(folder, '0003_third.sql'), 'create table public.third (id int); drop table public.first;')
    expect(await messageOf(run({ lockPatienceMs: 1 }))).toMatch(
      /^Migration 0003_third\.sql failed: it waited for 0 s for a lock, which process \d+ of the database \(report\) may hold.*Nothing of it was kept; start again once the cause is removed\.$/,
    )
    expect(await tables()).toEqual(['first', 'second'])
    await holder.end()
  })

  it('replaces policies of a table that transactions have in use while they wait for the migrated one', async () => {
    const functions = join(folder, 'functions')
    await mkdir(functions)
    await run({ functionsFolder: functions })
    await writeFile(join(folder, '0003_third.sql'), 'alter table public.first add column name text;')
    const policy = (name: string) =>
      `drop policy if exists ${name} on public.${name}; create policy ${name} on public.${name} using (true);`
    await writeFile(join(functions, 'first.sql'), `${policy('second')}\n${policy('first')}`)
    let isOver = false
    // There is always one that has the second table and will want the first.
    const lanes = [0, 1, 2, 3].map(async () => {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      while (!isOver) {
        await client.query('begin; select from public.second')
        await client.query('select pg_sleep(0.05)')
        await client.query('select from public.first; commit')
      }
      await client.end()
    })
    const upgraded = await run({ functionsFolder: functions, lockPatienceMs: 5_000 }).finally(() => {
      isOver = true
    })
    await Promise.all(lanes)
    expect(upgraded).toEqual({ applied: ['0003_third.sql'] })
    expect(await query('select polname as name from pg_policy order by 1')).toEqual([
      { name: 'first' },
      { name: 'second' },
    ])
    expect(await run({ functionsFolder: functions })).toEqual({ applied: [] })
  })

  it('never shows a table without the policies that a migration dropped with a column', async () => {
    const functions = join(folder, 'functions')
    await mkdir(functions)
    const policy =
      'drop policy if exists all_first on public.first; create policy all_first on public.first using (true);'
    await writeFile(join(functions, 'first.sql'), policy)
    await run({ functionsFolder: functions })
    await writeFile(join(folder, '0003_third.sql'), 'drop policy all_first on public.first;')
    // Ends after the migration, before the tables: the second table does not exist.
    await writeFile(join(functions, 'second.sql'), 'create policy all_second on public.missing using (true);')
    expect(await messageOf(run({ functionsFolder: functions }))).toContain('public.missing')
    expect(await query('select polname as name from pg_policy')).toEqual([{ name: 'all_first' }])
    await writeFile(join(functions, 'second.sql'), 'create policy all_second on public.second using (true);')
    await run({ functionsFolder: functions })
    expect(await query('select polname as name from pg_policy order by 1')).toEqual([
      { name: 'all_first' },
      { name: 'all_second' },
    ])
  })

  it('prepares an upgrade in one process, before anything is changed, and never on a new database', async () => {
    const plans: string[][] = []
    const beforeUpgrade = async ({ pending }: UpgradePlan) => {
      plans.push(pending.migrations.map(({ name }) => name))
      expect(await tables()).toEqual(['first', 'second'])
    }
    await run({ beforeUpgrade })
    await run({ beforeUpgrade })
    expect(plans).toEqual([])
    await writeFile(join(folder, '0003_third.sql'), 'create table public.third (id int);')
    await Promise.all(Array.from({ length: 4 }, () => run({ beforeUpgrade })))
    expect(plans).toEqual([['0003_third.sql']])
  })

  it('changes nothing when the preparation fails', async () => {
    await run()
    await writeFile(join(folder, '0003_third.sql'), 'create table public.third (id int);')
    const beforeUpgrade = async () => {
      throw new Error('The disk is full.')
    }
    expect(await messageOf(run({ beforeUpgrade }))).toBe('The disk is full.')
    expect(await tables()).toEqual(['first', 'second'])
  })

  it('notes the version that ran each file, also in bookkeeping of earlier versions', async () => {
    await run()
    await query('alter table app.schema_migrations drop column app_version')
    await writeFile(join(folder, '0003_third.sql'), 'create table public.third (id int);')
    await run({ appVersion: '1.2.0' })
    expect(await query('select name, app_version as version from app.schema_migrations order by name')).toEqual([
      { name: '0001_first.sql', version: null },
      { name: '0002_second.sql', version: null },
      { name: '0003_third.sql', version: '1.2.0' },
    ])
  })

  it('refuses functions of a newer version, which an older process would take back', async () => {
    const functions = join(folder, 'functions')
    await mkdir(functions)
    await writeFile(join(functions, 'first.sql'), 'select 2;')
    await run({ functionsFolder: functions, appVersion: '1.10.0' })
    await writeFile(join(functions, 'first.sql'), 'select 1;')
    expect(await messageOf(run({ functionsFolder: functions, appVersion: '1.9.0' }))).toMatch(
      /^The database was used by Earshot 1\.10\.0, which is newer than this version \(1\.9\.0\)\./,
    )
    await run({ functionsFolder: functions, appVersion: '1.11.0' })
  })

  it('refuses to continue after an interrupted migration, and changes nothing', async () => {
    await run()
    await query("insert into app.schema_migrations (name, checksum) values ('0003_index.sql', 'x')")
    await writeFile(join(folder, '0003_index.sql'), '-- no-transaction\nselect 1;')
    await writeFile(join(folder, '0004_fourth.sql'), 'create table public.fourth (id int);')
    const message = await messageOf(run())
    expect(message).toMatch(/^Migration 0003_index\.sql began at \S+Z and never finished\. Restore the backup/)
    expect(await tables()).toEqual(['first', 'second'])
    await query(
      "update app.schema_migrations set checksum = checksum, finished_at = now() where name = '0003_index.sql'",
    )
    expect(await messageOf(run())).toContain('0003_index.sql was changed')
  })

  it('leaves out the sign-in schema when Supabase brings it', async () => {
    await query('create schema auth; create table auth.users ()')
    await writeFile(join(folder, '0003_auth.sql'), 'create table public.auth (id int);')
    expect((await run({ skipAuth: true })).applied).toEqual(['0001_first.sql', '0002_second.sql'])
    expect(await tables()).toEqual(['first', 'second'])
  })

  it('names a database that is not a Supabase project’s, and a login that is not its owner’s', async () => {
    expect(await messageOf(run({ skipAuth: true }))).toMatch(
      /^The database at 127\.0\.0\.1:\d+\/\w+ has no table auth\.users: with SUPABASE_URL, DATABASE_URL must be/,
    )
    const login = `stranger_${randomUUID().replaceAll('-', '')}`
    await query(`create schema auth; create table auth.users (); grant usage on schema auth to public;
      create role ${login} login password 'x'`)
    const url = new URL(database.url)
    url.username = login
    url.password = 'x'
    expect(await messageOf(migrate({ url: url.href, log: silent, folder, skipAuth: true }))).toBe(
      `The login ${login} is not a member of the role authenticator: use the login postgres of the Supabase project.`,
    )
    await query(`drop role ${login}`)
  })

  it('says that it cannot connect, without the password', async () => {
    const unreachable = new URL(database.url)
    unreachable.port = '1'
    unreachable.password = 'geheim'
    const refused = await messageOf(migrate({ url: unreachable.href, log: silent, folder }))
    expect(refused).toBe(
      'Cannot connect to the database at 127.0.0.1:1/' +
        `${unreachable.pathname.slice(1)}: connect ECONNREFUSED 127.0.0.1:1.`,
    )
    const denied = new URL(database.url)
    denied.password = 'geheim'
    const message = await messageOf(migrate({ url: denied.href, log: silent, folder }))
    expect(message).toContain('password authentication failed for user "postgres"')
    expect(message).not.toContain('geheim')
  })

  it('refuses a database that is not in UTF-8', async () => {
    const latin = new URL(database.url)
    latin.pathname = `${latin.pathname}_latin`
    const name = latin.pathname.slice(1)
    await query(`create database "${name}" encoding 'LATIN1' locale 'C' locale_provider libc template template0`)
    expect(await messageOf(migrate({ url: latin.href, log: silent, folder }))).toContain('encoding is LATIN1')
    await query(`drop database "${name}"`)
  })
})

describe('the migrations of db/migrations', () => {
  // Installations remember the checksum and refuse an edited file. A change is a new migration, whose checksum stands in the facts of its noun.
  it('are frozen', async () => {
    const files = await readMigrationFiles(migrationsFolder)
    expect(Object.fromEntries(files.map((file) => [file.name, file.checksum]))).toEqual(migrations)
  })
})
