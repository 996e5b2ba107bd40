import { Agent, buildConnector, type Dispatcher } from 'undici'
import { OutboundError } from './outbound-error.ts'
import { createTargetResolver, type ResolveOptions, type ResolveTarget } from './resolve-target.ts'
import { readTarget } from './target.ts'
import { toOutboundError } from './to-outbound-error.ts'

export { OutboundError } from './outbound-error.ts'

export interface OutboundRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Headers that steer the connection (`host`, `content-length`, `accept-encoding` …) are left out. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Of the whole exchange, from the name lookup to the last byte of the answer. Default 15,000. */
  readonly timeoutMs?: number
  /** Of the answer's body. Default 65,536. */
  readonly maxAnswerBytes?: number
  /** Cuts a longer body and sets `isCut`. Default false: a longer body is an error. */
  readonly allowCut?: boolean
}

export interface OutboundAnswer {
  readonly status: number
  /** Names in lower case; repeated headers joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /** As it was sent: compressed bodies, which no request asks for, stay compressed. */
  readonly body: Buffer
  readonly isCut: boolean
  readonly durationMs: number
}

/**
 * Requests to addresses that users give. Addresses are resolved here, every one is checked, and connections are made to
 * checked addresses only. Connections are kept for a few seconds and used again for the same host and port.
 */
export interface Outbound {
  /**
   * Redirects are answers with their 3xx status, and never followed.
   *
   * @throws OutboundError when there is no usable answer.
   * @throws Error for a header with characters that HTTP can't carry.
   */
  request(request: OutboundRequest): Promise<OutboundAnswer>
  /**
   * Checks the URL and the addresses of its host without a connection, for forms. A name that doesn't resolve, or not yet,
   * passes: each request checks again.
   *
   * @returns a sentence for the person who gave the URL; undefined if it may be used.
   */
  checkAddress(url: string): Promise<string | undefined>
  /** Ends all requests as `unreachable`. */
  close(): Promise<void>
}

/** Per host and port. More requests wait for each other, within their time limits. */
const maxConnections = 64
const connectTimeoutMs = 5_000

/** @throws Error for an entry of the allow-list that can't be read. */
export function createOutbound(options: ResolveOptions): Outbound {
  const resolve = createTargetResolver(options)
  const agent = new Agent({
    connect: createConnector(resolve),
    connections: maxConnections,
    allowH2: false,
    // The signal of each request limits the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    request: async (request) => {
      const { url, target } = readTarget(request.url)
      const { timeoutMs = 15_000, maxAnswerBytes = 65_536, allowCut = false } = request
      const startedMs = performance.now()
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const answer = await agent.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: request.method ?? 'GET',
          headers: prepareHeaders(request.headers),
          body: request.body ?? null,
          signal,
        })
        const { bytes, isCut } = await readBody(answer.body, maxAnswerBytes)
        if (isCut && !allowCut) {
          throw new OutboundError('answer_too_large', `${target.host} answered with more than ${maxAnswerBytes} bytes.`)
        }
        const durationMs = performance.now() - startedMs
        return { status: answer.statusCode, headers: joinHeaders(answer.headers), body: bytes, isCut, durationMs }
      } catch (error) {
        throw toOutboundError(error, { host: target.host, timeoutMs, isLate: signal.aborted })
      }
    },
    checkAddress: async (url) => {
      try {
        await resolve(readTarget(url).target)
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error
        if (error.failure === 'address_refused') return error.message
      }
      return undefined
    },
    close: () => agent.destroy(),
  }
}

/** Connects to the addresses that `resolve` checked: no second lookup may bring others. */
function createConnector(resolve: ResolveTarget): buildConnector.connector {
  return (options, callback) => {
    const isSecure = options.protocol === 'https:'
    const port = Number(options.port) || (isSecure ? 443 : 80)
    resolve({ host: options.hostname, port, isSecure })
      .then((addresses) => connectTo(addresses)(options, callback))
      .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null))
  }
}

function connectTo(addresses: readonly string[]): buildConnector.connector {
  const checked = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    // Tries them in turn, so that an unreachable IPv6 address delays a connection by a quarter of a second only.
    autoSelectFamily: true,
    lookup: (_host, { all }, callback) => {
      const [first] = checked
      if (all || !first) callback(null, checked)
      else callback(null, first.address, first.family)
    },
  })
}

const ownHeaders = { 'user-agent': 'Earshot' }

/** Set by HTTP itself, or they would send the request to another host behind the same proxy. */
const steering = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function prepareHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const kept = given.filter(([name]) => !steering.has(name) && !name.startsWith('proxy-'))
  return { ...ownHeaders, ...Object.fromEntries(kept) }
}

function joinHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ])
  return Object.fromEntries(entries)
}

/** Leaving the loop ends the connection, so the rest of a long body is never sent. */
async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = []
  let room = maxBytes
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, room))
    if (chunk.length > room) return { bytes: Buffer.concat(chunks), isCut: true }
    room -= chunk.length
  }
  return { bytes: Buffer.concat(chunks), isCut: false }
}
