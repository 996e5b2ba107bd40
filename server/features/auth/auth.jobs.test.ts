import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { createLimitJobs } from '#server/platform/limits/limits.jobs.ts'
import { createSharedLimit } from '#server/platform/limits/shared-limit.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { createAuthJobs } from './auth.jobs.ts'

let testDatabase: TestDatabase
let database: Database
let sql: pg.Client
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ url: testDatabase.url, log: createLog({ level: 'silent' }), maxConnections: 3 })
  sql = new pg.Client({ connectionString: testDatabase.url })
  await sql.connect()
})
afterAll(async () => {
  await Promise.all([database.close(), sql.end()])
  await testDatabase.drop()
})

async function list(query: string): Promise<unknown[]> {
  return (await sql.query({ text: query, rowMode: 'array' })).rows.flat()
}

describe('job prune_auth', () => {
  it('deletes long expired rows, and no others', async () => {
    const { id: userId } = await createUser(sql)
    const { id: otherId } = await createUser(sql, { isConfirmed: false })
    await sql.query("update auth.users set created_at = now() - interval '10 years' where id = $1", [otherId])
    await sql.query(`
      insert into auth.flow_state (id, provider_type, authentication_method, created_at, auth_code_issued_at, auth_code) values
        (gen_random_uuid(), 'email', 'x', now() - interval '25 hours', null, 'old'),
        (gen_random_uuid(), 'email', 'x', now() - interval '25 hours', now() - interval '2 hours', 'old, opened'),
        (gen_random_uuid(), 'email', 'x', now() - interval '25 hours', now() - interval '1 minute', 'opened just now'),
        (gen_random_uuid(), 'email', 'x', now() - interval '23 hours', null, 'young');
      insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, created_at, updated_at) values
        ('${userId}', 'recovery_token', 'dead', 'x', localtimestamp - interval '49 hours', localtimestamp - interval '49 hours'),
        ('${userId}', 'confirmation_token', 'sent again', 'x', localtimestamp - interval '49 hours', localtimestamp),
        ('${otherId}', 'confirmation_token', 'young', 'x', localtimestamp - interval '47 hours', localtimestamp - interval '47 hours');
      insert into auth.sessions (id, user_id, tag, not_after) values
        (gen_random_uuid(), '${userId}', 'ended', now() - interval '1 minute'),
        (gen_random_uuid(), '${userId}', 'ends', now() + interval '1 minute'),
        (gen_random_uuid(), '${userId}', 'endless', null);
      insert into auth.refresh_tokens (token, revoked, updated_at, session_id) values
        ('revoked long ago', true, now() - interval '25 hours', null),
        ('revoked lately', true, now() - interval '23 hours', null),
        ('active', false, now() - interval '1 year', null),
        ('of the ended', false, now(), (select id from auth.sessions where tag = 'ended'));
      insert into auth.audit_log_entries (id, created_at, ip_address) values
        (gen_random_uuid(), now() - interval '31 days', 'old'), (gen_random_uuid(), now() - interval '29 days', 'young')`)

    const [prune] = createAuthJobs({ database, auditLogDays: 30 })
    await prune?.run(undefined)

    expect(await list('select auth_code from auth.flow_state order by 1')).toEqual(['opened just now', 'young'])
    expect(await list('select token_hash from auth.one_time_tokens order by 1')).toEqual(['sent again', 'young'])
    expect(await list('select tag from auth.sessions order by 1')).toEqual(['endless', 'ends'])
    expect(await list('select token from auth.refresh_tokens order by 1')).toEqual(['active', 'revoked lately'])
    expect(await list('select ip_address from auth.audit_log_entries')).toEqual(['young'])
    expect(await list(`select count(*)::int from auth.users where id in ('${userId}', '${otherId}')`)).toEqual([2])
  })

  it('deletes more than one batch, by an index where the table grows', async () => {
    await sql.query(`
      insert into auth.audit_log_entries (id, created_at)
      select gen_random_uuid(), now() - n * interval '1 minute' from generate_series(1, 50000) n`)
    await sql.query('analyze auth.audit_log_entries')
    const [prune] = createAuthJobs({ database, auditLogDays: 30 })
    await prune?.run(undefined)
    expect(await list('select count(*)::int from auth.audit_log_entries')).toEqual([30 * 24 * 60])
    const plan = await list(
      "explain select id from auth.audit_log_entries where created_at < now() - interval '30 days' order by created_at limit 10",
    )
    expect(plan.join('\n')).toContain('audit_log_entries_created_at_idx')
  })
})

describe('job prune_rate_limits', () => {
  it('deletes the buckets that are full again', async () => {
    const limit = createSharedLimit({ name: 'pruned', capacity: 2, refillMs: 60_000 }, database)
    await limit.take('a')
    await limit.take('b')
    await sql.query("update app.rate_limits set full_at = now() - interval '1 second' where key_hash = sha256('a')")
    const [prune] = createLimitJobs(database)
    await prune?.run(undefined)
    expect(await list("select encode(key_hash, 'hex') = encode(sha256('b'), 'hex') from app.rate_limits")).toEqual([
      true,
    ])
  })
})
