import { PassThrough, type Readable } from 'node:stream'
import type { FeedbackFeed } from './feedback-feed.ts'

const heartbeatMs = 20_000
// A reader above this is gone or stuck; it may reconnect and reload its list. Fits some change notices of 50 rows.
const maxBufferedBytes = 1024 * 1024

/** A follower, and the end of their access. */
export interface FollowerRights {
  readonly organizationId: string
  readonly userId: string
  /** The access token's expiry, which ends the stream. */
  readonly endsAtMs: number
  /** Milliseconds between checks of {@link mayFollow}. Default: a heartbeat. */
  readonly checkEveryMs?: number
  /** Called at every heartbeat, and whenever a member leaves the organisation or an impersonation ends. */
  mayFollow(): Promise<boolean>
}

/**
 * One follower's server-sent events (WHATWG HTML, section 9.2). Ends when the follower's time or right is over, or when
 * notices may have been missed.
 */
export function openEventStream(
  feed: FeedbackFeed,
  { organizationId, userId, endsAtMs, checkEveryMs = heartbeatMs, mayFollow }: FollowerRights,
): Readable {
  const stream = new PassThrough()
  const write = (text: string) => {
    if (stream.writableLength > maxBufferedBytes) stream.end()
    else if (stream.writable) stream.write(text)
  }
  const endUnlessAllowed = async () => {
    // The database is not available at the moment: the next heartbeat checks again.
    const isAllowed = await mayFollow().catch(() => true)
    if (!isAllowed) stream.end()
  }
  const unfollow = feed.follow(organizationId, {
    userId,
    onNotice: (notice, text) => {
      if (notice.kind !== 'notifications') return write(`data: ${text}\n\n`)
      // The ids of other recipients are private.
      if (notice.ids.includes(userId)) write(`data: ${JSON.stringify({ ...notice, ids: [userId] })}\n\n`)
    },
    onGap: () => stream.end(),
    onAccessChanged: () => void endUnlessAllowed(),
  })
  const heartbeat = setInterval(() => {
    write(': still here\n\n')
  }, heartbeatMs)
  const check = setInterval(() => void endUnlessAllowed(), checkEveryMs)
  const end = setTimeout(() => stream.end(), Math.max(0, Math.min(endsAtMs - Date.now(), 24 * 3600_000)))
  stream.on('close', () => {
    unfollow()
    clearInterval(heartbeat)
    clearInterval(check)
    clearTimeout(end)
  })
  // The first bytes tell the reader that it is connected: what happens from here on will arrive.
  write('retry: 2000\n: connected\n\n')
  return stream
}
