import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'

/*
 * Rules that every table and function keeps, read from PostgreSQL's own catalogue: whatever a migration adds is held
 * to them unasked. An exception is a line in one of these lists, with its reason.
 */

const unforced: Record<string, string> = {
  'app.schema_migrations': 'Read before any role exists, by the login that migrates; granted to nobody.',
  'auth.audit_log_entries': 'As under Supabase, whose auth server is the owner and needs to see its own rows.',
  'auth.flow_state': 'As auth.audit_log_entries.',
  'auth.identities': 'As auth.audit_log_entries.',
  'auth.mfa_amr_claims': 'As auth.audit_log_entries.',
  'auth.one_time_tokens': 'As auth.audit_log_entries.',
  'auth.refresh_tokens': 'As auth.audit_log_entries.',
  'auth.sessions': 'As auth.audit_log_entries.',
  'auth.users': 'As auth.audit_log_entries.',
}

const withoutTenant: Record<string, string> = {
  'public.organizations': 'Is the tenant: its id is the organization_id of all others.',
  'public.avatars': 'Belongs to a person, who may be in several organisations.',
  'public.profiles': 'Belongs to a person, who may be in several organisations.',
}

/** Who may execute a function of ours, besides its owner. A function that is not here may not exist. */
const executableBy: Record<string, readonly string[]> = {
  // Doors for the browser. Each takes its subject from the caller and must refuse another's.
  'public.get_user_current_organization(uuid)': ['authenticated', 'service_role'],
  'public.get_user_organization_by_id(uuid,uuid)': ['authenticated', 'service_role'],
  'public.is_superadmin(uuid)': ['authenticated', 'service_role'],
  // Default of ids: evaluated as whoever inserts.
  'app.uuid_v7()': ['authenticated', 'service_role', 'supabase_auth_admin'],
  // What policies ask.
  'app.owned_organization_ids()': ['authenticated'],
  'app.deleted_project_ids()': ['authenticated', 'service_role'],
  'app.tidy_search_index()': ['service_role'],
  'app.visible_organization_ids()': ['authenticated'],
  'app.visible_user_ids()': ['authenticated'],
  // What the server asks, in the role it then has.
  'app.begin_email_pause(text,text,integer)': ['service_role', 'supabase_auth_admin'],
  'app.change_tags(text[],text[],text[])': ['authenticated', 'service_role'],
  'app.hold_member(uuid,uuid)': ['authenticated'],
  'app.enqueue_in_turn(text,json,text)': ['authenticated', 'service_role'],
  'app.store_imported(uuid,uuid,json)': ['service_role'],
  'app.enqueue_job(text,json,text,timestamp with time zone)': ['authenticated', 'service_role', 'supabase_auth_admin'],
  'app.fill_in_search()': [],
  'app.get_actor(uuid,uuid,uuid)': ['authenticator'],
  'app.find_mailable(uuid)': ['service_role'],
  'app.local_time(text)': ['service_role'],
  'app.record_notices(uuid,jsonb)': ['authenticated', 'service_role'],
  'app.queue_email(uuid,text,text,text,text,text)': ['service_role', 'supabase_auth_admin'],
  'app.store_submissions(json)': ['authenticator'],
  'app.take_token(text,text,integer,integer)': ['authenticator', 'supabase_auth_admin'],
  'app.find_feedback(uuid,text,uuid[],jsonb,text,timestamp with time zone,timestamp with time zone,text,timestamp with time zone,uuid,integer)':
    ['authenticated'],
  'app.fold_feedback_counts()': ['service_role'],
  'app.learn_words(uuid,uuid[])': ['service_role'],
  'app.make_list_facets(text,text[],text[])': ['authenticated', 'service_role'],
  'app.similar_words(uuid,text[])': ['authenticated'],
  'app.delete_project(uuid,uuid)': ['authenticated'],
  'app.find_visitor_addresses(uuid,text,integer)': ['service_role'],
  'app.forget_copies(uuid,text[])': ['service_role'],
  'app.forget_words(uuid,text[])': ['service_role'],
  'app.list_visitor_feedback(uuid,text,timestamp with time zone,uuid,integer)': ['authenticated'],
  'app.list_visitors(uuid,text,timestamp with time zone,text,integer)': ['authenticated'],
  // What a signed-in person does with their own account: each takes its subject from the caller alone.
  'app.accept_invitation(bytea)': ['authenticated'],
  'app.delete_own_account(text)': ['authenticated'],
  'app.end_own_session(uuid)': ['authenticated'],
  'app.get_own_account()': ['authenticated'],
  'app.list_own_sessions()': ['authenticated'],
  // Secrets that open what they name.
  'app.find_avatar(uuid)': ['authenticator'],
  'app.find_invitation(bytea)': ['authenticator'],
  // To the address of an invitation, for owners.
  'app.queue_invitation(uuid,uuid,uuid,text,text,text,text)': ['authenticated'],
  // To the visitor of an item, for whoever wrote the reply.
  'app.queue_reply(uuid,uuid,uuid,text,text,text,text)': ['authenticated'],
  'app.mark_reply_unsent(uuid,uuid)': ['authenticated'],
  'app.find_similar_feedback(uuid,uuid,integer)': ['authenticated'],
  // Supabase's helpers.
  'auth.email()': ['anon', 'authenticated', 'service_role'],
  'auth.jwt()': ['anon', 'authenticated', 'service_role'],
  'auth.role()': ['anon', 'authenticated', 'service_role'],
  'auth.uid()': ['anon', 'authenticated', 'service_role'],
  // Parts of the above, called by their owner alone.
  'app.count_feedback()': [],
  'app.get_facet_prefix(uuid,text)': [],
  'app.keep_media_kinds()': [],
  'app.make_time_query(text,timestamp with time zone,timestamp with time zone)': [],
  'app.create_organization_for(uuid,text)': [],
  'app.avatar_url_of(uuid,jsonb)': [],
  'app.is_usable_account(uuid)': [],
  'app.is_usable_session()': [],
  'app.make_search(text,text,text,text,text)': ['service_role'],
  'app.make_slug(text)': [],
  'app.organization_rows(uuid)': [],
  // Triggers: run without EXECUTE.
  'app.after_comment_insert()': [],
  'app.after_feedback_merge()': [],
  'app.after_feedback_update()': [],
  'app.after_reply_mail()': [],
  'app.before_feedback_update()': [],
  'app.keep_one_owner()': [],
  'app.mark_changed_feedback()': [],
  'app.mark_deleted_feedback()': [],
  'app.on_attachments_deleted()': [],
  'app.on_avatar_changed()': [],
  'app.on_member_gone()': [],
  'app.on_owner_gone()': [],
  'app.on_project_created()': [],
  'app.on_project_domain_changed()': [],
  'app.on_stored_file_gone()': [],
  'app.on_uploads_deleted()': [],
  'app.on_user_changed()': [],
  'app.on_user_confirmed()': [],
  'app.on_user_created()': [],
  'app.on_user_deleted_softly()': [],
  'app.on_widget_changed()': [],
  'app.refuse_change()': [],
  // For migrations.
  'app.add_system_policies()': [],
}

