import { PassThrough, type Readable } from 'node:stream'

const heartbeatMs = 20_000
// A reader above this is gone or stuck; it may reconnect and read again. Fits some change notices of 50 rows.
const maxBufferedBytes = 1024 * 1024

/** One reader's server-sent events (WHATWG HTML, section 9.2). */
export interface EventStream {
  readonly stream: Readable
  /** Sends an event. A reader that is too far behind is disconnected. */
  send(data: string): void
  /** Ends the stream unless the reader may still follow. Called again and again by itself. */
  endUnlessAllowed(): Promise<void>
  end(): void
}

/**
 * Opens a stream, which ends when the reader's time or right is over.
 *
 * @param options.endsAtMs the access token's expiry.
 * @param options.checkEveryMs how often the reader's right is read again. Default: at each heartbeat.
 * @param options.onClose called once, whether the reader or the server has ended it.
 */
export function openEventStream({
  endsAtMs,
  checkEveryMs = heartbeatMs,
  mayFollow,
  onClose,
}: {
  endsAtMs: number
  checkEveryMs?: number | undefined
  mayFollow: () => Promise<boolean>
  onClose: () => void
}): EventStream {
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
  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs)
  const check = setInterval(() => void endUnlessAllowed(), checkEveryMs)
  const end = setTimeout(() => stream.end(), Math.max(0, Math.min(endsAtMs - Date.now(), 24 * 3600_000)))
  stream.on('close', () => {
    onClose()
    clearInterval(heartbeat)
    clearInterval(check)
    clearTimeout(end)
  })
  // The first bytes tell the reader that it is connected: what happens from here on will arrive.
  write('retry: 2000\n: connected\n\n')
  return { stream, send: (data) => write(`data: ${data}\n\n`), endUnlessAllowed, end: () => void stream.end() }
}

/** Headers of an answer that is such a stream. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
  // When the stream ends, so does the connection: kept alive, it would hold up a server that stops.
  connection: 'close',
} as const
