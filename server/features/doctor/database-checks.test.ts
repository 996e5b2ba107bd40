import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { examine, type Sickness } from './examined-instance.ts'

/* Checks of the database, as the app's login: each is broken in a real PostgreSQL, and repaired. */

let dataDir: string
let client: pg.Client
let database: Database
let urls: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'earshot-doctor-'))
  urls = await createTestDatabase()
  client = new pg.Client({ connectionString: urls.url })
  await client.connect()
  database = open(urls.appUrl)
  await client.query('delete from graphile_worker._private_jobs; delete from app.emails')
})
afterAll(async () => {
  await database?.close()
  await client?.end()
  await urls?.drop()
  await rm(dataDir, { recursive: true })
})

const open = (url: string) => openDatabase({ url, log: createLog({ level: 'silent' }), maxConnections: 3 })
const look = (id: string, sickness: Sickness = {}) => examine(id, { dataDir, database, ...sickness })
const organizationId = randomUUID()
const [integrationA, integrationB] = [randomUUID(), randomUUID()]
/** Past foreign keys: what the check reads is enough. */
const plant = (statements: string) =>
  `set session_replication_role = replica; ${statements}; set session_replication_role = origin`
const stripe = { STRIPE_SECRET_KEY: 'sk_live_1' }

interface Case {
  /** Of the check, where it differs from the name. */
  readonly id?: string
  readonly breaks: string
  readonly status: 'failed' | 'warning'
  readonly repairs: string
  readonly says: RegExp
  readonly fine?: 'ok' | 'not_applicable'
  readonly env?: Readonly<Record<string, string>>
}

