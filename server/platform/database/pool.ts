import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { type BackOff, choosePause } from '../back-off.ts'
import type { Log } from '../log/log.ts'
import { readErrorCode } from '../read-error.ts'
import { DatabaseAwayError, isDatabaseAway } from './away.ts'

/** PostgreSQL ends a statement of the pool after this time; the driver closes a connection that is silent for longer. */
const statementTimeoutMs = 20_000
const longestSilenceMs = statementTimeoutMs + 2_000

/**
 * How each session of the app begins. A connection that forgot to take on a role can do nothing; one that was forgotten does
 * not hold locks for ever.
 */
export const sessionDefaults: readonly (readonly [name: string, value: string])[] = [
  ['role', 'authenticator'],
  ['statement_timeout', String(statementTimeoutMs)],
  ['idle_in_transaction_session_timeout', '20000'],
]
/** After so much silence a new connection is tried: a server that doesn't even answer that is frozen. */
const askAfterMs = 3_000
const answerWithinMs = 3_000

const reconnecting: BackOff = { firstMs: 50, longestMs: 500 }

/**
 * Opens a pool whose connections may break at any time: an idle one is replaced, and one in use fails its query. No loss
 * ends the process, and no query waits for a server that has gone silent.
 *
 * @param serverUrl where to ask whether the server is there. A pooler answers even when the server behind it doesn't.
 */
export function openPool(
  config: pg.PoolConfig & { readonly connectionString: string },
  log: Pick<Log, 'warn'>,
  serverUrl = config.connectionString,
): pg.Pool {
  const pool = new pg.Pool({ connectionTimeoutMillis: 5_000, keepAlive: true, ...config })
  const onLost = (error: Error) => {
    if (!pool.ending) log.warn({ err: error }, 'database connection lost')
  }
  let asking: Promise<boolean> | undefined
  const isServerThere = () => {
    asking ??= ask(serverUrl).finally(() => {
      asking = undefined
    })
    return asking
  }
  pool.on('error', onLost)
  pool.on('connect', (client) => {
    // While it is checked out, the pool itself does not listen: without a listener, the error would end the process.
    client.on('error', onLost)
    // The pool's clients are of this class; its type leaves out what only the pool should call.
    endIfSilent(client as unknown as pg.Client, { afterMs: askAfterMs, isServerThere })
  })
  return pool
}

/** Whether the server answers a new connection in time, be it with a refusal. */
async function ask(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: answerWithinMs })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    return /^[0-9A-Z]{5}$/.test(readErrorCode(error) ?? '')
  } finally {
    client.end().catch(() => {})
  }
}

/**
 * Ends the connection when a query is without an answer for so long and the server is not there, or for longer than the
 * server itself allows: then the server is frozen or the network gone, and the query would wait for ever.
 *
 * @param isServerThere default: it isn't
 */
export function endIfSilent(
  client: pg.Client,
  { afterMs, isServerThere }: { afterMs: number; isServerThere?: () => Promise<boolean> },
): void {
  const watch = () => {
    const since = performance.now()
    const timer = setInterval(async () => {
      const isThere = performance.now() - since < longestSilenceMs && (await isServerThere?.())
      if (!isThere) await client.end().catch(() => {})
    }, afterMs)
    return () => clearInterval(timer)
  }
  // One signature for the driver's overloads, which are passed on as they are.
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const watched = (...args: unknown[]): unknown => {
    const callback = args.at(-1)
    const stopWatching = watch()
    if (typeof callback === 'function') {
      return query(...args.slice(0, -1), (...results: unknown[]) => {
        stopWatching()
        callback(...results)
      })
    }
    const answer = query(...args)
    if (answer instanceof Promise) return answer.finally(stopWatching)
    stopWatching()
    return answer
  }
  // The same calls, the same results.
  client.query = watched as typeof client.query
}

/**
 * The pool as Kysely uses it, which doesn't knock at a closed door: after a failed attempt to connect, callers without
 * an idle connection fail at once until the next attempt is due, and one of them makes it.
 */
export function backOffWhileAway(pool: pg.Pool): PostgresPool {
  let failures = 0
  let nextAttemptAt = 0
  let isTrying = false

  async function connect(): Promise<PostgresPoolClient> {
    if (failures === 0 || pool.idleCount > 0) return attempt()
    if (isTrying || performance.now() < nextAttemptAt) throw new DatabaseAwayError()
    isTrying = true
    try {
      return await attempt()
    } finally {
      isTrying = false
    }
  }

  async function attempt(): Promise<PostgresPoolClient> {
    const isNew = pool.idleCount === 0 && pool.totalCount < (pool.options.max ?? 10)
    try {
      const client = await pool.connect()
      failures = 0
      return client
    } catch (error) {
      // A pool whose connections are all in use is busy, not away.
      if (isNew && isDatabaseAway(error)) {
        failures += 1
        nextAttemptAt = performance.now() + choosePause(reconnecting, failures)
      }
      throw error
    }
  }

  return { connect, end: () => pool.end(), options: pool.options }
}
