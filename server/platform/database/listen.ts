import pg from 'pg'
import type { Log } from '../log/log.ts'

export type StopListening = () => Promise<void>

const longestPauseMs = 5_000

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
    let lost = false
    const onLost = () => {
      if (lost || stopped) return
      lost = true
      reconnect(100)
    }
    next.on('error', onLost)
    next.on('end', onLost)
    next.on('notification', (notice) => options.onNotice(notice.payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(options.channel)}`)
    } catch (error) {
      lost = true
      next.end().catch(() => {})
      throw error
    }
    client = next
  }

  function reconnect(pauseMs: number): void {
    retry = setTimeout(async () => {
      try {
        await connect()
        options.onGap?.()
      } catch (error) {
        options.log.warn({ err: error }, 'cannot listen to the database yet')
        if (!stopped) reconnect(Math.min(pauseMs * 2, longestPauseMs))
      }
    }, pauseMs)
  }

  await connect()
  return async () => {
    stopped = true
    clearTimeout(retry)
    await client?.end()
  }
}
