import pg from 'pg'
import { describeTarget } from '#server/platform/database/check-server.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { BackupError } from '../backup-error.ts'

/** Settings of the session under which rows become text, and text rows, on every server alike. */
const session = [
  "timezone='UTC'",
  "datestyle='ISO, YMD'",
  "intervalstyle='postgres'",
  "bytea_output='hex'",
  'extra_float_digits=1',
  'statement_timeout=0',
  'lock_timeout=0',
  'idle_in_transaction_session_timeout=0',
  'row_security=off',
  "client_encoding='UTF8'",
]

/**
 * Connects as the login that owns the tables.
 *
 * @throws BackupError when row-level security would hide rows from it, or it can't be reached.
 */
export async function connectAsOwner(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'earshot backup',
    connectionTimeoutMillis: 8_000,
    keepAlive: true,
  })
  // A connection that breaks fails the next query.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(session.map((setting) => `set ${setting}`).join('; '))
  } catch (error) {
    await client.end().catch(() => {})
    throw new BackupError(`Cannot connect to the database at ${describeTarget(client)}: ${readErrorMessage(error)}.`)
  }
  try {
    await requireAllRows(client)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

async function requireAllRows(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ login: string; sees: boolean }>(
    'select rolname as login, rolsuper or rolbypassrls as sees from pg_roles where rolname = current_user',
  )
  const [login] = rows
  if (login?.sees) return
  throw new BackupError(
    `The login ${login?.login} cannot read all rows, because of row-level security. As a superuser, run: alter role ` +
      `${pg.escapeIdentifier(login?.login ?? '')} bypassrls; or set DATABASE_MIGRATION_URL to a login that may.`,
  )
}