const cases: Readonly<Record<string, Case>> = {
  'a migration that has not run': {
    id: 'migrations',
    breaks: `create table kept as select * from app.schema_migrations where name = '0050_monitoring.sql';
      delete from app.schema_migrations where name = '0050_monitoring.sql'`,
    status: 'failed',
    repairs: 'insert into app.schema_migrations select * from kept; drop table kept',
    says: /0050_monitoring\.sql/,
  },
  'a migration of a newer version': {
    id: 'migrations',
    breaks: `insert into app.schema_migrations values ('9999_later.sql', 'x', now(), now())`,
    status: 'failed',
    repairs: `delete from app.schema_migrations where name = '9999_later.sql'`,
    says: /newer version/,
  },
  'an edited migration': {
    id: 'migrations',
    breaks: `update app.schema_migrations set checksum = 'x' || checksum where name = '0002_app.sql'`,
    status: 'failed',
    repairs: `update app.schema_migrations set checksum = substr(checksum, 2) where name = '0002_app.sql'`,
    says: /changed after it ran/,
  },
  'functions of another version': {
    id: 'database-functions',
    breaks: `update app.schema_migrations set checksum = 'x' || checksum where name = 'functions/app.sql'`,
    status: 'failed',
    repairs: `update app.schema_migrations set checksum = substr(checksum, 2) where name = 'functions/app.sql'`,
    says: /functions\/app\.sql/,
  },
  'an old job queue': {
    id: 'job-queue-version',
    breaks: 'update graphile_worker.migrations set id = -id where id = 20',
    status: 'failed',
    repairs: 'update graphile_worker.migrations set id = -id where id = -20',
    says: /revision 19/,
  },
  'a table without row-level security': {
    id: 'row-level-security',
    breaks: 'alter table projects disable row level security',
    status: 'failed',
    repairs: 'alter table projects enable row level security',
    says: /public\.projects/,
  },
  'an index that was not built': {
    id: 'invalid-indexes',
    breaks: `update pg_index set indisvalid = false where indexrelid = 'deliveries_created_at_idx'::regclass`,
    status: 'warning',
    repairs: 'reindex index deliveries_created_at_idx',
    says: /deliveries_created_at_idx/,
  },
  'another sort order': {
    id: 'collation',
    breaks: `update pg_database set datcollversion = '0.9' where datname = current_database()`,
    status: 'failed',
    repairs: `do $$ begin execute format('alter database %I refresh collation version', current_database()); end $$`,
    says: /0\.9/,
  },
  'a worker that is silent': {
    id: 'worker',
    breaks: `insert into app.job_workers (worker_id, last_seen_at) values ('one', now() - interval '2 minutes')`,
    status: 'failed',
    repairs: 'update app.job_workers set last_seen_at = now()',
    says: /No worker/,
  },
  'a queue that is stuck': {
    id: 'queue-stuck',
    breaks: `select graphile_worker.add_job('waits', run_at => now() - interval '2 hours')`,
    status: 'failed',
    repairs: 'delete from graphile_worker._private_jobs',
    says: /120 minutes/,
  },
  'a failed job': {
    id: 'failed-jobs',
    breaks: `select graphile_worker.add_job('failed', max_attempts => 1);
      update graphile_worker._private_jobs set attempts = 1`,
    status: 'warning',
    repairs: 'delete from graphile_worker._private_jobs',
    says: /1 job failed/,
  },
  'two versions at a time': {
    id: 'process-versions',
    breaks: `insert into app.monitored_processes values
      (gen_random_uuid(), 'web', 'a', 1, '1.0.0', '24', now()), (gen_random_uuid(), 'web', 'b', 1, '1.1.0', '24', now())`,
    status: 'warning',
    repairs: `delete from app.monitored_processes where app_version = '1.0.0'`,
    says: /1\.0\.0 and 1\.1\.0/,
  },
  'more processes than connections': {
    id: 'connection-limit',
    breaks: `insert into app.monitored_processes
      select gen_random_uuid(), 'web', 'many', n, '1.0.0', '24', now() from generate_series(1, 100) as n`,
    status: 'warning',
    repairs: 'delete from app.monitored_processes',
    says: /101 processes/,
  },
  'dropped log lines': {
    id: 'log-lines-dropped',
    breaks: `insert into app.log_writers (process, dropped, dropped_at) values ('a:1', 12, now())`,
    status: 'warning',
    repairs: 'delete from app.log_writers',
    says: /12 log lines/,
  },
  'log lines that wait': {
    id: 'log-writer-late',
    breaks: `insert into app.log_writers (process, waiting, oldest_waiting_at, last_error)
      values ('a:1', 9000, now() - interval '2 minutes', 'disk full')`,
    status: 'warning',
    repairs: 'delete from app.log_writers',
    says: /1 process does not store.*disk full/,
  },
  'a process that stores no log lines': {
    id: 'log-writer-late',
    breaks: `insert into app.monitored_processes
      values (gen_random_uuid(), 'web', 'a', 7, '1.0.0', '24', now() - interval '1 hour')`,
    status: 'warning',
    repairs: `insert into app.log_writers (process) values ('a:7')`,
    says: /1 process does not store/,
  },
  'a log that is too large': {
    id: 'log-size',
    breaks: `insert into app.log_parts values ('2026-01-01', now(), 1, true)`,
    status: 'warning',
    repairs: 'delete from app.log_parts; delete from app.log_writers; delete from app.monitored_processes',
    says: /before 2026-01-01T06:00/,
  },
  'emails that wait': {
    id: 'mail-outbox',
    breaks: `insert into app.emails (id, kind, to_address, subject, html, text, created_at, last_error)
      values (gen_random_uuid(), 'made', 'a@example.com', 'x', '', '', now() - interval '1 hour', 'mail server away')`,
    status: 'warning',
    repairs: 'delete from app.emails',
    says: /60 minutes.*mail server away/,
  },
  'an email that was given up': {
    id: 'mail-failed',
    breaks: `insert into app.emails (id, kind, to_address, subject, html, text, failed_at)
      values (gen_random_uuid(), 'made', 'a@example.com', 'x', '', '', now())`,
    status: 'warning',
    repairs: 'delete from app.emails',
    says: /1 email was/,
  },
  'words of an email that use a variable of another version': {
    id: 'mail-templates',
    breaks: `insert into app.email_templates (id, version, words, default_words)
      values ('magic_link', 1, '{"title": "{{gone}}"}', '{}')`,
    status: 'warning',
    repairs: 'delete from app.email_templates',
    says: /Sign-in link/,
  },
  'a disabled integration': {
    id: 'integrations',
    breaks: plant(`insert into integrations (organization_id, id, type, name, secrets, event_names, state, created_by)
      values ('${organizationId}', '${integrationA}', 'webhook', 'Hook', '', '{}', 'disabled', gen_random_uuid())`),
    status: 'warning',
    repairs: plant('delete from integrations'),
    says: /1 integration is disabled/,
  },
  'deliveries that no one answers': {
    id: 'outbound',
    breaks: plant(`
      insert into deliveries (organization_id, integration_id, event_name)
      select '${organizationId}', case when n < 4 then '${integrationA}' else '${integrationB}' end::uuid, 'feedback.created'
      from generate_series(1, 6) as n
      on conflict do nothing;
      insert into deliveries (organization_id, integration_id, event_name, event_id)
      select '${organizationId}', '${integrationA}', 'feedback.created', gen_random_uuid() from generate_series(1, 6);
      insert into delivery_attempts (organization_id, delivery_id, number, duration_ms, failure)
      select organization_id, id, 1, 1, 'unreachable' from deliveries`),
    status: 'failed',
    repairs: plant('update delivery_attempts set status = 200'),
    says: /None of \d deliveries to 2/,
  },
  'events of Stripe that don’t arrive': {
    id: 'stripe-webhook',
    env: stripe,
    breaks: plant(`insert into stripe_customers (organization_id, customer_id, created_at)
      values ('${organizationId}', 'cus_1', now() - interval '3 hours')`),
    status: 'failed',
    repairs: `insert into stripe_events (id, type, outcome, created_at) values ('evt_1', 'invoice.paid', 'converging', now())`,
    says: /3 hours/,
  },
  'events of another Stripe account': {
    id: 'stripe-webhook',
    env: stripe,
    breaks: `insert into stripe_events (id, type, outcome, created_at) values ('evt_2', 'invoice.paid', 'foreign', now())`,
    status: 'warning',
    repairs: `delete from stripe_events where id = 'evt_2'`,
    says: /another account/,
  },
}

