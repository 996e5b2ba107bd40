import type pg from 'pg'

/*
 * The database as one page, for people to read and for the checks to compare. Read from the catalogue by queries of
 * our own: the bundled PostgreSQL comes without pg_dump, and pg_dump's order follows dependencies, not the reader.
 */

/** Everything that was not brought by an extension. The login that migrates is shown as `current_user`. */
const sections: readonly { title: string; query: string }[] = [
  {
    title: 'Roles',
    query: `
      select concat_ws(' ', 'create role', r.rolname,
          case when r.rolcanlogin then 'login' else 'nologin' end, case when not r.rolinherit then 'noinherit' end,
          case when r.rolbypassrls then 'bypassrls' end, case when r.rolsuper then 'superuser' end,
          case when r.rolcreaterole then 'createrole' end, case when r.rolcreatedb then 'createdb' end,
          case when r.rolreplication then 'replication' end) || ';'
        || coalesce((select string_agg(format(E'\\ngrant %I to %I;', g.rolname, r.rolname), '' order by g.rolname)
          from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid), '') as text
      from pg_roles r
      where r.rolname in ('anon', 'authenticated', 'service_role', 'authenticator', 'supabase_auth_admin', 'earshot_api_key')
      order by r.rolname`,
  },
  {
    title: 'Extensions',
    query: `
      select format('create extension %s schema %I;', e.extname, n.nspname) as text
      from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname <> 'plpgsql' order by e.extname`,
  },
  {
    title: 'Schemas',
    query: `
      select format('create schema %I authorization %s;', n.nspname, pg_temp.role_name(n.nspowner))
        || pg_temp.comment_on('schema ' || quote_ident(n.nspname), obj_description(n.oid, 'pg_namespace'))
        || pg_temp.grants(n.nspacl, n.nspowner, 'schema ' || quote_ident(n.nspname))
        || coalesce((
          select string_agg(format(E'\\n-- Default for new %s of %s: %s', case d.defaclobjtype when 'f' then 'functions' when 'r' then 'tables' else d.defaclobjtype::text end,
            pg_temp.role_name(d.defaclrole), replace(d.defaclacl::text, current_user, 'current_user')), '' order by d.defaclobjtype)
          from pg_default_acl d where d.defaclnamespace = n.oid), '') as text
      from pg_namespace n where n.nspname in ('public', 'app', 'auth') order by n.nspname <> 'public', n.nspname`,
  },
  {
    title: 'Default privileges in every schema',
    query: `
      select format('-- New %s of %s: %s', case d.defaclobjtype when 'f' then 'functions' when 'r' then 'tables' else d.defaclobjtype::text end,
        pg_temp.role_name(d.defaclrole), replace(d.defaclacl::text, current_user, 'current_user')) as text
      from pg_default_acl d where d.defaclnamespace = 0 order by d.defaclobjtype`,
  },
  {
    title: 'Types',
    query: `
      select format('create type %s as enum (%s);', t.oid::regtype,
          (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid))
        || pg_temp.comment_on('type ' || t.oid::regtype, obj_description(t.oid, 'pg_type')) as text
      from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where t.typtype = 'e' and n.nspname in ('public', 'app', 'auth')
        and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
      order by 1`,
  },
  {
    title: 'Composite types',
    query: `
      select format(E'create type %s as (\\n%s\\n);', c.oid::regclass,
          (select string_agg(format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod)), E',\\n' order by a.attnum)
            from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped))
        || pg_temp.comment_on('type ' || c.oid::regclass, obj_description(c.reltype, 'pg_type')) as text
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'c' and n.nspname in ('public', 'app', 'auth')
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      order by c.oid::regclass::text`,
  },
  {
    title: 'Views',
    query: `
      select format(E'create view %s with (%s) as\\n%s', c.oid::regclass, array_to_string(c.reloptions, ', '), pg_get_viewdef(c.oid, true))
        || pg_temp.comment_on('view ' || c.oid::regclass, obj_description(c.oid, 'pg_class'))
        || pg_temp.grants(c.relacl, c.relowner, c.oid::regclass::text) as text
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('v', 'm') and n.nspname in ('public', 'app', 'auth') order by c.oid::regclass::text`,
  },
  ...['public', 'app', 'auth'].map((schema) => ({ title: `Tables of ${schema}`, query: tablesQuery(schema) })),
  ...['public', 'app', 'auth'].map((schema) => ({ title: `Functions of ${schema}`, query: functionsQuery(schema) })),
]

