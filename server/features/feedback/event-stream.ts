import { PassThrough, type Readable } from 'node:stream'
import type { FeedbackFeed } from './feedback-feed.ts'

const heartbeatMs = 20_000
// A reader that takes nothing off its stream is gone or stuck; it may come back and read its list.
const maxBufferedBytes = 256 * 1024

/**
 * One follower's server-sent events (WHATWG HTML, section 9.2). Ends when `endsAt` is reached — the access token's
 * expiry, so that nobody follows for longer than they may — or when notices may have been missed.
 */
export function openEventStream(feed: FeedbackFeed, organizationId: string, endsAtMs: number): Readable {
  const stream = new PassThrough()
  const write = (text: string) => {
    if (stream.writableLength > maxBufferedBytes) stream.end()
    else if (stream.writable) stream.write(text)
  }
  const unfollow = feed.follow(organizationId, {
    onNotice: (notice) => write(`data: ${JSON.stringify(notice)}\n\n`),
    onGap: () => stream.end(),
  })
  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs)
  const end = setTimeout(() => stream.end(), Math.max(0, Math.min(endsAtMs - Date.now(), 24 * 3600_000)))
  stream.on('close', () => {
    unfollow()
    clearInterval(heartbeat)
    clearTimeout(end)
  })
  // The first bytes tell the reader that it is connected: what happens from here on will arrive.
  write('retry: 2000\n: connected\n\n')
  return stream
}