describe.each(Object.entries(cases))(
  '%s',
  (_name, { id = '', breaks, status, repairs, says, fine = 'ok', env = {} }) => {
    it('is found, and fine once it is repaired', async () => {
      await client.query(breaks)
      const sick = await look(id, { env })
      expect([sick.status, sick.sentence]).toEqual([status, expect.stringMatching(says)])
      await client.query(repairs)
      const healthy = await look(id, { env })
      expect([healthy.status, healthy.sentence]).toEqual([fine, expect.any(String)])
    })
  },
)

describe('extensions', () => {
  it('finds a missing one', async () => {
    await client.query('drop extension btree_gin cascade')
    expect(await look('extensions')).toMatchObject({ status: 'failed', sentence: expect.stringContaining('btree_gin') })
    await client.query('create extension btree_gin schema public')
    expect((await look('extensions')).status).toBe('ok')
  })
})

describe('autovacuum', () => {
  it('finds that it is off', async () => {
    await client.query('alter system set autovacuum = off')
    await client.query('select pg_reload_conf()')
    await expect.poll(async () => (await look('autovacuum')).status).toBe('failed')
    await client.query('alter system reset autovacuum')
    await client.query('select pg_reload_conf()')
    await expect.poll(async () => (await look('autovacuum')).status).toBe('ok')
  })

  it('finds a table that it neglects', async () => {
    await client.query(`create table neglected (n integer) with (autovacuum_enabled = false)`)
    await client.query('alter table neglected enable row level security')
    await client.query('insert into neglected select generate_series(1, 30000)')
    await client.query('delete from neglected')
    await client.query('select pg_stat_force_next_flush()')
    await expect.poll(async () => (await look('dead-rows')).sentence).toMatch(/neglected has 30,000 dead rows/)
    await client.query('vacuum neglected')
    await expect.poll(async () => (await look('dead-rows')).status).toBe('ok')
    await client.query('drop table neglected')
  })
})

describe('fsync', () => {
  it('finds that a power cut could destroy the database', async () => {
    await client.query('alter system set full_page_writes = off')
    await client.query('select pg_reload_conf()')
    await expect.poll(async () => (await look('fsync')).status).toBe('failed')
    await client.query('alter system reset full_page_writes')
    await client.query('select pg_reload_conf()')
    await expect.poll(async () => (await look('fsync')).sentence).not.toMatch(/full_page_writes/)
  })
})

describe('login-powers', () => {
  it('finds a login that is a superuser, and none in the app’s own', async () => {
    const owner = open(urls.url)
    const env = { DATABASE_URL: urls.url }
    expect(await look('login-powers', { database: owner, env })).toMatchObject({
      status: 'warning',
      sentence: expect.stringContaining('is a superuser'),
    })
    await owner.close()
    expect(await look('login-powers', { env })).toMatchObject({ status: 'ok' })
  })
})