function tablesQuery(schema: string): string {
  return `
    select format(E'create table %s (\\n%s\\n)%s;', c.oid::regclass,
        (select string_agg('  ' || line, E',\\n' order by position, rank, line) from (
          select 1 as position, a.attnum::int as rank, concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
            case when a.attgenerated <> '' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
                 when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
            case when a.attnotnull then 'not null' end) as line
          from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          union all
          select 2, position(k.contype::text in 'pufcx'), format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
          from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')) lines),
        case when c.reloptions is not null then format(' with (%s)', array_to_string(c.reloptions, ', ')) else '' end
          || coalesce(' partition by ' || pg_get_partkeydef(c.oid), ''))
      || case when c.relowner <> current_user::regrole then format(E'\\nalter table %s owner to %I;', c.oid::regclass, c.relowner::regrole) else '' end
      || pg_temp.comment_on('table ' || c.oid::regclass, obj_description(c.oid, 'pg_class'))
      || coalesce((select string_agg(pg_temp.comment_on(format('column %s.%I', c.oid::regclass, a.attname), col_description(c.oid, a.attnum)), '' order by a.attnum)
          from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '')
      || coalesce((select string_agg(E'\\n' || pg_get_indexdef(i.indexrelid) || ';', '' order by i.indexrelid::regclass::text)
          from pg_index i where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))), '')
      || coalesce((select string_agg(E'\\n' || pg_get_triggerdef(t.oid) || ';', '' order by t.tgname)
          from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal), '')
      || case when c.relrowsecurity then format(E'\\nalter table %s enable row level security;', c.oid::regclass) else '' end
      || case when c.relforcerowsecurity then format(E'\\nalter table %s force row level security;', c.oid::regclass) else '' end
      || coalesce((select string_agg(concat_ws(' ', format(E'\\ncreate policy %I on %s', p.polname, c.oid::regclass),
            case when not p.polpermissive then 'as restrictive' end,
            'for ' || case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
            'to ' || (select string_agg(pg_temp.role_name(r), ', ' order by pg_temp.role_name(r)) from unnest(p.polroles) r),
            'using (' || pg_get_expr(p.polqual, p.polrelid) || ')', 'with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')') || ';', '' order by p.polname)
          from pg_policy p where p.polrelid = c.oid), '')
      || pg_temp.grants(c.relacl, c.relowner, c.oid::regclass::text)
      || coalesce((select string_agg(format(E'\\ngrant %s (%s) on %s to %s;', privilege, columns, c.oid::regclass, grantee), '' order by grantee, privilege)
          from (
            select pg_temp.role_name(g.grantee) as grantee, lower(g.privilege_type) as privilege, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
            from pg_attribute a, aclexplode(a.attacl) g where a.attrelid = c.oid and g.grantee <> c.relowner group by 1, 2) granted), '') as text
    from pg_class c
    where c.relnamespace = '${schema}'::regnamespace and c.relkind in ('r', 'p')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname`
}

function functionsQuery(schema: string): string {
  return `
    select trim(trailing E'\\n' from pg_get_functiondef(p.oid)) || ';'
      || case when p.proowner <> current_user::regrole
           then format(E'\\nalter %s %s owner to %I;', kind, p.oid::regprocedure, p.proowner::regrole) else '' end
      || pg_temp.comment_on(kind || ' ' || p.oid::regprocedure, obj_description(p.oid, 'pg_proc'))
      || pg_temp.grants(coalesce(p.proacl, acldefault('f', p.proowner)), p.proowner, kind || ' ' || p.oid::regprocedure) as text
    from (select p.*, case p.prokind when 'p' then 'procedure' else 'function' end as kind from pg_proc p where p.prokind in ('f', 'p')) p
    where p.pronamespace = '${schema}'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname, p.oid::regprocedure::text`
}

// Of this session only. In schema pg_temp, so that nothing stays behind.
const helpers = `
  create function pg_temp.role_name(oid) returns text language sql as $$
    select case when $1 = 0 then 'public' when $1 = current_user::regrole then 'current_user' else quote_ident(pg_get_userbyid($1)) end
  $$;
  create function pg_temp.comment_on(text, text) returns text language sql as $$
    select case when $2 is null then '' else format(E'\\ncomment on %s is %L;', $1, $2) end
  $$;
  create function pg_temp.grants(acl aclitem[], owner oid, target text) returns text language sql as $$
    select coalesce(string_agg(format(E'\\ngrant %s on %s to %s;', privileges, target, grantee), '' order by grantee), '')
    from (
      select pg_temp.role_name(a.grantee) as grantee,
        string_agg(lower(a.privilege_type), ', ' order by a.privilege_type) as privileges
      from aclexplode(acl) a where a.grantee <> owner group by 1) granted
  $$;`

/**
 * Writes roles, types, tables, policies, functions and grants of schemas public, app and auth as SQL.
 *
 * @param client connected to a migrated database, as the login that migrated it.
 */
export async function dumpSchema(client: pg.Client): Promise<string> {
  // Every name is then written with its schema.
  await client.query("set search_path = ''")
  await client.query(helpers)
  const parts = [
    '-- The database as one page: what db/migrations and db/functions make of an empty one. Generated by `npm run schema`. Do not edit.\n',
  ]
  for (const { title, query } of sections) {
    const { rows } = await client.query<{ text: string }>(query)
    if (rows.length === 0) continue
    const rule = `-- ${title} ${'-'.repeat(Math.max(3, 116 - title.length))}`
    parts.push(`${rule}\n`, ...rows.map((row) => `${row.text}\n`))
  }
  return parts.join('\n')
}
