import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { type SupabaseDatabase, startSupabaseDatabase } from '#server/testing/supabase-database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { migrate } from './migrate.ts'

const silent = { info: () => {}, warn: () => {} }

let supabase: SupabaseDatabase
let own: TestDatabase
let inProject: pg.Client
let inOwn: pg.Client
let applied: string[]

beforeAll(async () => {
  ;[supabase, own] = await Promise.all([startSupabaseDatabase(), createTestDatabase()])
  applied = (await migrate({ url: supabase.ownerUrl, log: silent, skipAuth: true })).applied
  inProject = new pg.Client({ connectionString: supabase.ownerUrl })
  inOwn = new pg.Client({ connectionString: own.url })
  await Promise.all([inProject.connect(), inOwn.connect()])
}, 60_000)
afterAll(async () => {
  await Promise.all([inProject?.end(), inOwn?.end()])
  await Promise.all([supabase?.stop(), own?.drop()])
})

/** Runs the same query on both databases. Their owners are called `owner` in both results. */
async function ask(query: string): Promise<[unknown[], unknown[]]> {
  const answers = await Promise.all(
    [inProject, inOwn].map(async (client) => {
      const { rows } = await client.query<{ line: string }>(query)
      return rows.map(({ line }) => line.replaceAll(/\b(project_owner|postgres)\b/g, 'owner'))
    }),
  )
  return answers as [unknown[], unknown[]]
}

describe('a Supabase project’s database', () => {
  it('runs every migration except that of schema auth, and none twice', async () => {
    expect(applied[0]).toBe('0002_app.sql')
    expect(applied.some((name) => name.endsWith('_auth.sql'))).toBe(false)
    expect((await migrate({ url: supabase.ownerUrl, log: silent, skipAuth: true })).applied).toEqual([])
  })

  it.each([
    [
      'tables',
      `select format('%s.%s: %s %s', n.nspname, c.relname, coalesce(g.rolname, 'public'), a.privilege_type) as line
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       cross join lateral aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a left join pg_roles g on g.oid = a.grantee
       where n.nspname in ('public', 'app') and c.relkind in ('r', 'p', 'v', 'S') order by 1`,
    ],
    [
      'columns',
      `select format('%s.%s: %s %s', c.relname, t.attname, coalesce(g.rolname, 'public'), a.privilege_type) as line
       from pg_class c join pg_attribute t on t.attrelid = c.oid
       cross join lateral aclexplode(t.attacl) a left join pg_roles g on g.oid = a.grantee
       where c.relnamespace in ('public'::regnamespace, 'app'::regnamespace) order by 1`,
    ],
    [
      'functions',
      `select format('%s: %s %s', p.oid::regprocedure, coalesce(g.rolname, 'public'), a.privilege_type) as line
       from pg_proc p
       cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a left join pg_roles g on g.oid = a.grantee
       where p.pronamespace in ('public'::regnamespace, 'app'::regnamespace)
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`,
    ],
    [
      'policies',
      `select format('%s.%s %s %s %s using %s check %s', schemaname, tablename, policyname, roles, cmd, qual, with_check) as line
       from pg_policies where schemaname in ('public', 'app') order by 1`,
    ],
    [
      'triggers, on accounts too',
      `select format('%s %s', t.tgrelid::regclass, pg_get_triggerdef(t.oid)) as line
       from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where not t.tgisinternal and c.relnamespace in ('public'::regnamespace, 'app'::regnamespace, 'auth'::regnamespace) order by 1`,
    ],
  ])('stands like one of our own: %s', async (_what, query) => {
    const [project, ours] = await ask(query)
    expect(project.length).toBeGreaterThan(0)
    expect(project).toEqual(ours)
  })

  it('leaves the platform’s roles and the owner of schema auth as they are', async () => {
    const { rows } = await inProject.query(
      `select distinct pg_get_userbyid(c.relowner) as owner from pg_class c where c.relnamespace = 'auth'::regnamespace`,
    )
    expect(rows).toEqual([{ owner: 'supabase_auth_admin' }])
    await expect(inProject.query('set role supabase_auth_admin')).rejects.toThrow(/permission denied/)
  })

  it('gives existing users an organisation, by the guide’s statements, once', async () => {
    const guide = await readFile(new URL('../../../docs/guides/bring-your-own-supabase.md', import.meta.url), 'utf8')
    const statements = /```sql\n(insert into public\.profiles[\s\S]*?)```/.exec(guide)?.[1] ?? ''
    const id = '2b5a3c1e-7d2f-4a86-9b1c-2d3e4f5a6b7c'
    const platform = new pg.Client({ connectionString: supabase.platformUrl })
    await platform.connect()
    // As it was before there were triggers.
    await platform.query('set session_replication_role = replica')
    await platform.query(
      `insert into auth.users (id, email, raw_user_meta_data, email_confirmed_at)
       values ($1, 'early@example.com', '{"full_name": "Early Bird"}', now())`,
      [id],
    )
    await platform.end()
    for (let time = 0; time < 2; time += 1) await inProject.query(statements)
    const { rows } = await inProject.query(
      `select o.name, m.role, p.full_name, p.email from public.memberships m
       join public.organizations o on o.id = m.organization_id join public.profiles p using (user_id) where user_id = $1`,
      [id],
    )
    expect(rows).toEqual([
      { name: "Early's organisation", role: 'owner', full_name: 'Early Bird', email: 'early@example.com' },
    ])
  })

  it('makes organisation and profile of a user who signs up there, and shows them to the guard', async () => {
    const platform = new pg.Client({ connectionString: supabase.platformUrl })
    await platform.connect()
    const id = '0b5a3c1e-7d2f-4a86-9b1c-2d3e4f5a6b7c'
    const sessionId = '1b5a3c1e-7d2f-4a86-9b1c-2d3e4f5a6b7c'
    await platform.query('set role supabase_auth_admin')
    await platform.query(
      `insert into auth.users (id, email, raw_user_meta_data, email_confirmed_at)
       values ($1, 'ada@example.com', '{"organization_name": "Analytical Engines"}', now())`,
      [id],
    )
    await platform.query('insert into auth.sessions (id, user_id) values ($1, $2)', [sessionId, id])
    await platform.end()

    const app = new pg.Client({ connectionString: supabase.ownerUrl, options: '-c role=authenticator' })
    await app.connect()
    const standing = await app.query('select * from app.get_actor($1, $2, null)', [id, sessionId])
    expect(standing.rows[0]).toMatchObject({ is_known: true, is_verified: true, is_banned: false, is_superadmin: true })
    await app.query('begin')
    await app.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', '{"sub": "${id}"}', true)`,
    )
    expect((await app.query('select name from public.organizations')).rows).toEqual([{ name: 'Analytical Engines' }])
    await expect(app.query(`update public.organizations set subscription_status = 'active'`)).rejects.toThrow(
      /permission denied for table organizations/,
    )
    await app.end()
  })

  it('lets its operator name a superadmin, by the guide’s statements', async () => {
    const guide = await readFile(new URL('../../../docs/guides/bring-your-own-supabase.md', import.meta.url), 'utf8')
    const statements = /```sql\n(update app\.instance_settings[\s\S]*?)```/.exec(guide)?.[1] ?? ''
    await inProject.query('delete from app.superadmins')
    await inProject.query(statements.replace('you@example.com', 'early@example.com'))
    const { rows } = await inProject.query(
      'select u.email from app.superadmins s join auth.users u on u.id = s.user_id',
    )
    expect(rows).toEqual([{ email: 'early@example.com' }])
  })
})
