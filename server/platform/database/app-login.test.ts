import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '#server/platform/log/log.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { checkAppLogin, makeAppLogin } from './app-login.ts'
import { openDatabase } from './database.ts'
import { jobQueueRevision } from './migrate.ts'
import { functionsFolder } from './migration-files.ts'

let database: TestDatabase
let admin: pg.Client
const lines: string[] = []
const log = createLog({ level: 'warn', destination: { write: (line) => lines.push(line) } })

beforeAll(async () => {
  database = await createTestDatabase()
  admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await database.drop()
})

/** A login of the operator's. */
async function createLogin(attributes = ''): Promise<{ login: string; url: string; drop(): Promise<unknown> }> {
  const login = `operator_${randomUUID().replaceAll('-', '')}`
  await admin.query(`create role ${login} login noinherit password 'secret' ${attributes}`)
  const url = new URL(database.url)
  url.username = login
  url.password = 'secret'
  return { login, url: url.href, drop: () => admin.query(`drop role ${login}`) }
}

describe('checkAppLogin', () => {
  it('names the rights that are missing, and the statement that grants them', async () => {
    const { login, url, drop } = await createLogin()
    await admin.query(`grant anon to ${login}`)
    await expect(checkAppLogin({ url, ownerUrl: url, isSupabase: false, log })).rejects.toThrow(
      `The login ${login} of DATABASE_URL is not a member of authenticator, authenticated, service_role, earshot_api_key, supabase_auth_admin. As the ` +
        `database's owner, run: grant authenticator, authenticated, service_role, earshot_api_key, supabase_auth_admin to "${login}";`,
    )
    await drop()
  })

  it('grants them where another login migrates', async () => {
    const { url, drop } = await createLogin()
    await checkAppLogin({ url, ownerUrl: database.url, isSupabase: false, log })
    await checkAppLogin({ url, ownerUrl: url, isSupabase: false, log })
    expect(lines).toEqual([])
    await drop()
  })

  it('asks a Supabase project for no role that its auth server keeps', async () => {
    const { login, url, drop } = await createLogin()
    await admin.query(`grant authenticator, anon, authenticated, service_role, earshot_api_key to ${login}`)
    await checkAppLogin({ url, ownerUrl: url, isSupabase: true, log })
    await drop()
  })

  it('warns of a superuser and of a login that reaches files', async () => {
    const { login, url, drop } = await createLogin('superuser')
    await checkAppLogin({ url, ownerUrl: url, isSupabase: false, log })
    expect(lines.splice(0)).toEqual([expect.stringContaining(`The login ${login} of DATABASE_URL is a superuser`)])
    await admin.query(`alter role ${login} nosuperuser`)
    await admin.query(
      `grant authenticator, anon, authenticated, service_role, earshot_api_key, supabase_auth_admin, pg_read_server_files to ${login}`,
    )
    await checkAppLogin({ url, ownerUrl: url, isSupabase: false, log })
    expect(lines.splice(0)).toEqual([expect.stringContaining('may read or write files')])
    await drop()
  })
})

describe('checkAppLogin behind a pooler', () => {
  const check = (url: string, directUrl: string, ownerUrl = database.url) =>
    checkAppLogin({ url, directUrl, ownerUrl, isSupabase: false, log })

  it('lets sessions without options begin without rights and with time limits, when processes start together', async () => {
    const { url, drop } = await createLogin()
    await check(url, url)
    await Promise.all(Array.from({ length: 5 }, () => check(url, url)))
    const pooled = openDatabase({ url, directUrl: url, log: { ...log, debug: () => {} }, maxConnections: 2 })
    const { rows } = await sql<{ role: string; limit: string; wait: number }>`
      select current_user as role, current_setting('statement_timeout') as limit, app.take_token('t', 'k', 1, 1000) as wait
    `.execute(pooled.powerless)
    expect(rows).toEqual([{ role: 'authenticator', limit: '20s', wait: 0 }])
    expect(
      await pooled.asSystem('a test', async (tx) => (await sql`select current_user as role`.execute(tx)).rows),
    ).toEqual([{ role: 'service_role' }])
    await pooled.close()
    await drop()
  })

  it('refuses one login for the app and for migrations', async () => {
    const { login, url, drop } = await createLogin('superuser')
    await expect(check(url, url, url)).rejects.toThrow(`it is ${login}, as in DATABASE_DIRECT_URL`)
    await drop()
  })

  it('says when sessions of the pooler begin as someone else', async () => {
    const direct = await createLogin()
    const pooled = await createLogin()
    await expect(check(pooled.url, direct.url)).rejects.toThrow(
      `Cannot use the login of DATABASE_URL: its sessions begin as ${pooled.login}, not as authenticator`,
    )
    await direct.drop()
    await pooled.drop()
  })
})

describe('makeAppLogin', () => {
  it('gives the login a new password, and takes away attributes that someone gave to it', async () => {
    const { login, url, drop } = await createLogin('superuser createrole')
    const first = await makeAppLogin(database.url, login)
    const second = await makeAppLogin(database.url, login)
    const { rows } = await admin.query('select rolsuper, rolcreaterole from pg_roles where rolname = $1', [login])
    expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false }])
    for (const former of [url, first]) {
      await expect(new pg.Client({ connectionString: former }).connect()).rejects.toMatchObject({ code: '28P01' })
    }
    await checkAppLogin({ url: second, ownerUrl: second, isSupabase: false, log })
    expect(lines).toEqual([])
    await drop()
  })
})

it('db/functions/app.sql runs again when the job queue’s tables have changed', async () => {
  const text = await readFile(join(functionsFolder, 'app.sql'), 'utf8')
  expect(text).toContain(`Written for revision ${jobQueueRevision} of the job queue’s schema`.replace('’', "'"))
})
