import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { migrationsFolder } from '#server/platform/database/migration-files.ts'
import { startThrowawayPostgres } from './throwaway-postgres.ts'

/** A database as a Supabase project has it, on a server of its own, because roles belong to the whole server. */
export interface SupabaseDatabase {
  /** The platform's own login: a superuser, as whom its auth server runs. */
  readonly platformUrl: string
  /** The login that the project's owner is given: no superuser, and no owner of schema `auth`. */
  readonly ownerUrl: string
  stop(): Promise<void>
}

const ownerPassword = 'project'

/**
 * Makes such a database: roles, memberships, owners, grants and default grants stand as the dumps of hosted projects
 * show them; the tables of schema `auth` are ours, which are Supabase's column for column.
 */
export async function startSupabaseDatabase(): Promise<SupabaseDatabase> {
  const server = await startThrowawayPostgres()
  const platform = new pg.Client({ connectionString: server.url })
  try {
    await platform.connect()
    await platform.query(await readFile(join(migrationsFolder, '0001_auth.sql'), 'utf8'))
    await platform.query(`
      revoke supabase_auth_admin from authenticator;
      alter role service_role bypassrls;
      create role project_owner login createdb createrole replication bypassrls password '${ownerPassword}';
      grant anon, authenticated, service_role, authenticator to project_owner with admin option;
      grant pg_monitor, pg_read_all_data, pg_signal_backend to project_owner with admin option;
      alter role anon set statement_timeout = '3s';
      alter role authenticated set statement_timeout = '8s';
      alter role authenticator set statement_timeout = '8s';

      create schema extensions;
      grant all on schema extensions to project_owner;
      grant usage on schema extensions to anon, authenticated, service_role;
      alter role project_owner set search_path = "$user", public, extensions;

      alter schema auth owner to current_user;
      grant all on schema auth to supabase_auth_admin;
      grant usage on schema auth to project_owner;
      grant insert, references, delete, trigger, truncate, update on all tables in schema auth to project_owner;
      grant select on all tables in schema auth to project_owner with grant option;
      grant all on all sequences in schema auth to project_owner;
      grant execute on all functions in schema auth to public, project_owner;

      grant usage on schema public to project_owner, anon, authenticated, service_role;`)
    const name = (await platform.query<{ name: string }>('select current_database() as name')).rows[0]?.name ?? ''
    await platform.query(`alter database "${name}" owner to project_owner`)
    // Whatever the owner makes in schema public is open to every API role, unless someone takes care.
    await platform.query(
      ['tables', 'functions', 'sequences']
        .map(
          (kind) =>
            `alter default privileges for role project_owner in schema public grant all on ${kind} to anon, authenticated, service_role;`,
        )
        .join('\n'),
    )
  } catch (error) {
    await platform.end().catch(() => {})
    await server.stop()
    throw error
  }
  await platform.end()
  const ownerUrl = new URL(server.url)
  ownerUrl.username = 'project_owner'
  ownerUrl.password = ownerPassword
  return { platformUrl: server.url, ownerUrl: ownerUrl.href, stop: () => server.stop() }
}
