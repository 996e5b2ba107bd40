import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start-postgres.ts'
import { findFreePorts, spawnProduct } from '../../e2e/start-product.ts'

/** The product as in `npm start`, in its own process, on the built-in PostgreSQL. */
export interface BenchServer {
  readonly url: string
  readonly port: number
  readonly databaseUrl: string
  readonly dataDir: string
  /** The process that was started; the product may run in a child of it. */
  readonly pid: number
  /** A connection as superuser, past row-level security. */
  readonly sql: pg.Client
  stop(): Promise<void>
}

/**
 * Starts a server with an empty, migrated database. PostgreSQL differs from the product's in the settings below.
 *
 * @param settings further environment variables, as an operator would set them.
 * @param name names its data in the folder `BENCH_KEEP`, if that is set, for reuse by the next run.
 */
export async function startBenchServer(
  settings: Readonly<Record<string, string>> = {},
  name?: string,
): Promise<BenchServer> {
  const keep = name === undefined ? undefined : process.env.BENCH_KEEP
  const dataDir = keep === undefined ? mkdtempSync(join(tmpdir(), 'earshot-bench-')) : join(keep, name ?? '')
  mkdirSync(dataDir, { recursive: true })
  // Started by root, PostgreSQL runs as another user, who must be able to enter.
  chmodSync(dataDir, 0o755)
  mkdirSync(join(dataDir, 'server'), { recursive: true })
  const postgres = await startEmbeddedPostgres(dataDir, {
    // The peer opens hundreds, and statements are timed.
    max_connections: '300',
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track_planning': 'on',
  })
  const killAtExit = () => postgres.kill()
  process.once('exit', killAtExit)
  const clean = async () => {
    process.off('exit', killAtExit)
    await postgres.stop()
    if (keep === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  const [port = 0] = await findFreePorts(1)
  const url = `http://127.0.0.1:${port}`
  const product = spawnProduct({
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: url,
    DATA_DIR: join(dataDir, 'server'),
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'warn',
    INGEST_RATE_PER_MINUTE: '1000000',
    API_RATE_PER_MINUTE: '1000000',
    ...settings,
  })
  try {
    await product.ready
  } catch (error) {
    await clean()
    throw error
  }
  const sql = new pg.Client({ connectionString: postgres.url })
  await sql.connect()
  return {
    url,
    port,
    databaseUrl: postgres.url,
    dataDir,
    pid: product.child.pid ?? 0,
    sql,
    stop: async () => {
      product.child.kill('SIGINT')
      await product.ended
      await sql.end()
      await clean()
    },
  }
}
