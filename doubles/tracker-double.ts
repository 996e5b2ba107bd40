/*
 * What the doubles of issue trackers share: a server that speaks JSON, and a side for the people who work in the tracker.
 */
import { createServer } from 'node:http'
import { findFreePort } from './free-port.ts'

/** A request to a double. */
export interface TrackerRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Of its JSON; undefined without a body. */
  readonly body: unknown
}

/** A status and what is sent as JSON, or a text as it is. */
export type TrackerReply = readonly [status: number, body?: unknown]

/** An issue as people see it in the tracker. */
export interface ShownIssue {
  readonly key: string
  readonly title: string
  readonly body: string
  readonly status: string
  readonly labels: readonly string[]
  readonly priority: string | null
  readonly assignee: string | null
  readonly comments: readonly { readonly author: string; readonly text: string }[]
}

/** A running double of a tracker with one board, project or list. */
export interface TrackerDouble {
  readonly url: string
  /** What an owner enters to connect it. */
  readonly config: Readonly<Record<string, unknown>>
  /** The day on which the token ends; null: it does not. */
  readonly endsOn: string | null
  /** Its statuses for work that waits, that is under way, and that is done. */
  readonly statuses: readonly [todo: string, started: string, done: string]
  /** Name issues outside of what is connected, also ones that the token may see. */
  readonly foreign: readonly string[]
  /** Requests that the service's documentation does not allow, which a test expects to be none. */
  readonly refused: readonly string[]
  issues(): ShownIssue[]
  /** Grace, who works in the tracker, does these. */
  move(key: string, status: string): void
  comment(key: string, text: string): void
  remove(key: string): void
  /** The token is no longer accepted. */
  revoke(): void
  /** The next change is made, but its answer never arrives. */
  loseNextAnswer(): void
  /** Too many requests: all are refused, and it asks to be left alone for so many seconds. Null: no longer. */
  limit(seconds: number | null): void
  /** Requests that were refused since then. */
  limited(): number
  stop(): Promise<void>
}

/** A request that the service's documentation does not allow. */
export class UndocumentedError extends Error {}

/** @throws UndocumentedError for names that are not allowed, and for missing ones whose name ends in `!`. */
export function requireFields(given: unknown, allowed: readonly string[]): Record<string, unknown> {
  if (typeof given !== 'object' || given === null) throw new UndocumentedError('an object is missing')
  const names = Object.keys(given)
  const known = allowed.map((name) => name.replace('!', ''))
  const unknown = names.filter((name) => !known.includes(name))
  const missing = allowed.filter((name) => name.endsWith('!') && !names.includes(name.slice(0, -1)))
  if (unknown.length + missing.length > 0) throw new UndocumentedError(`fields: ${[...unknown, ...missing].join(', ')}`)
  // Checked above.
  return given as Record<string, unknown>
}

type Served = Pick<TrackerDouble, 'url' | 'refused' | 'loseNextAnswer' | 'limit' | 'limited' | 'stop'>

/**
 * Serves requests on the loopback interface. Without a reply, and for what throws an `UndocumentedError`, it answers 400 and
 * keeps the request in `refused`.
 */
export async function serveTracker(handle: (request: TrackerRequest) => TrackerReply | undefined): Promise<Served> {
  const refused: string[] = []
  let losesNext = false
  let limitSeconds: number | null = null
  let limited = 0
  const server = createServer((request, response) => {
    if (limitSeconds !== null) {
      limited += 1
      response.writeHead(429, { 'retry-after': String(limitSeconds) }).end()
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', headers } = request
      const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://double')
      const text = Buffer.concat(chunks).toString()
      const refuse = (reason: string): TrackerReply => {
        refused.push(`${method} ${request.url} ${text.slice(0, 300)}: ${reason}`)
        return [400, { message: reason }]
      }
      const [status, body] = answer()
      if (losesNext && method !== 'GET' && status < 300) {
        losesNext = false
        response.destroy()
        return
      }
      response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}))

      function answer(): TrackerReply {
        try {
          const json = text === '' ? undefined : JSON.parse(text)
          return handle({ method, path, query, headers, body: json }) ?? refuse('no such address')
        } catch (error) {
          if (error instanceof UndocumentedError || error instanceof SyntaxError) return refuse(error.message)
          return refuse(String(error))
        }
      }
    })
  })
  const port = await findFreePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    refused,
    loseNextAnswer: () => {
      losesNext = true
    },
    limit: (seconds) => {
      limitSeconds = seconds
      limited = 0
    },
    limited: () => limited,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
