import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AuthClient } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import pg from 'pg'
import { type MailCatcher, startMailCatcher } from '#doubles/mail.ts'
import { loadConfig } from '#server/config.ts'
import { authRoutes } from '#server/features/auth/auth.routes.ts'
import { type Auth, createAuth } from '#server/features/auth/auth.service.ts'
import { rpcRoutes } from '#server/features/auth/rpc/rpc.routes.ts'
import { createMailJobs } from '#server/features/mail/mail.jobs.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createHttpServer } from '#server/platform/http/create-http-server.ts'
import { startWorker } from '#server/platform/jobs/worker.ts'
import { createLog } from '#server/platform/log/log.ts'
import { openMailTransport } from '#server/platform/mail/mail-transport.ts'
import { createTestDatabase } from './database.ts'
import { findFreePort } from './free-port.ts'
import type { TestDatabase } from './template-database.ts'

export interface TestAuthServer {
  readonly url: string
  /** Every route, e.g. `POST /auth/v1/signup`. */
  readonly routes: ReadonlySet<string>
  readonly auth: Auth
  readonly mails: MailCatcher
  /** A connection past all rules, to look at rows and to move clocks. */
  readonly sql: pg.Pool
  /** A browser of its own: the real client library with its own storage. */
  openBrowser(options?: { flowType?: 'pkce' | 'implicit' }): Browser
  /** One request, with the API key unless told otherwise. The body is JSON unless it is text. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>
  /** Signs up, opens the link of the mail and exchanges its code. */
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

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
}

export const password = 'correct horse'

let mailbox = 0
/** An address nobody used before. */
export function createAddress(): string {
  mailbox += 1
  return `user-${process.pid}-${mailbox}@example.com`
}

/**
 * Starts the auth server and the RPCs on a database of their own, with a worker and a mail server that catches.
 *
 * @param env settings besides those that tests need: no pause between mails and generous limits.
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
    GOTRUE_SMTP_MAX_FREQUENCY: '0',
    GOTRUE_RATE_LIMIT_OTP: '100000',
    GOTRUE_RATE_LIMIT_VERIFY: '100000',
    GOTRUE_RATE_LIMIT_TOKEN_REFRESH: '100000',
    GOTRUE_RATE_LIMIT_EMAIL_SENT: '100000',
    ...env,
  })
  const log = createLog({ level: 'silent' })
  const db = openDatabase({ url: database.url, log, maxConnections: 20 })
  const auth = await createAuth({ config, database: db, log })
  const transport = openMailTransport({ smtpUrl: config.smtpUrl ?? null, from: config.mailFrom })
  const worker = await startWorker({
    url: database.url,
    log,
    jobs: createMailJobs({ database: db, transport, log }),
    concurrency: 2,
  })
  const stops: (() => Promise<unknown>)[] = []
  const routes = new Set<string>()
  const listen = async (served: Auth, onPort: number) => {
    const app = createHttpServer({ log, trustProxy: [] })
    app.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) routes.add(`${each} ${url}`)
    })
    await app.register(authRoutes, { prefix: '/auth/v1', auth: served })
    await app.register(rpcRoutes, { prefix: '/rest/v1/rpc', auth: served })
    stops.push(() => app.close())
    return app.listen({ port: onPort, host: '127.0.0.1' })
  }
  await listen(auth, port)
  const sql = new pg.Pool({ connectionString: database.url, max: 3 })
  sql.on('error', () => {})
  const url = config.appUrl

  const send: TestAuthServer['send'] = async (method, path, { body, headers = {}, key = auth.publishableKey } = {}) => {
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

  const openBrowser: TestAuthServer['openBrowser'] = ({ flowType = 'pkce' } = {}) => {
    const stored = new Map<string, string>()
    const client = new AuthClient({
      url: `${url}/auth/v1`,
      headers: { apikey: auth.publishableKey, Authorization: `Bearer ${auth.publishableKey}` },
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
        const token = data.session?.access_token ?? auth.publishableKey
        return new PostgrestClient(`${url}/rest/v1`, {
          headers: { apikey: auth.publishableKey, Authorization: `Bearer ${token}` },
        })
      },
    }
  }

  return {
    url,
    routes,
    auth,
    mails,
    sql,
    send,
    openBrowser,
    async signUpConfirmed(email, secret = password) {
      const browser = openBrowser()
      const { error } = await browser.auth.signUp({ email, password: secret })
      if (error) throw error
      const link = readLink((await mails.waitForMail(email)).text)
      const target = (await fetch(link, { redirect: 'manual' })).headers.get('location') ?? ''
      const exchanged = await browser.auth.exchangeCodeForSession(new URL(target).searchParams.get('code') ?? '')
      if (exchanged.error) throw exchanged.error
      return browser
    },
    async startAnother() {
      const another = openDatabase({ url: database.url, log, maxConnections: 20 })
      const address = await listen(await createAuth({ config, database: another, log }), 0)
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

/** The confirmation's address, as it stands in the text part of a mail. */
export function readLink(text: string): string {
  return /^https?:\S+\/auth\/v1\/verify\S+$/m.exec(text)?.[0] ?? ''
}

/** The code of six digits in the text part of a mail. */
export function readCode(text: string): string {
  return /^\d{6}$/m.exec(text)?.[0] ?? ''
}

/** The tokens' own view of who is asking, unverified. */
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
