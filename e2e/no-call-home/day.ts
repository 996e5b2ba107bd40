/*
 * A day of use without keys of other services, in a network namespace with loopback alone: `no-call-home.test.ts` starts this there.
 * Prints what it did and how often something tried to reach another host.
 */
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findClusterAddress } from '#server/platform/embedded-postgres/cluster.ts'
import { sendFile } from '#server/testing/uploads.ts'
import { type Newcomer, post, signUp } from '../newcomer.ts'
import { type ProductProcess, spawnProduct } from '../start-product.ts'
import { countAttempts } from './count-attempts.ts'

/** What the test reads. */
export interface Day {
  /** Attempts that the counter saw of each way of reaching another host. */
  readonly control: Readonly<Record<string, number>>
  /** Attempts of the product, from its start to its end. */
  readonly attempts: number
  /** Jobs that ran, by name. */
  readonly jobs: readonly string[]
  /** Jobs that failed, with their errors. */
  readonly failures: readonly string[]
  /** Status of each address that was asked for. */
  readonly pages: Readonly<Record<string, number>>
}

const [dataDir = ''] = process.argv.slice(2)
const port = 3000
const url = `http://localhost:${port}`

/** Addresses of documentation (RFC 5737, RFC 3849): reached by no one. */
const waysOut: Readonly<Record<string, () => Promise<unknown>>> = {
  'TCP by IPv4': () => open('192.0.2.1'),
  'TCP by IPv6': () => open('2001:db8::1'),
  UDP: () => sendDatagram('192.0.2.1'),
  DNS: () => lookup('example.com'),
  fetch: () => fetch('http://192.0.2.1/'),
}

function open(host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connect(443, host).once('connect', resolve).once('error', reject)
  })
}

function sendDatagram(host: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.send('x', 53, host, () => {
      socket.close()
      resolve()
    })
  })
}

async function tryWaysOut(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [name, go] of Object.entries(waysOut)) {
    const before = countAttempts()
    await go().catch(() => {})
    counts[name] = countAttempts() - before
  }
  return counts
}

function start(): ProductProcess {
  return spawnProduct({
    ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), APP_URL: url, DATA_DIR: dataDir },
    ...{ GOTRUE_MAILER_AUTOCONFIRM: 'on', LOG_LEVEL: 'error', STOP_GRACE_SECONDS: '0', BACKUP_EVERY_HOURS: '1' },
  })
}

async function openPages(newcomer: Newcomer): Promise<Record<string, number>> {
  const paths = [
    ...['/', '/login', '/register', '/pricing', '/how-it-works', '/about', '/contact', '/blog', '/privacy', '/terms'],
    ...[
      '/docs/guides/quick-start',
      '/llms.txt',
      '/api/docs/',
      '/api/v1/openapi.json',
      '/health',
      '/ready',
      '/dashboard',
    ],
    `/e/${newcomer.project.widgetKey}.js`,
  ]
  const statuses: Record<string, number> = {}
  for (const path of paths) statuses[path] = (await fetch(url + path)).status
  return statuses
}

async function use(newcomer: Newcomer): Promise<void> {
  const { call, own, project } = newcomer
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const id = await sendFile({ url }, project.widgetKey, {
    kind: 'file',
    bytes: png,
    name: 'dot.png',
    mime: 'image/png',
  })
  await newcomer.submit('See https://elsewhere.example/page and mail me.', {
    email: 'grace@example.org',
    rating: 2,
    attachments: [{ id, kind: 'file' }],
  })
  await newcomer.submit('The basket is empty.')
  const { items } = await call<{ items: { id: string }[] }>(`${own}/feedback`)
  await call(`${own}/feedback/${items[0]?.id}`)
  await call(`${own}/exports`, post({ id: randomUUID(), format: 'zip', selection: {} }))
  await call(`${own}/invitations`, post({ email: 'bob@example.com', role: 'member' }))
  await call(`${url}/api/v1/superadmin/overview`)
}

/** Queues every job that has a schedule, as if its moment had come, and waits until no job is due. */
async function runAllCrons(): Promise<Pick<Day, 'jobs' | 'failures'>> {
  const client = new pg.Client({ connectionString: findClusterAddress(dataDir) })
  await client.connect()
  try {
    const { rows } = await client.query<{ identifier: string }>(
      'select identifier from graphile_worker._private_known_crontabs order by identifier',
    )
    for (const { identifier } of rows) await client.query('select graphile_worker.add_job($1)', [identifier])
    for (const until = Date.now() + 60_000; Date.now() < until; await pause(100)) {
      const due = await client.query(
        'select from graphile_worker.jobs where run_at <= now() and attempts < max_attempts',
      )
      if (due.rowCount === 0) break
    }
    const failed = await client.query<{ job: string }>(
      `select task_identifier || ': ' || coalesce(last_error, 'still waits') as job from graphile_worker.jobs
       where last_error is not null or run_at <= now()`,
    )
    return { jobs: rows.map(({ identifier }) => identifier), failures: failed.rows.map(({ job }) => job) }
  } finally {
    await client.end()
  }
}

const control = await tryWaysOut()
const before = countAttempts()
const product = start()
try {
  await product.ready
  const newcomer = await signUp(url)
  const pages = await openPages(newcomer)
  await use(newcomer)
  const ran = await runAllCrons()
  product.child.kill('SIGINT')
  await product.ended
  const day: Day = { control, attempts: countAttempts() - before, ...ran, pages }
  process.stdout.write(`${JSON.stringify(day)}\n`)
} finally {
  product.child.kill('SIGKILL')
}
