import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log/log.ts'

/** Locks by name, held by at most one caller among all processes of this instance. */
export interface NamedLocks {
  /**
   * Waits until the lock is free. Its holder, in whatever process, is told that somebody waits.
   *
   * @param onWanted called, perhaps several times, when somebody else wants the lock or when it was lost.
   * @returns what gives it back.
   * @throws LockBusyError when it does not become free in time.
   */
  acquire(name: string, onWanted: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** The lock's holder did not give it back in time. */
export class LockBusyError extends Error {}

interface Holder {
  readonly onWanted: () => void
  readonly released: Promise<void>
}

const patienceMs = 10_000
const retryMs = 50
const channel = 'lock_wanted'

/**
 * Locks as PostgreSQL's advisory locks of one session: a single connection holds any number of them, and all are free
 * again when the process dies. What is locked must bear a moment with two holders, when that connection breaks.
 */
export function openNamedLocks({ url, log }: { url: string; log: Log }): NamedLocks {
  const holders = new Map<string, Holder>()
  let connection: Promise<pg.Client> | undefined
  let isClosed = false

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'earshot locks',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    })
    const onLost = () => {
      if (isClosed || connection === undefined) return
      connection = undefined
      log.warn('the connection that holds locks was lost')
      for (const { onWanted } of holders.values()) onWanted()
    }
    client.on('error', onLost)
    client.on('end', onLost)
    client.on('notification', ({ payload }) => holders.get(payload ?? '')?.onWanted())
    await client.connect()
    await client.query(`listen ${channel}`)
    return client
  }

  function open(): Promise<pg.Client> {
    connection ??= connect().catch((error: unknown) => {
      connection = undefined
      throw error
    })
    return connection
  }

  async function take(name: string, until: number): Promise<pg.Client> {
    for (;;) {
      const client = await open()
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

  return {
    acquire: async (name, onWanted) => {
      const until = performance.now() + patienceMs
      // One session may take a lock of its own again: among ourselves, this map decides.
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
        const client = await take(name, until)
        return async () => {
          // A connection that is gone has given back everything.
          await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(() => {})
          forget()
        }
      } catch (error) {
        forget()
        throw error
      }
    },
    close: async () => {
      isClosed = true
      await (await connection?.catch(() => undefined))?.end()
    },
  }
}