/** The roles that a transaction may take on. */
const ourRoles = ['anon', 'authenticated', 'authenticator', 'service_role', 'supabase_auth_admin']

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
  it('has row-level security on', async () => {
    expect(await list('select name from pg_temp.tables where not relrowsecurity')).toEqual([])
  })

  it('forces it on its owner too, or stands on the list with a reason', async () => {
    const names = await list('select name from pg_temp.tables where not relforcerowsecurity order by name collate "C"')
    expect(names).toEqual(Object.keys(unforced).sort())
  })

  it('has, where forced, a policy that lets its owner and service_role pass, and nobody else', async () => {
    const wrong = await list(`
      select t.name from pg_temp.tables t
      where t.relforcerowsecurity and not exists (
        select from pg_policy p where p.polrelid = t.oid and p.polname = 'system' and p.polcmd = '*' and p.polpermissive
          and (select array_agg(r order by r) from unnest(p.polroles) r)
            = (select array_agg(r order by r) from unnest(array[t.relowner, 'service_role'::regrole]) r))`)
    expect(wrong).toEqual([])
  })

  it('has no policy that is always true for anybody else, or that trusts what users say about themselves', async () => {
    const wrong = await list(`
      select p.polrelid::regclass || ' ' || p.polname from pg_policy p
      where p.polname <> 'system' and (
        coalesce(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) in ('true', '(true)')
        or pg_get_expr(p.polwithcheck, p.polrelid) = 'true'
        or concat(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) ~ 'user_meta_?data')`)
    expect(wrong).toEqual([])
  })

  it('has no policy for anonymous callers or for everybody', async () => {
    const wrong = await list(`
      select polrelid::regclass || ' ' || polname from pg_policy
      where polroles && array[0::oid, 'anon'::regrole::oid] and polrelid in (select oid from pg_temp.tables)`)
    expect(wrong).toEqual([])
  })

  it('asks who is calling once per statement, not once per row', async () => {
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

  it('has an index for each of its foreign keys, so that deleting what it refers to is no scan', async () => {
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

  it('has no two indexes on the same', async () => {
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
  it('has a primary key that begins with organization_id, or stands on the list with a reason', async () => {
    const names = await list(`
      select t.name from pg_temp.tables t
      where t.relnamespace = 'public'::regnamespace and not exists (
        select from pg_constraint k join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[1]
        where k.conrelid = t.oid and k.contype = 'p' and a.attname = 'organization_id' and a.attnotnull)
      order by t.name collate "C"`)
    expect(names).toEqual(Object.keys(withoutTenant).sort())
  })

  it('refers to other tables of tenants within its own organisation only', async () => {
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
  it('may be executed by whom the list says, and by nobody else', async () => {
    const { rows } = await client.query<{ name: string; grantees: string[] }>(`
      select f.name, array(
        select case a.grantee when 0 then 'PUBLIC' else pg_get_userbyid(a.grantee)::text end
        from aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a where a.grantee <> f.proowner order by 1) as grantees
      from pg_temp.functions f`)
    expect(Object.fromEntries(rows.map((row) => [row.name, row.grantees]))).toEqual(executableBy)
  })

  it('looks up names in a search path that nobody can change', async () => {
    const wrong = await list(
      `select name from pg_temp.functions where not coalesce(proconfig, '{}') @> array['search_path=""']`,
    )
    expect(wrong).toEqual([])
  })

  it('has a comment', async () => {
    expect(await list("select name from pg_temp.functions where obj_description(oid, 'pg_proc') is null")).toEqual([])
  })

  it('asks who is calling, when it runs with its owner’s rights and takes a user’s id from the browser', async () => {
    const wrong = await list(`
      select f.name from pg_temp.functions f
      where f.prosecdef and f.name like 'public.%' and f.prosrc !~ 'auth\\.uid\\(\\)|app\\.organization_rows\\('`)
    expect(wrong).toEqual([])
  })
})

describe('every view', () => {
  it('shows what its reader may see, not what its owner may', async () => {
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

  it('can make nothing in any schema but their own', async () => {
    const granted = await list(
      `select r || ' ' || n.nspname from unnest($1::text[]) r, pg_namespace n
       where n.nspname in ('public', 'app', 'auth', 'graphile_worker') and has_schema_privilege(r, n.oid, 'create') order by 1`,
      [ourRoles],
    )
    expect(granted).toEqual(['supabase_auth_admin auth'])
  })

  it('cannot reach the job queue but through app.enqueue_job', async () => {
    const granted = await list(
      "select r from unnest($1::text[]) r where has_schema_privilege(r, 'graphile_worker', 'usage')",
      [ourRoles],
    )
    expect(granted).toEqual([])
  })
})
