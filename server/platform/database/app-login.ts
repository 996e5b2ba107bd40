import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import { describeError } from './describe-error.ts'
import { sessionDefaults } from './pool.ts'

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
 * are missing are granted where another login migrates. Behind a pooler, sessions begin as the login's defaults say: they
 * are set too.
 *
 * @param options.url as which the app connects.
 * @param options.directUrl past the pooler that `url` leads to; null: there is none.
 * @param options.ownerUrl as which migrations run; the same where the operator has one login.
 * @throws Error with one line for the operator.
 */
export async function checkAppLogin(options: {
  url: string
  directUrl?: string | null
  ownerUrl: string
  isSupabase: boolean
  log: Pick<Log, 'warn'>
}): Promise<void> {
  const { url, directUrl = null, ownerUrl, isSupabase, log } = options
  // A Supabase project's own auth server takes the role of the auth server on.
  const roles = neededRoles.filter((role) => !(isSupabase && role === 'supabase_auth_admin'))
  const serverUrl = directUrl ?? url
  const setting = directUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  let facts = await readLogin(serverUrl, roles, setting)
  if (facts.missing.length > 0 && ownerUrl !== serverUrl) {
    await grantRoles(ownerUrl, facts)
    facts = await readLogin(serverUrl, roles, setting)
  }
  const { login, missing, superuser, reachesFiles } = facts
  if (missing.length > 0) {
    throw new Error(
      `The login ${login} of DATABASE_URL is not a member of ${missing.join(', ')}. As the database's owner, run: ` +
        `grant ${missing.join(', ')} to ${pg.escapeIdentifier(login)};`,
    )
  }
  if (directUrl !== null) await setSessionDefaults({ url, directUrl, ownerUrl, login })
  if (!superuser && !reachesFiles) return
  const power = superuser ? 'is a superuser' : 'may read or write files of its machine'
  log.warn(
    {},
    `The login ${login} of DATABASE_URL ${power}, which Earshot does not need. Give DATABASE_URL a login of its own, and ` +
      'the present one to DATABASE_MIGRATION_URL.',
  )
}

/**
 * Makes the defaults of the login what {@link sessionDefaults} says, and looks whether sessions of the pooler have them.
 *
 * @throws Error with one line for the operator.
 */
async function setSessionDefaults(options: {
  url: string
  directUrl: string
  ownerUrl: string
  login: string
}): Promise<void> {
  const { url, directUrl, ownerUrl, login } = options
  await queryOnce(ownerUrl, 'DATABASE_MIGRATION_URL', async (owner) => {
    const { rows } = await owner.query<{ login: string }>('select session_user as login')
    if (rows[0]?.login !== login) return
    throw new Error(`it is ${login}, as in DATABASE_DIRECT_URL, but each needs a login of its own`)
  })
  await queryOnce(directUrl, 'DATABASE_DIRECT_URL', async (client) => {
    await client.query('begin')
    // The login may change itself. Earlier starts made `authenticator` its default, which may not.
    await client.query('set local role none')
    // Processes that start together would change the same row at once.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('app login', 0))`)
    const { rows } = await client.query<{ config: string[] | null }>(
      'select rolconfig as config from pg_roles where rolname = session_user',
    )
    for (const [name, value] of sessionDefaults) {
      if (rows[0]?.config?.includes(`${name}=${value}`)) continue
      await client.query(`alter role ${pg.escapeIdentifier(login)} set ${name} = ${pg.escapeLiteral(value)}`)
    }
    await client.query('commit')
  })
  // The others come with new connections. Without the role, the functions that a powerless session needs are refused.
  await queryOnce(url, 'DATABASE_URL', async (client) => {
    const { rows } = await client.query<{ role: string }>('select current_user as role')
    if (rows[0]?.role === 'authenticator') return
    throw new Error(
      `its sessions begin as ${rows[0]?.role}, not as authenticator: give DATABASE_URL and DATABASE_DIRECT_URL the same ` +
        'login, and let the pooler open new connections (RECONNECT)',
    )
  })
}

async function readLogin(url: string, roles: readonly string[], setting: string): Promise<LoginFacts> {
  return queryOnce(url, setting, async (client) => {
    const { rows } = await client.query<LoginFacts>(
      `select session_user as login, u.rolsuper as superuser,
        array(select r from unnest($1::text[]) r where not pg_has_role(session_user, r, 'MEMBER')) as missing,
        exists (select from unnest($2::text[]) r where pg_has_role(session_user, r, 'MEMBER')) as "reachesFiles"
       from pg_roles u where u.rolname = session_user`,
      [roles, fileRoles],
    )
    if (!rows[0]) throw new Error('the server does not know the login')
    return rows[0]
  })
}

/** @throws Error that names the setting. */
async function queryOnce<T>(url: string, setting: string, fn: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'earshot', connectionTimeoutMillis: 8_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await fn(client)
  } catch (error) {
    throw new Error(`Cannot use the login of ${setting}: ${describeError(error)}.`, { cause: error })
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
