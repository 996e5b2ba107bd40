import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AuthClient } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import pg from 'pg'
import { findFreePort } from '#doubles/free-port.ts'
import { type MailCatcher, startMailCatcher } from '#doubles/mail.ts'
import { loadConfig } from '#server/config.ts'
import { authRoutes } from '#server/features/auth/auth.routes.ts'
import { type Auth, createAuth } from '#server/features/auth/auth.service.ts'
import { rpcRoutes } from '#server/features/auth/rpc/rpc.routes.ts'
import { createMailJobs } from '#server/features/mail/mail.jobs.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createHttpServer } from '#server/platform/http/create-http-server.ts'
import { startWorker } from '#server/platform/jobs/worker.ts'
import { createLog, type Log } from '#server/platform/log/log.ts'
import { openMailTransport } from '#server/platform/mail/mail-transport.ts'
import { neverReadOnly } from '#server/platform/read-only/read-only.ts'
import { createTestDatabase } from './database.ts'
import type { TestDatabase } from './template-database.ts'

export interface TestAuthServer {
  readonly url: string
  /** Every route, e.g. `POST /auth/v1/signup`. */
  readonly routes: ReadonlySet<string>
  readonly auth: Auth
  readonly mails: MailCatcher
  /** Connections without row-level security, for reading rows and moving times. */
  readonly sql: pg.Pool
  /** The real client library with a storage of its own. */
  openBrowser(options?: { flowType?: 'pkce' | 'implicit' }): Browser
  /** Sends one request, with the publishable API key by default. Text and bytes are sent as they are, other bodies as JSON. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>
  /** Signs up, opens the emailed link and exchanges its code. */
  signUpConfirmed(email: string, password?: string): Promise<Browser>
  /** Another server on the same database, data folder and configuration, as a second process would be. */
  startAnother(): Promise<string>
  stop(): Promise<void>
}

export interface Browser {
  readonly auth: InstanceType<typeof AuthClient>
  rest(): Promise<PostgrestClient>
}

export interface SendOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: string | null
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
}

export const password = 'correct horse'

let mailbox = 0
/** An unused address. */
export function createAddress(): string {
  mailbox += 1
  return `user-${process.pid}-${mailbox}@example.com`
}

/**
 * Starts the auth server and the RPCs on a database of their own, with a worker and a mail catcher.
 *
 * @param env settings besides those that tests need: no pause between emails and generous limits.
 * @param given a migrated database to use instead of one of its own.
 */
