import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import { describeError } from './describe-error.ts'

/** The login that the built-in PostgreSQL gives to the app. */
const appLogin = 'earshot_app'

/** Roles that transactions of the app take on, see database.ts and worker.ts. */
const neededRoles = [
  'authenticator',
  'anon',
  'authenticated',
  'service_role',
  'earshot_api_key',
  'supabase_auth_admin',
] as const

/** Predefined roles that reach files or programs of the database's machine. */
const fileRoles = ['pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'] as const

/**
 * Makes the app's login in a migrated database, or gives the existing one a new password: it can take on the app's roles
 * and has no right of its own. The password is new at each start and stored nowhere.
 *
 * @param ownerUrl address of the database, as the login that owns it.
 * @returns the address with which the app connects.
 */
export async function makeAppLogin(ownerUrl: string, login = appLogin): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'earshot migrate' })
  await client.connect()
  try {
    await client.query(`do $$ begin create role ${login}; exception when duplicate_object then null; end $$`)
    // All attributes are named: an existing role may have been given others.
    await client.query(
      `alter role ${login} login noinherit nosuperuser nobypassrls nocreatedb nocreaterole noreplication password '${password}'`,
    )
    await client.query(`grant ${neededRoles.join(', ')} to ${login}`)
  } finally {
    await client.end()
  }
  const url = new URL(ownerUrl)
  url.username = login
  url.password = password
  return url.href
}

interface LoginFacts {
  readonly login: string
  readonly superuser: boolean
  readonly reachesFiles: boolean
  readonly missing: readonly string[]
}

/**
 * Checks a login that the operator provides: what the app lacks is an error, what it does not need a warning. Rights that
 * are missing are granted where another login migrates.
 *
 * @param options.url as which the app connects.
 * @param options.ownerUrl as which migrations run; the same where the operator has one login.
 * @throws Error with one line for the operator.
 */
export async function checkAppLogin(options: {
  url: string
  ownerUrl: string
  isSupabase: boolean
  log: Pick<Log, 'warn'>
}): Promise<void> {
  const { url, ownerUrl, isSupabase, log } = options
  // A Supabase project's own auth server takes the role of the auth server on.
  const roles = neededRoles.filter((role) => !(isSupabase && role === 'supabase_auth_admin'))
  let facts = await readLogin(url, roles)
  if (facts.missing.length > 0 && ownerUrl !== url) {
    await grantRoles(ownerUrl, facts)
    facts = await readLogin(url, roles)
  }
  const { login, missing, superuser, reachesFiles } = facts
  if (missing.length > 0) {
    throw new Error(
      `The login ${login} of DATABASE_URL is not a member of ${missing.join(', ')}. As the database's owner, run: ` +
        `grant ${missing.join(', ')} to ${pg.escapeIdentifier(login)};`,
    )
  }
  if (!superuser && !reachesFiles) return
  const power = superuser ? 'is a superuser' : 'may read or write files of its machine'
  log.warn(
    {},
    `The login ${login} of DATABASE_URL ${power}, which Earshot does not need. Give DATABASE_URL a login of its own, and ` +
      'the present one to DATABASE_MIGRATION_URL.',
  )
}

async function readLogin(url: string, roles: readonly string[]): Promise<LoginFacts> {
  const client = new pg.Client({ connectionString: url, application_name: 'earshot', connectionTimeoutMillis: 8_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<LoginFacts>(
      `select session_user as login, u.rolsuper as superuser,
        array(select r from unnest($1::text[]) r where not pg_has_role(session_user, r, 'MEMBER')) as missing,
        exists (select from unnest($2::text[]) r where pg_has_role(session_user, r, 'MEMBER')) as "reachesFiles"
       from pg_roles u where u.rolname = session_user`,
      [roles, fileRoles],
    )
    if (!rows[0]) throw new Error('the server does not know the login')
    return rows[0]
  } catch (error) {
    throw new Error(`Cannot use the login of DATABASE_URL: ${describeError(error)}.`, { cause: error })
  } finally {
    await client.end().catch(() => {})
  }
}

async function grantRoles(ownerUrl: string, { login, missing }: LoginFacts): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'earshot migrate' })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`grant ${missing.join(', ')} to ${pg.escapeIdentifier(login)}`)
  } catch {
    // The caller looks again, and says what is missing.
  } finally {
    await client.end().catch(() => {})
  }
}
