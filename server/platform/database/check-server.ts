import type pg from 'pg'

const oldestServerVersion = 150_000

/** Whether the server is one that the product works with. @throws Error with one line for the operator. */
export async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string; encoding: string; standby: boolean }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby`,
  )
  const server = rows[0]
  if (!server) throw new Error('The database server reported no version. Check DATABASE_URL.')
  if (server.number < oldestServerVersion) {
    throw new Error(`PostgreSQL ${server.version} is too old: Earshot needs version 15 or newer.`)
  }
  if (server.encoding !== 'UTF8') {
    throw new Error(`The database's encoding is ${server.encoding}: create the database again with encoding UTF8.`)
  }
  if (server.standby) throw new Error('The database is a read-only standby: point DATABASE_URL at the primary.')
}

/**
 * Whether the database is that of a Supabase project, and the login its owner's.
 *
 * @throws Error with one line for the operator.
 */
export async function checkSupabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ login: string; has_accounts: boolean; may_step_down: boolean }>(
    `select current_user as login, to_regclass('auth.users') is not null as has_accounts,
      coalesce((select pg_has_role(current_user, oid, 'MEMBER') from pg_roles where rolname = 'authenticator'), false) as may_step_down`,
  )
  const found = rows[0]
  if (!found?.has_accounts) {
    throw new Error(
      `The database at ${describeTarget(client)} has no table auth.users: with SUPABASE_URL, DATABASE_URL must be ` +
        "the address of that project's own database.",
    )
  }
  if (!found.may_step_down) {
    throw new Error(
      `The login ${found.login} is not a member of the role authenticator: use the login postgres of the Supabase project.`,
    )
  }
}

/** Host, port and name: never the password. */
export function describeTarget(client: pg.Client): string {
  return `${client.host}:${client.port}/${client.database ?? ''}`
}
