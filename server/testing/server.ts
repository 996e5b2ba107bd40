import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findFreePort } from '#doubles/free-port.ts'
import { loadConfig } from '#server/config.ts'
import { createLog, type Log } from '#server/platform/log/log.ts'
import { startServer } from '#server/start.ts'
import { type BuiltUser, builtPassword } from './builders.ts'
import { createTestDatabase } from './database.ts'
import type { TestDatabase } from './template-database.ts'

/** An email in the outbox. */
interface QueuedMail {
  readonly kind: string
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
}

/** The real server, on a database and a data folder of its own. */
export interface TestServer {
  readonly url: string
  /** Connected as the database's owner, for builders and for looking at what was stored. */
  readonly client: pg.Client
  readonly databaseUrl: string
  readonly publishableKey: string
  /** The log that the server writes to. */
  readonly log: Log
  /** What the server has logged, a JSON line each. */
  readonly logLines: readonly string[]
  /** Signs in through the API as a built user, and returns the access token. */
  signIn(user: BuiltUser): Promise<string>
  /** Calls the API as the bearer of a token, with a JSON body where one is given. */
  call(path: string, options?: { method?: string; token?: string; body?: unknown }): Promise<Response>
  /** Emails in the outbox, oldest first. Without SERVICES: 'web,worker' none is sent, so none is emptied. */
  mails(): Promise<QueuedMail[]>
  stop(): Promise<void>
}

/**
 * Starts the product's server as `npm start` would, but without the web app's pages, and without jobs unless `SERVICES`
 * asks for them.
 *
 * @param env further environment variables, as an operator would set them.
 * @param given a migrated database to use instead of one of its own.
 * @param options.withPages true: with the pages of the built web app.
 * @throws when the widget, or what is asked for beside it, is not built.
 */
export async function startTestServer(
  env: Readonly<Record<string, string>> = {},
  given?: Pick<TestDatabase, 'url' | 'appUrl'>,
  { withPages = false } = {},
): Promise<TestServer> {
  const database: TestDatabase = given ? { ...given, drop: async () => {} } : await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-data-'))
  const port = env.PORT === undefined ? await findFreePort() : Number(env.PORT)
  const url = `http://127.0.0.1:${port}`
  const logLines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => logLines.push(line) } })
  const client = new pg.Client({ connectionString: database.url })
  const cleanUp = async () => {
    await client.end().catch(() => {})
    await rm(dataDir, { recursive: true, force: true })
    await database.drop()
  }
  try {
    const config = loadConfig({
      PORT: String(port),
      HOST: '127.0.0.1',
      APP_URL: url,
      DATA_DIR: dataDir,
      SERVICES: 'web',
      // No server listens there: a test of sending names its own.
      SMTP_URL: 'smtp://127.0.0.1:1',
      DATABASE_MAX_CONNECTIONS: '10',
      GOTRUE_RATE_LIMIT_OTP: '1000000',
      GOTRUE_RATE_LIMIT_VERIFY: '1000000',
      GOTRUE_RATE_LIMIT_TOKEN_REFRESH: '1000000',
      ...env,
    })
    await client.connect()
    const server = await startServer({ ...config, databaseUrl: database.appUrl ?? database.url }, log, {
      withPages,
    })
    const settings = (await (await fetch(`${url}/api/v1/config`)).json()) as { supabaseAnonKey: string }
    const publishableKey = settings.supabaseAnonKey
    const call: TestServer['call'] = (path, { method, token, body } = {}) =>
      fetch(url + path, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          apikey: publishableKey,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    return {
      url,
      client,
      databaseUrl: database.url,
      publishableKey,
      log,
      logLines,
      call,
      signIn: async (user) => {
        const body = { email: user.email, password: builtPassword }
        const reply = await call('/auth/v1/token?grant_type=password', { body })
        if (!reply.ok) throw new Error(`Sign-in as ${user.email} failed: ${reply.status} ${await reply.text()}`)
        return ((await reply.json()) as { access_token: string }).access_token
      },
      mails: async () => {
        const { rows } = await client.query<QueuedMail>(
          'select kind, to_address as "to", subject, html, text from app.emails order by created_at, id',
        )
        return rows
      },
      stop: async () => {
        await server.stop()
        await cleanUp()
      },
    }
  } catch (error) {
    await cleanUp()
    throw error
  }
}
