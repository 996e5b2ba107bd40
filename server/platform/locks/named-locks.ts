import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log/log.ts'

/** Locks by name, held by at most one caller among all processes of this instance. */
export interface NamedLocks {
  /**
   * Waits until the lock is free. Its holder, in any process, is notified of the waiter.
   *
   * @param onWanted called, perhaps several times, when another caller wants the lock or when it was lost.
   * @returns the function that releases it.
   * @throws LockBusyError when it is not released in time.
   */
  acquire(name: string, onWanted: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** The lock's holder did not release it in time. */
export class LockBusyError extends Error {}

interface Holder {
  readonly onWanted: () => void
  readonly released: Promise<void>
}

const patienceMs = 10_000
const retryMs = 50
const channel = 'lock_wanted'

/**
 * Locks as PostgreSQL's advisory locks of one session: a single connection holds any number of them, and all are
 * released when the process dies. Callers must tolerate two holders for a moment, when that connection breaks.
 */
export function openNamedLocks({ url, log }: { url: string; log: Log }): NamedLocks {
  const holders = new Map<string, Holder>()
  const connection = keepConnection({
    url,
    log,
    onWanted: (name) => holders.get(name)?.onWanted(),
    onLost: () => {
      for (const { onWanted } of holders.values()) onWanted()
    },
  })

  return {
    acquire: async (name, onWanted) => {
      const until = performance.now() + patienceMs
      // PostgreSQL grants a session its own lock again, so within this process the map decides.
      for (let holder = holders.get(name); holder; holder = holders.get(name)) {
        const leftMs = until - performance.now()
        if (leftMs <= 0) throw new LockBusyError(`${name} is locked`)
        holder.onWanted()
        await Promise.race([holder.released, pause(leftMs, undefined, { ref: false })])
      }
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      holders.set(name, { onWanted, released })
      const forget = () => {
        holders.delete(name)
        release()
      }
      try {
        const client = await takeLock(connection, name, until)
        return async () => {
          // A closed connection has released everything.
          await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(() => {})
          forget()
        }
      } catch (error) {
        forget()
        throw error
      }
    },
    close: () => connection.close(),
  }
}

/** Asks for a lock until it is granted, and its holder for its release each time. @throws LockBusyError */
async function takeLock(connection: LockConnection, name: string, until: number): Promise<pg.Client> {
  for (;;) {
    const client = await connection.get()
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
      [name],
    )
    if (rows[0]?.taken) return client
    if (performance.now() > until) throw new LockBusyError(`${name} is locked`)
    await client.query('select pg_notify($1, $2)', [channel, name])
    await pause(retryMs)
  }
}

interface LockConnection {
  /** The open connection, or a new one after a loss. */
  get(): Promise<pg.Client>
  close(): Promise<void>
}

interface LockConnectionOptions {
  readonly url: string
  readonly log: Log
  readonly onWanted: (name: string) => void
  readonly onLost: () => void
}

/** Opens the connection at the first use, and again at the first use after it was lost. */
function keepConnection({ url, log, onWanted, onLost }: LockConnectionOptions): LockConnection {
  let connection: Promise<pg.Client> | undefined
  let isClosed = false

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'earshot locks',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    })
    const forget = () => {
      if (isClosed || connection === undefined) return
      connection = undefined
      log.warn('the connection that holds locks was lost')
      onLost()
    }
    client.on('error', forget)
    client.on('end', forget)
    client.on('notification', ({ payload }) => onWanted(payload ?? ''))
    await client.connect()
    await client.query(`listen ${channel}`)
    return client
  }

  return {
    get: () => {
      connection ??= connect().catch((error: unknown) => {
        connection = undefined
        throw error
      })
      return connection
    },
    close: async () => {
      isClosed = true
      await (await connection?.catch(() => undefined))?.end()
    },
  }
}
