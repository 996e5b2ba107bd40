import { type Operations, operations } from './operations.generated.ts'

export type * from './operations.generated.ts'

export interface ClientOptions {
  /** Where Earshot runs, e.g. `https://feedback.example.com`. */
  readonly host: string
  /** An API key of the project: `es_…`. */
  readonly key: string
  /** How often a request is retried that met a rate limit, a restart or a broken connection. Default 3. */
  readonly retries?: number
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** A refusal by the server. */
export class EarshotError extends Error {
  override readonly name = 'EarshotError'
  readonly status: number
  /** What happened, for programs, e.g. `feedback_not_found`. */
  readonly code: string
  /** Refused values, e.g. `{path: 'body.message', message: 'must not be blank'}`. */
  readonly fields: readonly { readonly path: string; readonly message: string }[]
  /** Names the request in the server's log. */
  readonly requestId: string

  constructor(status: number, problem: Problem) {
    const [field] = problem.fields ?? []
    super(field ? `${problem.title} ${field.path} ${field.message}` : (problem.detail ?? problem.title ?? 'Refused.'))
    this.status = status
    this.code = problem.code ?? 'unexpected_answer'
    this.fields = problem.fields ?? []
    this.requestId = problem.requestId ?? ''
  }
}

interface Problem {
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly fields?: readonly { path: string; message: string }[]
  readonly requestId?: string
}

interface CallOptions {
  readonly signal?: AbortSignal
  readonly idempotencyKey?: string
  readonly ifVersion?: number
}

/** Method, path, and `file` where the answer is the response itself. */
type Operation = readonly [method: string, path: string, kind?: 'file']

type Input = Readonly<Record<string, unknown>>

const firstPauseMs = 500

/** The operations of the API, on behalf of a key. */
export function createClient({ host, key, retries = 3, fetch: send = fetch }: ClientOptions): Operations {
  const base = host.replace(/\/+$/, '')

  async function call([method, path, kind]: Operation, input: Input, options: CallOptions): Promise<unknown> {
    const { url, rest } = fillPath(base + path, input)
    const isRead = method === 'GET'
    const headers: Record<string, string> = { accept: 'application/json', authorization: `Bearer ${key}` }
    if (!isRead) headers['content-type'] = 'application/json'
    // The same over all retries: nothing is created twice.
    if (method === 'POST') headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID()
    if (options.ifVersion !== undefined) headers['if-match'] = `"${options.ifVersion}"`
    const request: RequestInit = {
      method,
      headers,
      ...(!isRead && { body: JSON.stringify(rest) }),
      ...(options.signal && { signal: options.signal }),
    }
    // A PATCH that was answered by silence may have been applied: with a version, a retry would then be refused.
    const isSafe = isRead || method === 'POST'
    const response = await sendPatiently(isRead ? url + toQuery(rest) : url, request, isSafe)
    return kind === 'file' && response.ok ? response : readAnswer(response)
  }

  async function sendPatiently(url: string, request: RequestInit, isSafe: boolean): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries
      try {
        const response = await send(url, request)
        if (isLast || ![409, 429, 503].includes(response.status)) return response
        // Of conflicts, only that with an earlier try of the same request passes by itself.
        if (response.status === 409 && !response.headers.has('retry-after')) return response
        await response.body?.cancel()
        await pause(Number(response.headers.get('retry-after')) * 1000 || firstPauseMs * 2 ** attempt, request.signal)
      } catch (error) {
        if (isLast || !isSafe || request.signal?.aborted) throw error
        await pause(firstPauseMs * 2 ** attempt, request.signal)
      }
    }
  }

  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      (input: Input = {}, options: CallOptions = {}) => call(operation, input, options),
    ]),
    // The table and the types are generated from the same contracts.
  ) as unknown as Operations
}

/** The address with `{name}` replaced, and what of the input is left. */
function fillPath(path: string, input: Input): { url: string; rest: Input } {
  const rest = { ...input }
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    if (value === undefined || value === '') throw new TypeError(`${name} is missing`)
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  return { url, rest }
}

function toQuery(input: Input): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) query.append(name, String(each))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

async function readAnswer(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => ({}))
  // Our server sends problem documents; a proxy in front of it may send anything, and all members are optional.
  if (!response.ok) throw new EarshotError(response.status, body as Problem)
  return body
}

function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
