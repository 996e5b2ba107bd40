import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start-postgres.ts'
import { startBalancer } from '#server/testing/balancer.ts'
import { createTraffic, startSteadyRequests } from '#server/testing/steady-requests.ts'
import { findFreePorts, type ProductProcess, spawnProduct } from '../../e2e/start-product.ts'

export interface RollingRestartResult {
  readonly restarts: number
  readonly answered: number
  /** By what went wrong. */
  readonly failed: Readonly<Record<string, number>>
  /** Accepted submissions that are not in the database, and rows that are there twice. */
  readonly lost: number
  readonly doubled: number
  /** From SIGTERM to the end of the process, which includes the grace period, in milliseconds. */
  readonly slowestStopMs: number
}

const lanes = 8
const graceSeconds = 2

/**
 * Two processes on one database behind a balancer that asks `/ready`, stopped by SIGTERM and started in turn under load.
 *
 * @param firstRoot the clone of an earlier version, which the first two processes run. Then each new process is started
 *   before an old one is stopped.
 */
export async function rollingRestart(rounds: number, firstRoot?: string): Promise<RollingRestartResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-rolling-'))
  // Started by root, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(dataDir, 0o755)
  // Up to 50 of each process, three of which run at once in an upgrade.
  const postgres = await startEmbeddedPostgres(dataDir, { max_connections: '200' })
  const killAtExit = () => postgres.kill()
  process.once('exit', killAtExit)
  const client = new pg.Client(postgres.url)
  const balancer = await startBalancer()
  const running: { product: ProductProcess; port: number }[] = []
  const outputs: (() => string)[] = []
  const start = async (root?: string) => {
    const [port = 0] = await findFreePorts(1)
    const product = spawnProduct(makeSettings(port, join(dataDir, 'server'), postgres.url), root ? { root } : {})
    running.push({ product, port })
    outputs.push(product.stdout)
    await product.ready
    balancer.add(port)
    await balancer.untilReady(running.length)
  }
  let slowestStopMs = 0
  const stopOldest = async () => {
    const oldest = running.shift()
    const startedAt = performance.now()
    oldest?.product.child.kill('SIGTERM')
    await oldest?.product.ended
    slowestStopMs = Math.max(slowestStopMs, performance.now() - startedAt)
    balancer.remove(oldest?.port ?? 0)
  }
  try {
    await client.connect()
    await start(firstRoot)
    await start(firstRoot)
    const { submissionIds, makeRequest } = await createTraffic(client, `http://127.0.0.1:${balancer.port}`)
    const load = startSteadyRequests(balancer.port, lanes, makeRequest)
    for (let round = 0; round < rounds; round += 1) {
      if (firstRoot !== undefined) await start()
      await stopOldest()
      if (firstRoot === undefined) await start()
    }
    const { answered, failed } = await load.stop()
    if (Object.keys(failed).length > 0) printWarnings(outputs.map((read) => read()))
    const { rows } = await client.query<{ stored: number; rows: number }>(
      'select count(distinct id)::int as stored, count(*)::int as rows from public.feedback where id = any ($1)',
      [submissionIds],
    )
    const { stored = 0, rows: all = 0 } = rows[0] ?? {}
    const refused = Object.entries(failed).reduce((sum, [what, n]) => (what.startsWith('POST') ? sum + n : sum), 0)
    const lost = Math.max(0, submissionIds.length - refused - stored)
    return { restarts: rounds, answered, failed, lost, doubled: all - stored, slowestStopMs }
  } finally {
    for (const { product } of running) product.child.kill('SIGINT')
    await Promise.all(running.map(({ product }) => product.ended))
    await balancer.close()
    await client.end()
    process.off('exit', killAtExit)
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** What the processes said of requests that failed. */
function printWarnings(outputs: readonly string[]): void {
  for (const [index, output] of outputs.entries()) {
    const lines = output.split('\n').filter((line) => line.startsWith('{') && !line.includes('"route":"/ready"'))
    for (const line of lines.slice(-20)) process.stdout.write(`process ${index + 1}: ${line.slice(0, 1_000)}\n`)
  }
}

function makeSettings(port: number, dataDir: string, databaseUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: 'http://earshot.example',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    STOP_GRACE_SECONDS: String(graceSeconds),
    LOG_LEVEL: 'warn',
    INGEST_RATE_PER_MINUTE: '1000000',
    API_RATE_PER_MINUTE: '1000000',
  }
}
