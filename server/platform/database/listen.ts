import pg from 'pg'
import { type BackOff, choosePause } from '../back-off.ts'
import type { Log } from '../log/log.ts'
import { endIfSilent } from './pool.ts'

export type StopListening = () => Promise<void>

const reconnecting: BackOff = { firstMs: 100, longestMs: 2_000 }
/** A network that swallows packets breaks no connection: without an answer to this question, it counts as lost. */
const pulseMs = 15_000
const silenceMs = 5_000

/**
 * Listens on one channel over a connection of its own, and reconnects when that breaks.
 *
 * PostgreSQL stores no notifications for absent listeners, so `onGap` is called after every reconnection: copies in memory
 * may then be stale.
 */
export async function listenTo(options: {
  url: string
  log: Pick<Log, 'warn'>
  channel: string
  onNotice: (payload: string) => void
  onGap?: () => void
}): Promise<StopListening> {
  let stopped = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: options.url,
      application_name: 'earshot listen',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    })
    // A failed attempt is reported by the rejection alone; a lost connection by its end.
    next.on('error', () => {})
    next.on('notification', (notice) => options.onNotice(notice.payload ?? ''))
    endIfSilent(next, { afterMs: silenceMs })
    let isOpen = false
    let hasEnded = false
    next.once('end', () => {
      hasEnded = true
      clearInterval(pulse)
      if (isOpen && !stopped) reconnect(1)
    })
    const pulse = setInterval(() => next.query('select 1').catch(() => {}), pulseMs)
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(options.channel)}`)
      if (hasEnded) throw new Error('the connection ended as it was opened')
    } catch (error) {
      clearInterval(pulse)
      next.end().catch(() => {})
      throw error
    }
    isOpen = true
    client = next
  }

  function reconnect(attempt: number): void {
    retry = setTimeout(
      async () => {
        try {
          await connect()
          options.onGap?.()
        } catch (error) {
          // One line per outage: others say that the database is away.
          if (attempt === 1) options.log.warn({ err: error }, 'cannot listen to the database yet')
          if (!stopped) reconnect(attempt + 1)
        }
      },
      choosePause(reconnecting, attempt),
    )
  }

  await connect()
  return async () => {
    stopped = true
    clearTimeout(retry)
    await client?.end()
  }
}
