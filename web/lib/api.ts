import type { Problem } from '#contract/errors.ts'
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, RouteContract } from '#contract/route.ts'
import { findAccessToken, renewSession } from './auth-client.ts'
import { withBasePath } from './base-path.ts'
import { earlyKey, takeEarlyCall } from './early-calls.ts'
import { noteReadOnly } from './read-only.ts'

/** An answer of the product's API that says no. `message` is meant for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly problem: Problem
  /** From `Retry-After`; undefined unless the server named a time. */
  readonly retryAfterSeconds: number | undefined

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail ?? problem.title)
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }

  get code(): string {
    return this.problem.code
  }

  get status(): number {
    return this.problem.status
  }

  /** The error message of one body field, e.g. `findFieldMessage('name')`. */
  findFieldMessage(field: string): string | undefined {
    return this.problem.fields?.find(({ path }) => path === `body.${field}` || path === field)?.message
  }
}

/** The server could not be reached, or its answer did not arrive whole. */
class NetworkError extends Error {
  override readonly name = 'NetworkError'
  constructor(cause: unknown) {
    super('Network error. Please check your connection and try again.', { cause })
  }
}

type Part<Name extends string, Value> =
  Value extends Record<string, never> ? { [K in Name]?: never } : { [K in Name]: Value }

type QueryPart<Value> = Value extends Record<string, never> ? { query?: never } : { query?: Value }
type BodyPart<Value> = [Value] extends [undefined] ? { body?: never } : { body: Value }

/** What a call of the contract needs: its path's parameters, its query, its body. */
export type CallInput<R extends RouteContract> = Part<'params', ParamsOf<R>> &
  QueryPart<QueryOf<R>> &
  BodyPart<BodyOf<R>> & { signal?: AbortSignal; token?: string }

interface AnyInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal
  /** Instead of the session's access token. */
  token?: string
}

/**
 * Calls the product's API as the signed-in user.
 *
 * @throws ApiError when the server refuses, NetworkError when it can't be reached, and the signal's own reason when
 * aborted.
 */
export async function call<R extends RouteContract>(contract: R, input: CallInput<R>): Promise<ReplyOf<R>> {
  const response = await send(contract, input)
  // Only contracts without a body answer 204.
  if (response.status === 204) return undefined as ReplyOf<R>
  try {
    // The server answers by the contract: it shares the schema.
    return (await response.json()) as ReplyOf<R>
  } catch (cause) {
    if (input.signal?.aborted) throw input.signal.reason
    throw new NetworkError(cause)
  }
}

/** As {@link call}, but hands over the response itself: for streams. */
export async function send(contract: RouteContract, input: AnyInput, accept = 'application/json'): Promise<Response> {
  const response = await request(contract, input, accept, input.token ?? (await readToken(contract)))
  if (response.status !== 401 || contract.access.kind === 'public' || input.token !== undefined)
    return checkResponse(response)
  // The token may have expired on its way, or this device's clock is wrong: one fresh try before giving up.
  const session = await renewSession()
  if (!session) return checkResponse(response)
  return checkResponse(await request(contract, input, accept, session.access_token))
}

async function readToken(contract: RouteContract): Promise<string | undefined> {
  return contract.access.kind === 'public' ? undefined : findAccessToken()
}

/** Browsers keep 64 KiB alive in all, and fail what would be more: a dozen changes have room at once. */
const longestKeptAlive = 4096

async function request(
  contract: RouteContract,
  { params, query, body, signal }: AnyInput,
  accept: string,
  token: string | undefined,
): Promise<Response> {
  const headers = new Headers({ accept })
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const text = body === undefined ? undefined : JSON.stringify(body)
  if (text !== undefined) headers.set('content-type', 'application/json')
  const url = buildUrl(contract.path, params, query)
  try {
    const early = contract.method === 'GET' && takeEarlyCall(earlyKey(url), token, signal)
    const response = await (early ||
      fetch(url, {
        method: contract.method,
        headers,
        credentials: 'omit',
        ...(text !== undefined && { body: text }),
        // keepalive: a change arrives even if the tab is closed right after.
        keepalive: contract.method !== 'GET' && (text?.length ?? 0) <= longestKeptAlive,
        ...(signal && { signal }),
      }))
    noteReadOnly(response, contract, body)
    return response
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    throw new NetworkError(cause)
  }
}

/** Fills `{name}` in the path and appends the query; a list becomes one pair per entry, undefined is left out. */
export function buildUrl(
  path: string,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`The parameter ${name} of ${path} is missing`)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const entry of Array.isArray(value) ? value : [value]) {
      if (entry !== undefined) search.append(name, String(entry))
    }
  }
  return withBasePath(search.size > 0 ? `${filled}?${search}` : filled)
}

async function checkResponse(response: Response): Promise<Response> {
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => undefined)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  throw new ApiError(
    isProblem(body) ? body : describeForeignError(response),
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  )
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'title' in body && 'status' in body
}

/** Something between us and the server answered, e.g. a proxy with its own error page. */
function describeForeignError(response: Response): Problem {
  return {
    code: 'unexpected_answer',
    title: 'An unexpected error occurred',
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? '',
  }
}
