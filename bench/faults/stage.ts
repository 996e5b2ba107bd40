import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { builtPassword, createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { type Commenters, startCommenters } from '../../e2e/commenters.ts'
import { createRandom, type Senders, startSenders } from '../../e2e/senders.ts'
import { findFreePorts, type ProductProcess, spawnProduct } from '../../e2e/start-product.ts'
import { mountSmallDisk, unmountSmallDisk } from './small-disk.ts'

/**
 * A product under load: visitors send, members comment, jobs run. Requests and jobs have processes of their own, so that
 * each can die alone. The one for requests was started by npm and keeps PostgreSQL.
 */
export interface Stage {
  readonly dataDir: string
  /** Whether the data lie on a small file system of their own. */
  readonly isSmallDisk: boolean
  readonly url: string
  web: ProductProcess
  readonly worker: ProductProcess
  readonly senders: Senders
  readonly commenters: Commenters
  /** Whose items they are. */
  readonly tenant: StageTenant
  /** As superuser; the port stays the same as long as the folder is used. */
  databaseUrl(): string
  /** Over a connection of its own, as superuser. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
  /** Starts it again after it was stopped. */
  startWeb(): Promise<void>
  stop(): Promise<void>
}

export interface StageTenant {
  readonly organizationId: string
  readonly widgetKey: string
  readonly feedbackId: string
  readonly email: string
  /** Of the owner. */
  readonly token: string
}

const settings = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  // Emails aren't tested here; no server listens on that port.
  SMTP_URL: 'smtp://127.0.0.1:9',
  INGEST_RATE_PER_MINUTE: '1000000',
  API_RATE_PER_MINUTE: '1000000',
  LOG_LEVEL: process.env.FAULTS_LOG ?? 'fatal',
}
/** A person's pace: faults, not load, are tried. */
const restMs = 100
const senderCount = 6
const commenterCount = 2

/** @param further settings of the product, as an operator would set them. */
export async function startStage(seed: number, further: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-faults-'))
  const isSmallDisk = mountSmallDisk(dataDir)
  // Started by root, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(dataDir, 0o755)
  const [port = 0] = await findFreePorts(1)
  const url = `http://127.0.0.1:${port}`
  const common = { ...settings, ...further, PORT: String(port), APP_URL: url, DATA_DIR: dataDir }
  const startWeb = async () => {
    const web = spawnProduct({ ...common, SERVICES: 'web' }, { byNpm: true })
    await web.ready
    return web
  }
  const removeData = () => {
    if (isSmallDisk) unmountSmallDisk(dataDir)
    rmSync(dataDir, { recursive: true, force: true })
  }
  let web: ProductProcess | undefined
  let worker: ProductProcess | undefined
  try {
    web = await startWeb()
    const databaseUrl = () => readDatabaseUrl(dataDir)
    worker = spawnProduct({ ...common, SERVICES: 'worker', DATABASE_URL: databaseUrl() })
    await worker.ready
    const load = await startLoad(url, databaseUrl(), seed)
    const stage: Stage = {
      dataDir,
      isSmallDisk,
      url,
      web,
      worker,
      ...load,
      databaseUrl,
      query: (text, values) => queryOnce(databaseUrl(), text, values),
      startWeb: async () => {
        stage.web = await startWeb()
      },
      stop: async () => {
        // In either order one loses the other, and stops nevertheless.
        stage.worker.child.kill('SIGTERM')
        stage.web.child.kill('SIGTERM')
        await Promise.all([stage.worker.ended, stage.web.ended])
        removeData()
      },
    }
    return stage
  } catch (error) {
    worker?.child.kill('SIGTERM')
    web?.child.kill('SIGTERM')
    await Promise.all([worker?.ended, web?.ended])
    removeData()
    throw error
  }
}

function readDatabaseUrl(dataDir: string): string {
  // Written by the product itself.
  const access = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as { password: string; port: number }
  return `postgres://postgres:${access.password}@127.0.0.1:${access.port}/earshot`
}

async function queryOnce<Row extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
  values?: unknown[],
): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.query<Row>(text, values)
  } finally {
    await client.end().catch(() => {})
  }
}

async function startLoad(
  url: string,
  databaseUrl: string,
  seed: number,
): Promise<Pick<Stage, 'senders' | 'commenters' | 'tenant'>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { email, organizationId = '' } = await createUser(client)
    const project = await createProject(client, { organizationId })
    const other = await createProject(client, { organizationId })
    const feedback = await createFeedback(client, { organizationId, projectId: project.id })
    const token = await signIn(url, email)
    return {
      tenant: { organizationId, widgetKey: project.widgetKey, feedbackId: feedback.id, email, token },
      senders: startSenders({
        url,
        widgetKeys: [project.widgetKey, other.widgetKey],
        count: senderCount,
        random: createRandom(seed),
        restMs,
      }),
      commenters: startCommenters({
        url,
        organizationId,
        feedbackId: feedback.id,
        token,
        count: commenterCount,
        restMs,
      }),
    }
  } finally {
    await client.end()
  }
}

async function signIn(url: string, email: string): Promise<string> {
  const config = (await (await fetch(`${url}/api/v1/config`)).json()) as { supabaseAnonKey: string }
  const reply = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: config.supabaseAnonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: builtPassword }),
  })
  if (!reply.ok) throw new Error(`Sign-in failed: ${reply.status} ${await reply.text()}`)
  return ((await reply.json()) as { access_token: string }).access_token
}
