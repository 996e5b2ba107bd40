/* Requests of the API: keys, version, idempotency, parameters and errors (https://docs.stripe.com/api). */
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import Stripe from 'stripe'
import { type Account, newId } from './account.ts'
import { decodeForm } from './form.ts'
import { type ApiReply, IdempotencyKeys } from './idempotency.ts'
import { refuse, StripeRefusal } from './refusal.ts'
import type { Route } from './route.ts'
import { billingRoutes } from './routes/billing.ts'
import { catalogRoutes } from './routes/catalog.ts'
import { customerRoutes } from './routes/customers.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { catchUp } from './test-clocks.ts'

const routes: readonly Route[] = [...catalogRoutes, ...customerRoutes, ...billingRoutes, ...sessionRoutes]

/** Failures of the service, changed by tests at any time. */
export interface StripeFaults {
  /** All requests are answered with it, and not carried out. */
  status: 429 | 500 | 503 | undefined
  /** How long every request takes, in milliseconds. */
  delayMs: number
  /** So many of the next changes are carried out, and answered with 500. */
  brokenAnswers: number
  /** So many of the next changes are carried out, and never answered. */
  lostAnswers: number
}

/** A request as it came in. */
export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

/** A request that was answered. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  /** Decoded from the form. */
  readonly parameters: string
  readonly idempotencyKey: string | undefined
  /** Of the answer; 0: none was sent. */
  readonly status: number
}

const faultMessages = {
  429: { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded.' },
  500: { type: 'api_error', message: 'An unknown error occurred.' },
  503: { type: 'api_error', message: 'Stripe is temporarily unavailable.' },
}

/** The API of several accounts, one per secret key. */
export class StripeApi {
  readonly faults: StripeFaults = { status: undefined, delayMs: 0, brokenAnswers: 0, lostAnswers: 0 }
  readonly requests: RecordedRequest[] = []
  readonly #accounts: ReadonlyMap<string, Account>
  readonly #keys = new Map<Account, IdempotencyKeys>()

  /** @param accounts by secret key */
  constructor(accounts: ReadonlyMap<string, Account>) {
    this.#accounts = accounts
    for (const account of accounts.values()) this.#keys.set(account, new IdempotencyKeys())
  }

  /** Answers a request; undefined: the connection breaks off instead. */
  async answer(request: ApiRequest): Promise<ApiReply | undefined> {
    const id = newId('req')
    const reply = await this.#carryOut(request, id)
    const isChange = request.method !== 'GET'
    const isLost = isChange && reply.status < 300 && this.faults.lostAnswers > 0
    if (isLost) this.faults.lostAnswers -= 1
    this.requests.push({
      method: request.method,
      path: request.path,
      parameters: decodeURIComponent((request.body || request.query).replaceAll('+', ' ')),
      idempotencyKey: readHeader(request, 'idempotency-key'),
      status: isLost ? 0 : reply.status,
    })
    const headers = { 'request-id': id, 'stripe-version': Stripe.API_VERSION, ...reply.headers }
    return isLost ? undefined : { ...reply, headers }
  }

  async #carryOut(request: ApiRequest, id: string): Promise<ApiReply> {
    const { status, delayMs } = this.faults
    try {
      if (status !== undefined) {
        if (delayMs > 0) await wait(delayMs)
        return { status, body: { error: faultMessages[status] } }
      }
      const account = this.#authenticate(request)
      return await this.#dispatch(account, request, id)
    } catch (error) {
      return describeError(error)
    }
  }

  #authenticate({ headers }: ApiRequest): Account {
    const [, scheme = '', given = ''] = /^(Bearer|Basic) (.+)$/.exec(headers.authorization ?? '') ?? []
    const key = scheme === 'Basic' ? (Buffer.from(given, 'base64').toString().split(':')[0] ?? '') : given
    if (key === '') {
      const message =
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
      throw new StripeRefusal(401, message)
    }
    const account = this.#accounts.get(key)
    if (!account) throw new StripeRefusal(401, `Invalid API Key provided: ${key.slice(0, 8)}***${key.slice(-4)}`)
    const version = headers['stripe-version']
    if (version !== undefined && version !== Stripe.API_VERSION)
      throw refuse(`Invalid Stripe API version: ${String(version)}. The double speaks ${Stripe.API_VERSION}.`)
    return account
  }

  async #dispatch(account: Account, request: ApiRequest, id: string): Promise<ApiReply> {
    const { method, path, query, body } = request
    const route = routes.find((each) => each.method === method && each.path.test(path))
    if (!route) throw new StripeRefusal(404, `Unrecognized request URL (${method}: ${path}).`)
    const [, first = '', second = ''] = route.path.exec(path) ?? []
    // Nothing is kept under the key of a request with wrong parameters.
    const execute = route.read(decodeForm(method === 'POST' ? body : [query, body].filter(Boolean).join('&')))
    const key = method === 'POST' ? readHeader(request, 'idempotency-key') : undefined
    const run = async (): Promise<ApiReply> => {
      if (this.faults.delayMs > 0) await wait(this.faults.delayMs)
      try {
        catchUp(account)
        account.origin = { id, idempotency_key: key ?? null }
        const reply = execute({ account, path, ids: [decodeURIComponent(first), decodeURIComponent(second)] })
        if (method === 'GET' || this.faults.brokenAnswers === 0) return { status: 200, body: reply }
        this.faults.brokenAnswers -= 1
        return { status: 500, body: { error: faultMessages[500] }, headers: { 'stripe-should-retry': 'false' } }
      } catch (error) {
        return describeError(error)
      } finally {
        account.origin = { id: null, idempotency_key: null }
      }
    }
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const keys = this.#keys.get(account)
    const reply = await (key === undefined || !keys ? run() : keys.run(key, `${method} ${path} ${body}`, run))
    return { ...reply, headers: { ...headers, ...reply.headers } }
  }
}

function readHeader({ headers }: ApiRequest, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

function describeError(error: unknown): ApiReply {
  if (error instanceof StripeRefusal) return { status: error.status, body: error.toJSON() }
  // A mistake in the double: the stack says where.
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { status: 500, body: { error: { type: 'api_error', message } }, headers: { 'stripe-should-retry': 'false' } }
}
