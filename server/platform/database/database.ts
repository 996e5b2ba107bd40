import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import type { Actor } from './actor.ts'
import { DatabaseAwayError } from './away.ts'
import { listenTo, type StopListening } from './listen.ts'
import { backOffWhileAway, openPool, sessionDefaults } from './pool.ts'
import { isReadOnlyOrigin, writeOrigin } from './request-origin.ts'
import type { DB } from './schema.generated.ts'

declare const scope: unique symbol

/** A transaction that row-level security narrows to what one person may see. */
export type TenantTx = Transaction<DB> & { readonly [scope]: 'tenant' }
/** A transaction that sees every organisation: for jobs, ingest and payments. */
export type SystemTx = Transaction<DB> & { readonly [scope]: 'system' }
/** A transaction of the auth server, which alone reads and writes schema `auth`. */
export type AuthTx = Transaction<DB> & { readonly [scope]: 'auth' }

/**
 * The only way to the database. The pool's connections hold a role without any rights; each of these functions opens
 * a transaction, takes on a role for its length, and commits when `fn` returns. No network call belongs inside.
 */
export interface Database {
  /** Runs `fn` as role `authenticated`, or as the actor's own role, with the actor's claims. */
  withTenant<T>(actor: Actor, fn: (tx: TenantTx) => Promise<T>): Promise<T>
  /** Runs `fn` as role `service_role`, past row-level security. `reason` says why that is right; it is logged at debug level. */
  asSystem<T>(reason: string, fn: (tx: SystemTx) => Promise<T>): Promise<T>
  /** Runs `fn` as role `service_role`, in the name of an integration: histories and events name it. */
  asIntegration<T>(integrationId: string, fn: (tx: SystemTx) => Promise<T>): Promise<T>
  /** Runs `fn` as role `supabase_auth_admin`. */
  asAuthAdmin<T>(reason: string, fn: (tx: AuthTx) => Promise<T>): Promise<T>
  /** Runs `fn` under any role a token may name, as PostgREST does. */
  asTokenRole<T>(
    role: 'anon' | 'authenticated' | 'service_role',
    claims: string,
    fn: (tx: TenantTx) => Promise<T>,
  ): Promise<T>
  /** Outside a transaction and without a role: reaches only the few functions granted to `authenticator`. */
  readonly powerless: Kysely<DB>
  /** One round trip. Rejects when the database can't be reached. */
  ping(): Promise<void>
  /** Hears NOTIFY on a channel, over a connection that is renewed when it breaks. */
  listen(channel: string, onNotice: (payload: string) => void, onGap?: () => void): Promise<StopListening>
  /** Connections of the pool now: in all, idle, and callers waiting for one. */
  connections(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly url: string
  /** Past the pooler that `url` leads to, for what needs a session of its own. Default: `url` leads to the server. */
  readonly directUrl?: string | null
  /** A replica is expected there, which takes no writes. */
  readonly isReplica?: boolean
  readonly log: Pick<Log, 'warn' | 'debug'>
  readonly maxConnections: number
  /** As the server lists the connections. */
  readonly applicationName?: string
}

/** As whom a transaction is made, and what it reaches. */
interface Entry extends Pick<Actor, 'organizationId' | 'evenSuspended' | 'isReadOnly'> {
  readonly role: string
  readonly claims: string
}

// The claims and the role in one round trip: settings of this transaction only. Transactions of a standby are read-only from
// their beginning on.
function enter({ role, claims, organizationId = '', evenSuspended, isReadOnly = false }: Entry) {
  const readOnly = isReadOnly ? sql`, set_config('transaction_read_only', 'on', true)` : sql``
  const lockTimeout = role === 'supabase_auth_admin' ? authLockTimeout : '0'
  return sql<{ isStandby: boolean }>`select current_setting('transaction_read_only')::bool as "isStandby",
    set_config('role', ${role}, true), set_config('request.jwt.claims', ${claims}, true),
    set_config('app.organization_id', ${organizationId}, true), set_config('lock_timeout', ${lockTimeout}, true),
    set_config('app.even_suspended', ${evenSuspended ?? ''}, true), set_config('app.origin', ${writeOrigin()}, true)${readOnly}`
}

// Sign-in locks rows of accounts and sessions. A transaction that waits longer fails with SQLSTATE 55P03 and is retried.
const authLockTimeout = '5s'

const systemClaims = JSON.stringify({ role: 'service_role' })
const authAdminClaims = JSON.stringify({ role: 'supabase_auth_admin' })

/** Opens the pool. Connects lazily: the first use, or {@link Database.ping}, tells whether the database is there. */
export function openDatabase({
  url,
  directUrl = null,
  isReplica = false,
  log,
  maxConnections,
  applicationName = 'earshot',
}: DatabaseOptions): Database {
  const pool = openPool(
    {
      connectionString: url,
      max: maxConnections,
      idleTimeoutMillis: 30_000,
      application_name: applicationName,
      // A pooler takes no such options: there they are defaults of the login (app-login.ts).
      ...(directUrl === null && { options: sessionDefaults.map(([name, value]) => `-c ${name}=${value}`).join(' ') }),
      types: { getTypeParser },
    },
    log,
    directUrl ?? url,
  )
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: backOffWhileAway(pool) }) })

  function within<Tx extends Transaction<DB>, T>(entry: Entry, fn: (tx: Tx) => Promise<T>): Promise<T> {
    return db.transaction().execute(async (tx) => {
      const { rows } = await enter({ ...entry, isReadOnly: entry.isReadOnly === true || isReadOnlyOrigin() }).execute(
        tx,
      )
      // During a failover, a proxy may lead to a standby for a moment: its answers would be old, and its refusals bugs.
      if (rows[0]?.isStandby && !isReplica) throw new DatabaseAwayError()
      // The brand says which role was entered on the line above.
      return fn(tx as Tx)
    })
  }

  return {
    withTenant: (actor, fn) =>
      within(
        {
          ...actor,
          role: actor.role ?? 'authenticated',
          claims: JSON.stringify({ ...actor.claims, sub: actor.userId }),
        },
        fn,
      ),
    asSystem: (reason, fn) => {
      log.debug({ role: 'service_role', reason }, 'database past row-level security')
      return within({ role: 'service_role', claims: systemClaims }, fn)
    },
    asIntegration: (integrationId, fn) =>
      within({ role: 'service_role', claims: JSON.stringify({ role: 'earshot_integration', sub: integrationId }) }, fn),
    asAuthAdmin: (reason, fn) => {
      log.debug({ role: 'supabase_auth_admin', reason }, 'database past row-level security')
      return within({ role: 'supabase_auth_admin', claims: authAdminClaims }, fn)
    },
    asTokenRole: (role, claims, fn) => within({ role, claims }, fn),
    powerless: db,
    ping: async () => {
      await sql`select 1`.execute(db)
    },
    listen: (channel, onNotice, onGap) =>
      listenTo({ url: directUrl ?? url, log, channel, onNotice, ...(onGap && { onGap }) }),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => db.destroy(),
  }
}

// bigint arrives as text by default; our counters stay far below 2^53.
const parseBigint = (value: string) => Number(value)
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: 'text') =>
  // pg declares one overload for each format; this passes all on.
  oid === pg.types.builtins.INT8 ? parseBigint : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