export async function startAuthServer(
  env: Record<string, string> = {},
  given?: Pick<TestDatabase, 'url'>,
): Promise<TestAuthServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-auth-test-'))
  const [port, smtpPort, webPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const [database, mails] = await Promise.all([
    given ? { url: given.url, drop: async () => {} } : createTestDatabase(),
    startMailCatcher({ smtpPort, webPort }),
  ])
  const config = loadConfig({
    APP_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    SMTP_URL: mails.smtpUrl,
    ...generousLimits,
    ...env,
  })
  const log = createLog({ level: 'silent' })
  const db = openDatabase({ url: database.url, log, maxConnections: 20 })
  const auth = await createAuth({ config, database: db, log, readOnly: neverReadOnly })
  const transport = openMailTransport({ smtpUrl: config.smtpUrl ?? null, from: config.mailFrom })
  const worker = await startWorker({
    url: database.url,
    log,
    jobs: createMailJobs({ database: db, transport, log, readOnly: neverReadOnly }),
    concurrency: 2,
  })
  const stops: (() => Promise<unknown>)[] = []
  const routes = new Set<string>()
  const listen = async (served: Auth, onPort: number) => {
    const app = await createAuthApp(served, { log, trustProxy: config.trustProxy, routes })
    stops.push(() => app.close())
    return app.listen({ port: onPort, host: '127.0.0.1' })
  }
  await listen(auth, port)
  const sql = new pg.Pool({ connectionString: database.url, max: 3 })
  sql.on('error', () => {})
  const server: Endpoint = { url: config.appUrl, publishableKey: auth.publishableKey }
  return {
    url: server.url,
    routes,
    auth,
    mails,
    sql,
    send: (method, path, options) => sendRequest(server, method, path, options),
    openBrowser: (options) => openBrowser(server, options),
    signUpConfirmed: (email, secret) => signUpConfirmed(server, mails, { email, password: secret ?? password }),
    async startAnother() {
      const another = openDatabase({ url: database.url, log, maxConnections: 20 })
      const address = await listen(await createAuth({ config, database: another, log, readOnly: neverReadOnly }), 0)
      stops.push(() => another.close())
      return address
    },
    async stop() {
      for (const each of stops) await each()
      await worker.stop()
      transport.close()
      await Promise.all([db.close(), sql.end(), mails.stop()])
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const generousLimits = {
  GOTRUE_SMTP_MAX_FREQUENCY: '0',
  GOTRUE_RATE_LIMIT_OTP: '100000',
  GOTRUE_RATE_LIMIT_VERIFY: '100000',
  GOTRUE_RATE_LIMIT_TOKEN_REFRESH: '100000',
  GOTRUE_RATE_LIMIT_EMAIL_SENT: '100000',
}

/** The auth server and the RPCs, not listening yet. @param routes collects every route. */
async function createAuthApp(
  auth: Auth,
  { log, trustProxy, routes }: { log: Log; trustProxy: readonly string[]; routes: Set<string> },
) {
  const app = createHttpServer({ log, trustProxy, stopping: new AbortController().signal })
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.add(`${each} ${url}`)
  })
  await app.register(authRoutes, { prefix: '/auth/v1', auth })
  await app.register(rpcRoutes, { prefix: '/rest/v1/rpc', auth })
  return app
}

/** What a client needs to reach the server. */
interface Endpoint {
  readonly url: string
  readonly publishableKey: string
}

async function sendRequest(
  { url, publishableKey }: Endpoint,
  method: string,
  path: string,
  { body, headers = {}, key = publishableKey }: SendOptions = {},
): Promise<Answer> {
  const response = await fetch(path.startsWith('/') ? url + path : path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== null && { apikey: key }),
      ...(body !== undefined && { 'content-type': 'application/json;charset=UTF-8' }),
      'x-supabase-api-version': '2024-01-01',
      ...headers,
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
    }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parseJson(text) }
}

function openBrowser(
  { url, publishableKey }: Endpoint,
  { flowType = 'pkce' }: { flowType?: 'pkce' | 'implicit' } = {},
): Browser {
  const stored = new Map<string, string>()
  const client = new AuthClient({
    url: `${url}/auth/v1`,
    headers: { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` },
    storageKey: 'session',
    storage: {
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, value) => void stored.set(name, value),
      removeItem: (name) => void stored.delete(name),
    },
    flowType,
    persistSession: true,
    autoRefreshToken: false,
    detectSessionInUrl: false,
  })
  return {
    auth: client,
    rest: async () => {
      const { data } = await client.getSession()
      const token = data.session?.access_token ?? publishableKey
      return new PostgrestClient(`${url}/rest/v1`, {
        headers: { apikey: publishableKey, Authorization: `Bearer ${token}` },
      })
    },
  }
}

async function signUpConfirmed(
  server: Endpoint,
  mails: MailCatcher,
  account: { email: string; password: string },
): Promise<Browser> {
  const browser = openBrowser(server)
  const { error } = await browser.auth.signUp(account)
  if (error) throw error
  const link = readLink((await mails.waitForMail(account.email)).text)
  const target = (await openLink(link)).headers.get('location') ?? ''
  const exchanged = await browser.auth.exchangeCodeForSession(new URL(target).searchParams.get('code') ?? '')
  if (exchanged.error) throw exchanged.error
  return browser
}

/** The confirmation link in the text part of an email. */
export function readLink(text: string): string {
  return /^https?:\S+\/auth\/v1\/verify\S+$/m.exec(text)?.[0] ?? ''
}

/** Opens a link as a browser does that a person has clicked in. `fetch` can't: it calls every request a script's. */
export function openLink(link: string, headers: Readonly<Record<string, string>> = navigation): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(link, { headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () => {
        const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)])
        resolve({ status: response.statusCode ?? 0, headers: new Headers(pairs), text, body: parseJson(text) })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1' }

/** The six-digit code in the text part of an email. */
export function readCode(text: string): string {
  return /^\d{6}$/m.exec(text)?.[0] ?? ''
}

/** The claims of an access token, unverified. */
export function readClaims(accessToken: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
