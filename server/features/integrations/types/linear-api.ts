import type { OutboundAnswer } from '#server/platform/outbound/outbound.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import type { TrackerApi } from '../issues/tracker.ts'

/** What Linear's API is asked with. */
export type LinearApi = TrackerApi<{ readonly token: string; readonly apiUrl?: string; readonly team: string }>

/** A page of a connection, with the fields of `pageInfo`. */
export interface Page<Node> {
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}
export const pageInfo = 'pageInfo { hasNextPage endCursor }'

interface GraphqlError {
  readonly message?: string
  readonly extensions?: { readonly code?: string; readonly userPresentableMessage?: string }
}

const maxAnswerBytes = 4_000_000
const maxPages = 10
/** Limits refill within an hour. A header says when, if at all. */
const defaultWaitSeconds = 300

/**
 * Asks Linear's GraphQL API (https://linear.app/developers/graphql).
 *
 * @throws DeliveryFailure with the status 400 for a refused request, 404 for what does not exist, and as usual for others.
 */
export async function ask<Data>(
  { settings: { token, apiUrl = 'https://api.linear.app/graphql' }, send }: LinearApi,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Data> {
  // Linear refuses API keys that are sent as bearer tokens.
  const headers = { authorization: token.startsWith('lin_api_') ? token : `Bearer ${token}` }
  const answer = await send(apiUrl, { headers, json: { query, variables }, maxAnswerBytes, judge })
  // Linear's documented answer; `judge` has read it.
  return (JSON.parse(answer.body.toString()) as { data: Data }).data
}

/** Asks for one page after another, at most ten. */
export async function askPages<Node>(askPage: (after: string | null) => Promise<Page<Node>>): Promise<Node[]> {
  const nodes: Node[] = []
  let after: string | null = null
  for (let page = 0; page < maxPages; page += 1) {
    const found: Page<Node> = await askPage(after)
    nodes.push(...found.nodes)
    after = found.pageInfo.endCursor
    if (!found.pageInfo.hasNextPage) break
  }
  return nodes
}

/** Errors come with 200, 400 or 401, and the body says what they are. */
function judge({ status, headers, body }: OutboundAnswer): DeliveryFailure | undefined {
  const read = parse(body)
  const [error] = read?.errors ?? []
  if (!error) {
    const isOk = status >= 200 && status <= 299
    return isOk && !read?.data ? new DeliveryFailure('The answer is not Linear’s. Is the address right?') : undefined
  }
  const { message = '', extensions: { code, userPresentableMessage } = {} } = error
  if (code === 'RATELIMITED') {
    const retryAfterSeconds = readWaitSeconds(headers)
    return new DeliveryFailure('Linear gets too many requests.', { status: 429, retryAfterSeconds })
  }
  if (code === 'AUTHENTICATION_ERROR')
    return new DeliveryFailure('Linear refused the token. Connect it again.', { status: 401 })
  if (code === 'FORBIDDEN') return new DeliveryFailure('Linear does not allow this token to do that.', { status: 403 })
  if (message.startsWith('Entity not found')) return new DeliveryFailure(`Linear: ${message}`, { status: 404 })
  return new DeliveryFailure(`Linear refused: ${(userPresentableMessage ?? message).slice(0, 200)}`, { status: 400 })
}

interface GraphqlAnswer {
  readonly data?: object | null
  readonly errors?: readonly GraphqlError[]
}

function parse(body: Buffer): GraphqlAnswer | null | undefined {
  try {
    // GraphQL's answers are objects. Of another server's, nothing is found in it.
    return JSON.parse(body.toString()) as GraphqlAnswer | null
  } catch {
    return undefined
  }
}

/** Seconds until the used-up limits are renewed, of which Linear gives the time in milliseconds. */
function readWaitSeconds(headers: OutboundAnswer['headers']): number {
  const waits = ['requests', 'complexity'].flatMap((limit) => {
    const seconds = (Number(headers[`x-ratelimit-${limit}-reset`]) - Date.now()) / 1000
    return headers[`x-ratelimit-${limit}-remaining`] === '0' && seconds > 0 ? seconds : []
  })
  return waits.length > 0 ? Math.ceil(Math.max(...waits)) : defaultWaitSeconds
}
