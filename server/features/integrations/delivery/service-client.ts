import type { Outbound, OutboundAnswer, OutboundRequest } from '#server/platform/outbound/outbound.ts'
import { OutboundError } from '#server/platform/outbound/outbound-error.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import type { ServiceRequest } from '../service-request.ts'

const timeoutMs = 20_000
const maxLogged = { request: 20_000, response: 4_000 }

/** The last request of an attempt, and its answer. */
export interface Exchange {
  request: string | null
  status: number | null
  response: string | null
}

/** Asks a service, and keeps the last exchange for the log. */
export interface ServiceClient {
  send(url: string, request?: ServiceRequest): Promise<OutboundAnswer>
  readonly last: Exchange
}

/**
 * @param secrets values that must not stand in the log, wherever the request repeats them.
 */
export function createServiceClient(outbound: Outbound, secrets: readonly string[]): ServiceClient {
  const last: Exchange = { request: null, status: null, response: null }
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '•••'), text)
  return {
    last,
    send: async (url, { method = 'POST', headers = {}, json, body, judge, maxAnswerBytes, hidesAnswer } = {}) => {
      const sent = json === undefined ? body : JSON.stringify(json)
      const all = {
        'user-agent': 'Earshot',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      }
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${hideCredentials(name, value)}`)
      const written = [`${method} ${url}`, ...lines, '', sent ?? ''].join('\n')
      Object.assign(last, { request: hide(written).slice(0, maxLogged.request), status: null, response: null })
      const answer = await ask(outbound, {
        url,
        method,
        headers: all,
        ...(sent !== undefined && { body: sent }),
        ...(maxAnswerBytes === undefined ? { allowCut: true } : { maxAnswerBytes }),
      })
      last.status = answer.status
      last.response = hidesAnswer ? '•••' : hide(readText(answer.body)).slice(0, maxLogged.response)
      const failure = judge?.(answer)
      if (failure) throw failure
      if (answer.status >= 200 && answer.status <= 299) return answer
      throw toFailure(answer)
    },
  }
}

/** Tokens that were made for an hour are among no stored secrets, and Basic credentials hold theirs in base64. */
function hideCredentials(name: string, value: string): string {
  return name.toLowerCase() === 'authorization' ? value.replace(/[^ ]+$/, '•••') : value
}

async function ask(outbound: Outbound, request: OutboundRequest): Promise<OutboundAnswer> {
  try {
    return await outbound.request({ timeoutMs, ...request })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new DeliveryFailure(error.message)
  }
}

function toFailure({ status, headers }: OutboundAnswer): DeliveryFailure {
  const isUsedUp = headers['x-ratelimit-remaining'] === '0'
  const retryAfterSeconds = readRetryAfter(headers['retry-after']) ?? (isUsedUp ? readReset(headers) : undefined)
  const options = { status, retryAfterSeconds }
  if (status === 410) {
    return new DeliveryFailure('The service answered 410: it wants no more deliveries.', { ...options, kind: 'gone' })
  }
  if (status === 429 || (status === 403 && isUsedUp)) {
    return new DeliveryFailure(`The service gets too many requests (${status}).`, options)
  }
  if (status === 401 || status === 403) {
    return new DeliveryFailure(`The service refused the credentials (${status}). Connect it again.`, options)
  }
  if (status === 404) return new DeliveryFailure('The service knows nothing at this address (404).', options)
  if (status >= 300 && status <= 399) {
    return new DeliveryFailure(`The service redirected the request (${status}), which is not followed.`, options)
  }
  return new DeliveryFailure(`The service answered ${status}.`, options)
}

/** Seconds until a used-up limit is renewed, which many services say in seconds since 1970. */
function readReset(headers: OutboundAnswer['headers']): number | undefined {
  const seconds = Number(headers['x-ratelimit-reset']) - Date.now() / 1000
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

/** Seconds of a Retry-After header (RFC 9110, section 10.2.3): a number, or a date. */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

/** PostgreSQL's text holds no NUL. */
function readText(body: Buffer): string {
  return body.toString('utf8').replaceAll('\u0000', '\uFFFD')
}
