import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createBlankDatabase } from '#server/testing/database.ts'
import { migrate } from './migrate.ts'

const silent = { info: () => {}, warn: () => {} }

// Logins of managed PostgreSQL may create roles, but are not superusers and do not bypass row-level security.
describe('a login that is not a superuser', () => {
  it('migrates the database, and sign-up, members and the system work under it', async () => {
    const database = await createBlankDatabase()
    const login = `managed_${randomUUID().replaceAll('-', '')}`
    const name = new URL(database.url).pathname.slice(1)
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    await admin.query(`create role ${login} login createrole password 'managed'`)
    await admin.query(`alter database "${name}" owner to ${login}`)

    const url = new URL(database.url)
    url.username = login
    url.password = 'managed'
    // Roles that exist already were made by another login here; a managed server's only login has made them itself.
    await admin.query(`do $$ declare r text; begin
      foreach r in array array['anon', 'authenticated', 'service_role', 'authenticator', 'supabase_auth_admin', 'earshot_api_key'] loop
        if exists (select from pg_roles where rolname = r) then
          execute format('grant %I to ${login} with admin option', r);
        end if;
      end loop; end $$`)
    await migrate({ url: url.href, log: silent })

    const app = new pg.Client({ connectionString: url.href, options: '-c role=authenticator' })
    await app.connect()
    const as = async (role: string, sub: string, statement: string, values: unknown[] = []) => {
      await app.query('begin')
      await app.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
        role,
        JSON.stringify({ sub, role }),
      ])
      const { rows } = await app.query(statement, values)
      await app.query('commit')
      return rows
    }
    const userId = randomUUID()
    await as(
      'supabase_auth_admin',
      userId,
      `insert into auth.users (id, email, raw_user_meta_data, email_confirmed_at)
       values ($1, 'ada@example.com', '{"organization_name": "Analytical Engines"}', now())`,
      [userId],
    )
    expect(await as('authenticated', userId, 'select name from public.organizations')).toEqual([
      { name: 'Analytical Engines' },
    ])
    expect(await as('authenticated', randomUUID(), 'select name from public.organizations')).toEqual([])
    expect(await as('service_role', '', 'select count(*)::int as n from public.memberships')).toEqual([{ n: 1 }])

    await app.end()
    await admin.end()
    await database.drop()
  })
})