describe('database-time-zone', () => {
  it('finds sessions that are not in UTC', async () => {
    const alter = (change: string) =>
      client.query(`do $$ begin execute format('alter database %I ${change}', current_database()); end $$`)
    const lookAgain = async () => {
      const fresh = open(urls.appUrl)
      const { status } = await look('database-time-zone', { database: fresh })
      await fresh.close()
      return status
    }
    await alter("set timezone = ''Asia/Tokyo''")
    expect(await lookAgain()).toBe('failed')
    await alter('reset timezone')
    expect(await lookAgain()).toBe('ok')
  })
})

describe('clock', () => {
  it('finds a clock that is wrong', async () => {
    const shift = (seconds: number) => look('clock', { machine: { now: () => Date.now() + seconds * 1000 } })
    expect((await shift(3600)).status).toBe('failed')
    expect((await shift(-5)).status).toBe('warning')
    expect((await shift(0)).status).toBe('ok')
  })
})

describe('database-disk', () => {
  it('finds too little room for the built-in database', async () => {
    const withFree = (freeBytes: number) =>
      look('database-disk', {
        machine: { readDisk: async () => ({ freeBytes, totalBytes: 1e12, freeFiles: 1, totalFiles: 1 }) },
      })
    expect((await withFree(1000)).status).toBe('warning')
    expect((await withFree(1e12)).status).toBe('ok')
    expect((await look('database-disk', { env: { DATABASE_URL: urls.url }, sources: {} })).status).toBe(
      'not_applicable',
    )
  })
})

describe('connections-used', () => {
  it('counts open connections', async () => {
    expect(await look('connections-used')).toMatchObject({
      status: 'ok',
      sentence: expect.stringMatching(/^\d+ of \d+/),
    })
  })
})

describe('superadmin', () => {
  it('finds that there is none, and one who can’t sign in', async () => {
    expect((await look('superadmin')).status).toBe('failed')
    const user = await createUser(client)
    expect((await look('superadmin')).status).toBe('ok')
    const env = { SUPERADMIN_EMAILS: `${user.email},other@earshot.example` }
    expect(await look('superadmin-emails', { env })).toMatchObject({ status: 'warning' })
    expect((await look('superadmin-emails', { env: { SUPERADMIN_EMAILS: user.email } })).status).toBe('ok')
    await client.query(`update auth.users set banned_until = now() + interval '1 day'`)
    expect(await look('superadmin')).toMatchObject({
      status: 'failed',
      sentence: expect.stringContaining('can sign in'),
    })
    await client.query('update auth.users set banned_until = null')
    expect((await look('superadmin')).status).toBe('ok')
  })
})

describe('a healthy database', () => {
  it('warns of machines that make secrets and keep files of their own', async () => {
    expect(await look('shared-settings')).toMatchObject({ status: 'ok' })
    await client.query(`insert into app.monitored_processes (id, services, host, pid, app_version, node_version, started_at)
      select gen_random_uuid(), 'web', host, 1, '1', '24', now() from unnest(array['one', 'other']) as h (host)`)
    expect(await look('shared-settings')).toMatchObject({
      status: 'warning',
      sentence: expect.stringContaining('INSTANCE_SECRET, GOTRUE_JWT_KEYS, S3_BUCKET are not set'),
    })
    const env = { INSTANCE_SECRET: 'x'.repeat(32), GOTRUE_JWT_SECRET: 'y'.repeat(32), S3_BUCKET: 'files' }
    expect(await look('shared-settings', { env })).toMatchObject({ status: 'ok' })
    await client.query('delete from app.monitored_processes')
  })

  it('says where reports are read without a replica, of a replica that is none, and of one that is away', async () => {
    expect(await look('read-replica')).toMatchObject({ status: 'not_applicable' })
    expect(await look('read-replica', { replica: database })).toMatchObject({
      status: 'warning',
      sentence: 'DATABASE_REPLICA_URL leads to a server that is no replica.',
    })
    const away = open('postgres://away@127.0.0.1:1/none')
    expect(await look('read-replica', { replica: away })).toMatchObject({ status: 'failed' })
    await away.close()
  })

  it.each(['database-reachable', 'database-version', 'checksums'])('passes %s', async (id) => {
    expect((await look(id)).status).toBe('ok')
  })
})
