/** One recorded event, from an untrusted browser: only these three properties are checked. */
export interface ReplayEvent {
  readonly type: number
  /** Milliseconds since 1970. */
  readonly timestamp: number
  readonly data: Loose
}

/** An untrusted object. */
export type Loose = Readonly<Record<string, unknown>>

/** A valid file without a checkpoint of the page. */
export class NoPageError extends Error {}

const maxBytes = 40_000_000
const maxEvents = 200_000
const longestMs = 3_600_000

// Each property is unknown.
export const asObject = (value: unknown): Loose => (value && typeof value === 'object' ? (value as Loose) : {})
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
/** A finite number within the limits; 0 when it is none. */
export const asNumber = (value: unknown, least = -1e6, most = 1e6): number =>
  typeof value === 'number' && value >= least ? Math.min(value, most) : Math.max(0, least)

async function readBytes(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const reader = stream.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts)
    bytes += value.length
    if (bytes > maxBytes) {
      // A few kilobytes can unpack to gigabytes.
      await reader.cancel()
      throw new Error('The replay is too large.')
    }
    parts.push(new Uint8Array(value))
  }
}

/**
 * Reads a recorded replay: JSON of rrweb's events, as it is or in gzip. Events out of shape are left out.
 * @throws {NoPageError} and other errors when it is neither, or larger than 40 MB
 */
export async function readEvents(file: Blob): Promise<readonly ReplayEvent[]> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const isZipped = first === 0x1f && second === 0x8b
  const stream = isZipped ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream()
  const parsed: unknown = JSON.parse(await (await readBytes(stream)).text())
  const events = asList(parsed)
    .slice(0, maxEvents)
    .map(asObject)
    .filter(({ type, timestamp }) => typeof type === 'number' && Number.isFinite(timestamp))
    // Type and time are checked on the line above.
    .map(({ type, timestamp, data }) => ({ type, timestamp, data: asObject(data) }) as ReplayEvent)
    .sort((a, b) => a.timestamp - b.timestamp)
  // Events before the first checkpoint show nothing, except the window's size just before it.
  const shown = events.findIndex(({ type }) => type === 2)
  if (shown < 0) throw new NoPageError('The replay shows no page.')
  const start = events[shown - 1]?.type === 4 ? shown - 1 : shown
  const startedAt = events[start]?.timestamp ?? 0
  return events.slice(start).filter(({ timestamp }) => timestamp - startedAt < longestMs)
}
