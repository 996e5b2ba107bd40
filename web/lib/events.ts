import type { ParamsOf, QueryOf, RouteContract } from '#contract/route.ts'
import { ApiError, send } from './api.ts'
import { isClientFault } from './query-client.ts'

const firstDelayMs = 1000
const longestDelayMs = 30_000
/** The server writes something at least every 20 s: a longer silence means that the connection is dead. */
const silenceMs = 50_000

export interface EventStreamOptions<R extends RouteContract> {
  params: ParamsOf<R>
  /** Asked at each connection. */
  query?: () => QueryOf<R>
  /** Ends the watching. */
  signal: AbortSignal
  /** Called with the parsed JSON of every event. */
  onEvent: (data: unknown) => void
  /** Called at every connection, also the first. Events before it are not repeated: load what is shown again. */
  onOpen?: () => void
  /** Called when the connection was lost or refused for now, with the refusal; it is tried again by itself. */
  onLost?: (refusal?: ApiError) => void
}

/**
 * Follows a stream of server-sent events as the signed-in user until the signal aborts, reconnecting with growing
 * pauses. `EventSource` can't send the access token, hence by fetch. Gives up on a 4xx answer other than 429.
 *
 * @returns when the signal has aborted.
 * @throws ApiError when the server refuses permanently.
 */
export async function followEvents<R extends RouteContract>(
  contract: R,
  { params, query, signal, onEvent, onOpen, onLost }: EventStreamOptions<R>,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    let refusal: ApiError | undefined
    try {
      await readStream(contract, { params, query: query?.() }, signal, onEvent, () => {
        failures = 0
        onOpen?.()
      })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && isClientFault(error) && error.status !== 429) throw error
      if (error instanceof ApiError) refusal = error
    }
    if (signal.aborted) return
    onLost?.(refusal)
    await pause(Math.max(computeDelayMs(failures), (refusal?.retryAfterSeconds ?? 0) * 1000), signal)
    failures += 1
  }
}

/** Pause before the next try: doubling, capped, and spread so that a restarted server isn't stormed. */
export function computeDelayMs(failures: number, random: () => number = Math.random): number {
  const delay = Math.min(firstDelayMs * 2 ** failures, longestDelayMs)
  return Math.round(delay * (0.5 + random() / 2))
}

async function readStream(
  contract: RouteContract,
  input: { params: object; query: object | undefined },
  signal: AbortSignal,
  onEvent: (data: unknown) => void,
  onOpen: () => void,
): Promise<void> {
  const connection = new AbortController()
  const cancel = () => connection.abort(signal.reason)
  signal.addEventListener('abort', cancel, { once: true })
  let watchdog: ReturnType<typeof setTimeout> | undefined
  const expectMore = () => {
    clearTimeout(watchdog)
    watchdog = setTimeout(() => connection.abort(new Error('The event stream fell silent')), silenceMs)
  }
  try {
    expectMore()
    const response = await send(
      contract,
      // Parameters and queries of a contract are objects.
      { ...(input as Record<string, Record<string, unknown>>), signal: connection.signal },
      'text/event-stream',
    )
    if (!response.body) return
    onOpen()
    const parse = createEventParser(onEvent)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      expectMore()
      parse(chunk.value)
    }
  } finally {
    clearTimeout(watchdog)
    signal.removeEventListener('abort', cancel)
    connection.abort()
  }
}

/** Takes a stream's text piece by piece and calls back with the JSON of each event. Invalid JSON is ignored. */
export function createEventParser(onEvent: (data: unknown) => void): (text: string) => void {
  let rest = ''
  let lines: string[] = []
  return (text) => {
    // A \r at the end of a piece may be half of a \r\n: it waits for the next piece.
    const joined = rest + text
    const cut = joined.endsWith('\r') ? joined.length - 1 : joined.length
    const parts = joined.slice(0, cut).split(/\r\n|\n|\r/)
    rest = (parts.pop() ?? '') + joined.slice(cut)
    for (const line of parts) {
      if (line.startsWith('data:')) lines.push(line.slice(line.startsWith('data: ') ? 6 : 5))
      if (line !== '' || lines.length === 0) continue
      const data = lines.join('\n')
      lines = []
      try {
        onEvent(JSON.parse(data))
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
      }
    }
  }
}

/** Waits; less when the device comes back online, and not at all once aborted. */
function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, delayMs)
    signal.addEventListener('abort', done, { once: true })
    window.addEventListener('online', done, { once: true })
  })
}
