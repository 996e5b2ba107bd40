/*
 * Stripe for development and tests: the part of its HTTP API that a subscription product calls, with the hosted pages and
 * signed webhooks, spoken to by the real SDK. The state is in memory. It answers by the API version that the installed SDK
 * pins, and refuses other versions, unknown parameters and values that this version does not list.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Stripe from 'stripe'
import { Account, newId, type TaxSettings } from './account.ts'
import { StripeApi, type StripeFaults } from './api.ts'
import { answerPage } from './pages/answer-page.ts'
import { renderStripeJs } from './pages/stripe-js.ts'
import { advanceAccount } from './test-clocks.ts'
import { createWebhookEndpoint } from './webhook-endpoints.ts'
import { WebhookSender } from './webhooks.ts'

/** How it starts. */
interface StripeDoubleOptions {
  /** A free one by default. */
  readonly port?: number
  /** Secret keys, each of an account of its own. */
  readonly keys?: readonly string[]
  /** Where the first account's events are sent. Its signing secret is `webhookSecret`. */
  readonly webhookUrl?: string
  /** Without it, no tax is collected anywhere. */
  readonly tax?: TaxSettings
}

/** A running double. */
export interface StripeDouble {
  readonly url: string
  /** For the SDK's options: `new Stripe(secretKey, { host, port, protocol })`. */
  readonly host: string
  readonly port: number
  readonly protocol: 'http'
  /** Of the first account. */
  readonly secretKey: string
  /** Of `webhookUrl`; empty without one. */
  readonly webhookSecret: string
  readonly webhooks: WebhookSender
  readonly faults: StripeFaults
  /** Requests of the API, oldest first. */
  readonly requests: StripeApi['requests']
  /** Connections are refused until `plugIn`. */
  unplug(): Promise<void>
  plugIn(): Promise<void>
  /** Moves the time of all objects without a test clock, of every account. */
  advance(seconds: number): void
  /** Sends an event of the account again. @throws Error for unknown ids */
  replayEvent(id: string): void
  /** All resources of an account by kind, for comparison; a copy. */
  snapshot(key?: string): Record<string, readonly unknown[]>
  stop(): Promise<void>
}

const defaultKey = 'sk_test_double'

/** Starts it on the loopback interface. */
export async function startStripeDouble(options: StripeDoubleOptions = {}): Promise<StripeDouble> {
  const webhooks = new WebhookSender()
  let url = ''
  const keys = options.keys ?? [defaultKey]
  const create = () =>
    new Account({
      id: newId('acct'),
      baseUrl: () => url,
      send: (event, endpoints) => webhooks.send(event, endpoints),
      tax: options.tax,
    })
  const accounts = new Map(keys.map((key) => [key, create()]))
  const get = (key: string | undefined): Account => {
    const account = accounts.get(key ?? keys[0] ?? '')
    if (!account) throw new Error(`no account has the key ${key}`)
    return account
  }
  const endpoint =
    options.webhookUrl === undefined
      ? undefined
      : createWebhookEndpoint(get(undefined), { url: options.webhookUrl, enabled_events: ['*'] })
  const api = new StripeApi(accounts)
  const server = createServer(
    (request, response) => void answer(request, response, api, [...accounts.values()], () => url),
  )
  const port = await listen(server, options.port ?? 0)
  url = `http://127.0.0.1:${port}`
  return {
    url,
    host: '127.0.0.1',
    port,
    protocol: 'http',
    secretKey: keys[0] ?? defaultKey,
    webhookSecret: endpoint?.signingSecret ?? '',
    webhooks,
    faults: api.faults,
    requests: api.requests,
    unplug: () => close(server),
    plugIn: async () => void (await listen(server, port)),
    advance: (seconds) => {
      for (const account of accounts.values()) advanceAccount(account, seconds)
    },
    replayEvent: (id) => replayEvent([...accounts.values()], webhooks, id),
    snapshot: (key) => takeSnapshot(get(key)),
    stop: async () => {
      webhooks.stop()
      await close(server)
    },
  }
}

function replayEvent(accounts: readonly Account[], webhooks: WebhookSender, id: string): void {
  const account = accounts.find(({ tables }) => tables.events.find(id))
  const event: Stripe.Event | undefined = account?.tables.events.find(id)
  if (!account || !event) throw new Error(`no event ${id}`)
  webhooks.replay(event, account.tables.endpoints.list())
}

function takeSnapshot({ tables }: Account): Record<string, readonly unknown[]> {
  return JSON.parse(
    JSON.stringify(Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, table.list()]))),
  )
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      // A TCP server has an address of this form.
      resolve((server.address() as AddressInfo).port)
    })
  })
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  api: StripeApi,
  accounts: readonly Account[],
  url: () => string,
): Promise<void> {
  const { method = 'GET', headers } = request
  const { pathname: path, search } = new URL(request.url ?? '/', url())
  const body = await readBody(request)
  if (path.startsWith('/v1/')) {
    const reply = await api.answer({ method, path, query: search.slice(1), body, headers })
    if (!reply) response.destroy()
    else
      response
        .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
        .end(JSON.stringify(reply.body))
    return
  }
  if (/^\/(v3\/?|[a-z]+\/stripe\.js)$/.test(path)) {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(renderStripeJs(url()))
    return
  }
  const reply = answerPage(accounts, path, method === 'POST' ? new URLSearchParams(body) : undefined)
  if ('location' in reply) response.writeHead(303, { location: reply.location }).end()
  else if ('pdf' in reply) response.writeHead(200, { 'content-type': 'application/pdf' }).end(reply.pdf)
  else response.writeHead(reply.status, { 'content-type': 'text/html; charset=utf-8' }).end(reply.html)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  // Without an encoding, a stream gives bytes.
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
