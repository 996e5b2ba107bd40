import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { functions, inlined, unforced, withoutTenant } from '#server/testing/gather-facts.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'

/*
 * Rules that every table and function keeps, read from PostgreSQL's own catalogue: every new one is held
 * to them unasked. An exception stands in the facts of its noun, with its reason.
 */

/** The roles that a transaction may take on. */
const ourRoles = ['anon', 'authenticated', 'authenticator', 'service_role', 'supabase_auth_admin', 'earshot_api_key']

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    set search_path = '';
    create temp view tables as
      select c.*, c.oid::regclass::text as name from pg_class c
      where c.relnamespace in ('public'::regnamespace, 'app'::regnamespace, 'auth'::regnamespace) and c.relkind in ('r', 'p');
    create temp view functions as
      select p.*, p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'app'::regnamespace, 'auth'::regnamespace)
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`)
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

/** The first column of the result. */
async function list(query: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await client.query<[string]>({ text: query, values, rowMode: 'array' })
  return rows.map(([value]) => value)
}

describe('every table', () => {
  it('enables row-level security', async () => {
    expect(await list('select name from pg_temp.tables where not relrowsecurity')).toEqual([])
  })

  it('forces it on its owner too, or is listed with a reason', async () => {
    const names = await list('select name from pg_temp.tables where not relforcerowsecurity order by name collate "C"')
    expect(names).toEqual(Object.keys(unforced).sort())
  })

  it('has, where forced, a policy that shows all rows to its owner and service_role only', async () => {
    const wrong = await list(`
      select t.name from pg_temp.tables t
      where t.relforcerowsecurity and not exists (
        select from pg_policy p where p.polrelid = t.oid and p.polname = 'system' and p.polcmd = '*' and p.polpermissive
          and (select array_agg(r order by r) from unnest(p.polroles) r)
            = (select array_agg(r order by r) from unnest(array[t.relowner, 'service_role'::regrole]) r))`)
    expect(wrong).toEqual([])
  })

  it('has no policy that is always true for other roles, or that trusts a user’s own metadata', async () => {
    const wrong = await list(`
      select p.polrelid::regclass || ' ' || p.polname from pg_policy p
      where p.polname <> 'system' and (
        coalesce(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) in ('true', '(true)')
        or pg_get_expr(p.polwithcheck, p.polrelid) = 'true'
        or concat(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) ~ 'user_meta_?data')`)
    expect(wrong).toEqual([])
  })

  it('has no policy for anonymous callers or for all roles', async () => {
    const wrong = await list(`
      select polrelid::regclass || ' ' || polname from pg_policy
      where polroles && array[0::oid, 'anon'::regrole::oid] and polrelid in (select oid from pg_temp.tables)`)
    expect(wrong).toEqual([])
  })

  it('evaluates the caller’s id once per statement, not once per row', async () => {
    // auth.uid() bare in a USING clause is evaluated for every row; in a subselect it is evaluated once.
    const wrong = await list(`
      select p.polrelid::regclass || ' ' || p.polname from pg_policy p
      where regexp_replace(pg_get_expr(p.polqual, p.polrelid), '\\( SELECT auth\\.(uid|role|jwt|email)\\(\\)', '', 'g')
        ~ 'auth\\.(uid|role|jwt|email)\\('`)
    expect(wrong).toEqual([])
  })

  it('has a primary key', async () => {
    const wrong = await list(
      "select name from pg_temp.tables t where not exists (select from pg_constraint k where k.conrelid = t.oid and k.contype = 'p')",
    )
    expect(wrong).toEqual([])
  })

  it('has a comment', async () => {
    expect(await list("select name from pg_temp.tables where obj_description(oid, 'pg_class') is null")).toEqual([])
  })

  it('has an index for each of its foreign keys, so that deleting the referenced row needs no scan', async () => {
    const wrong = await list(`
      select k.conrelid::regclass || ' ' || k.conname from pg_constraint k
      where k.contype = 'f' and k.conrelid in (select oid from pg_temp.tables) and not exists (
        select from pg_index i
        where i.indrelid = k.conrelid and i.indisvalid
          -- A row without a value refers to nothing, so the index may leave it out.
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (
            select format('(%I IS NOT NULL)', a.attname) from pg_attribute a
            where a.attrelid = k.conrelid and a.attnum = any (k.conkey)))
          and (select array_agg(c order by c) from unnest((i.indkey::int2[])[0:cardinality(k.conkey) - 1]) c)
            = (select array_agg(c order by c) from unnest(k.conkey) c))`)
    expect(wrong).toEqual([])
  })

  it('has no two indexes on the same columns', async () => {
    const wrong = await list(`
      select a.indexrelid::regclass || ' = ' || b.indexrelid::regclass from pg_index a
      join pg_index b on b.indrelid = a.indrelid and b.indexrelid > a.indexrelid and b.indkey = a.indkey
        and b.indclass = a.indclass and b.indoption = a.indoption
        and b.indpred is not distinct from a.indpred and b.indexprs is not distinct from a.indexprs
      where a.indrelid in (select oid from pg_temp.tables where relnamespace <> 'auth'::regnamespace)`)
    expect(wrong).toEqual([])
  })
})

describe('every table of a tenant', () => {
  it('has a primary key that begins with organization_id, or is listed with a reason', async () => {
    const names = await list(`
      select t.name from pg_temp.tables t
      where t.relnamespace = 'public'::regnamespace and not exists (
        select from pg_constraint k join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[1]
        where k.conrelid = t.oid and k.contype = 'p' and a.attname = 'organization_id' and a.attnotnull)
      order by t.name collate "C"`)
    expect(names).toEqual(Object.keys(withoutTenant).sort())
  })

  it('refers to rows of its own organisation only', async () => {
    const wrong = await list(`
      select k.conrelid::regclass || ' ' || k.conname
      from pg_constraint k
      join pg_attribute there on there.attrelid = k.confrelid and there.attname = 'organization_id'
      where k.contype = 'f' and not exists (
        select from generate_subscripts(k.conkey, 1) i
        join pg_attribute here on here.attrelid = k.conrelid and here.attnum = k.conkey[i] and here.attname = 'organization_id'
        where k.confkey[i] = there.attnum)`)
    expect(wrong).toEqual([])
  })
})

describe('every function', () => {
  it('may be executed by the listed roles only', async () => {
    const { rows } = await client.query<{ name: string; grantees: string[] }>(`
      select f.name, array(
        select case a.grantee when 0 then 'PUBLIC' else pg_get_userbyid(a.grantee)::text end
        from aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a where a.grantee <> f.proowner order by 1) as grantees
      from pg_temp.functions f`)
    expect(Object.fromEntries(rows.map((row) => [row.name, row.grantees]))).toEqual(functions)
  })

  it('has a fixed search path, or is listed as inlined', async () => {
    const wrong = await list(
      `select name from pg_temp.functions where not coalesce(proconfig, '{}') @> array['search_path=""']`,
    )
    expect(wrong.sort()).toEqual(Object.keys(inlined).sort())
  })

  it('has a comment', async () => {
    expect(await list("select name from pg_temp.functions where obj_description(oid, 'pg_proc') is null")).toEqual([])
  })

  it('checks the caller, when it runs with its owner’s rights and takes a user’s id from the browser', async () => {
    const wrong = await list(`
      select f.name from pg_temp.functions f
      where f.prosecdef and f.name like 'public.%' and f.prosrc !~ 'auth\\.uid\\(\\)|app\\.organization_rows\\('`)
    expect(wrong).toEqual([])
  })
})

describe('every view', () => {
  it('shows its reader’s rows, not its owner’s', async () => {
    const wrong = await list(`
      select c.oid::regclass from pg_class c
      where c.relnamespace in ('public'::regnamespace, 'app'::regnamespace) and (c.relkind = 'm'
        or c.relkind = 'v' and not coalesce(c.reloptions, '{}') && array['security_invoker=true', 'security_invoker=on'])`)
    expect(wrong).toEqual([])
  })
})

describe('the roles', () => {
  it('cannot log in, and bypass no row-level security but service_role', async () => {
    const { rows } = await client.query(
      `select rolname as role, rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles
       where rolname = any ($1) and (rolcanlogin or rolsuper or rolcreaterole or rolcreatedb or rolbypassrls)`,
      [ourRoles],
    )
    expect(rows).toEqual([
      {
        role: 'service_role',
        rolcanlogin: false,
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolbypassrls: true,
      },
    ])
  })

  it('own nothing outside schema auth', async () => {
    const owned = await list(
      `select oid::regclass::text from pg_class where pg_get_userbyid(relowner) = any ($1) and relnamespace not in ('auth'::regnamespace, 'pg_toast'::regnamespace)
       union all select oid::regprocedure::text from pg_proc where pg_get_userbyid(proowner) = any ($1) and pronamespace <> 'auth'::regnamespace`,
      [ourRoles],
    )
    expect(owned).toEqual([])
  })

  it('can create objects in their own schema only', async () => {
    const granted = await list(
      `select r || ' ' || n.nspname from unnest($1::text[]) r, pg_namespace n
       where n.nspname in ('public', 'app', 'auth', 'graphile_worker') and has_schema_privilege(r, n.oid, 'create') order by 1`,
      [ourRoles],
    )
    expect(granted).toEqual(['supabase_auth_admin auth'])
  })

  it('reach the job queue through functions only, except for the worker’s role', async () => {
    const granted = await list(
      "select r from unnest($1::text[]) r where has_schema_privilege(r, 'graphile_worker', 'usage')",
      [ourRoles],
    )
    expect(granted).toEqual(['service_role'])
  })
})
