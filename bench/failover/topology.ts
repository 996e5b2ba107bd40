import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { exportJWK, generateKeyPair } from 'jose'
import { findFreePorts } from '../../e2e/start-product.ts'
import { findDatabaseUser, installPrograms } from './debian.ts'
import { startEtcd } from './etcd.ts'
import { startDatabaseProxy, startWebProxy } from './haproxy.ts'
import { type Cluster, startCluster } from './patroni.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { type Processes, startProcesses } from './products.ts'

/** All of it on this machine: three database nodes, the proxies, two web and two worker processes. */
export interface Topology {
  readonly cluster: Cluster
  readonly processes: Processes
  /** Where browsers go. */
  readonly url: string
  readonly webPort: number
  /** The primary, whichever it is, as the superuser. */
  readonly superuserUrl: string
  /** Of the app's login. */
  readonly appUrls: { readonly pooler: string; readonly direct: string; readonly replica: string }
  readonly folder: string
  stop(): Promise<void>
}

const logins = join(import.meta.dirname, '../../deploy/postgres-ha/logins.sql')
const host = '127.0.0.1'
const password = () => randomBytes(18).toString('base64url')

/** Starts everything in a temporary folder. Stops all processes that it started, also when the start fails. */
export async function startTopology(settings: Readonly<Record<string, string>> = {}): Promise<Topology> {
  installPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'earshot-failover-'))
  const stops: (() => Promise<unknown> | unknown)[] = []
  const interrupt = () => {
    stop().finally(() => process.exit(1))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  const stop = async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
    for (const each of stops.splice(0).reverse()) await each()
    if (process.env.BENCH_KEEP_LOGS) process.stdout.write(`Logs: ${folder}\n`)
    else rmSync(folder, { recursive: true, force: true })
  }
  try {
    return await start(folder, stops, stop, settings)
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  folder: string,
  stops: (() => Promise<unknown> | unknown)[],
  stop: () => Promise<void>,
  settings: Readonly<Record<string, string>>,
): Promise<Topology> {
  const user = findDatabaseUser()
  const databaseFolder = join(folder, 'database')
  mkdirSync(databaseFolder)
  chmodSync(folder, 0o755)
  if (user) chownSync(databaseFolder, user.uid, user.gid)
  const where = { folder: databaseFolder, user }
  const ports = await findFreePorts(18)
  const port = () => ports.pop() ?? 0
  const etcd = await startEtcd({
    ...where,
    ports: Array.from({ length: 3 }, () => ({ client: port(), peer: port() })),
  })
  stops.push(etcd.stop)
  const superuser = password()
  const cluster = await startCluster({
    ...where,
    etcdHosts: etcd.hosts,
    ports: Array.from({ length: 3 }, () => ({ database: port(), api: port() })),
    passwords: { superuser, replication: password(), rewind: password() },
  })
  stops.push(cluster.stop)
  const [primaryPort, replicaPort] = [port(), port()]
  const databaseProxy = startDatabaseProxy(
    where,
    { primary: primaryPort, replicas: replicaPort },
    cluster.members.map((member) => ({ port: member.port, apiPort: member.apiPort })),
  )
  stops.push(() => databaseProxy.stop())
  const superuserUrl = `postgres://postgres:${superuser}@${host}:${primaryPort}/earshot`
  const passwords = { owner: password(), app: password() }
  await createLogins(primaryPort, superuser, passwords)
  const bouncer = await startPgBouncer({
    ...where,
    port: port(),
    primaryPort,
    login: 'earshot_app',
    password: passwords.app,
  })
  stops.push(() => bouncer.stop('SIGKILL'))
  const webPort = port()
  const webPorts = [port(), port()]
  const webProxy = startWebProxy(where, webPort, webPorts)
  stops.push(() => webProxy.stop())
  const url = `http://${host}:${webPort}`
  const appUrl = (at: number) => `postgres://earshot_app:${passwords.app}@${host}:${at}/earshot`
  const appUrls = { pooler: bouncer.url, direct: appUrl(primaryPort), replica: appUrl(replicaPort) }
  const processes = await startProcesses(
    folder,
    {
      ...(await makeSettings(url)),
      DATABASE_URL: appUrls.pooler,
      DATABASE_DIRECT_URL: appUrls.direct,
      DATABASE_MIGRATION_URL: `postgres://earshot_owner:${passwords.owner}@${host}:${primaryPort}/earshot`,
      DATABASE_REPLICA_URL: appUrls.replica,
      ...settings,
    },
    webPorts,
    2,
  )
  stops.push(processes.stop)
  await untilServed(`${url}/ready`)
  return { cluster, processes, url, webPort, superuserUrl, appUrls, folder, stop }
}

/** Runs `deploy/postgres-ha/logins.sql` at the primary, once the proxy has found it. */
async function createLogins(port: number, superuser: string, passwords: { owner: string; app: string }): Promise<void> {
  const args = ['-h', host, '-p', String(port), '-U', 'postgres', '-d', 'postgres', '-v', 'ON_ERROR_STOP=1', '-q']
  args.push('-v', `owner_password=${passwords.owner}`, '-v', `app_password=${passwords.app}`, '-f', logins)
  const env = { ...process.env, PGPASSWORD: superuser, PGCONNECT_TIMEOUT: '5' }
  for (let attempt = 1; ; attempt += 1) {
    try {
      execFileSync('psql', args, { env, stdio: ['ignore', 'inherit', 'pipe'] })
      return
    } catch (error) {
      if (attempt === 20) throw error
      await pause(500)
    }
  }
}

async function untilServed(url: string): Promise<void> {
  for (const until = performance.now() + 30_000; performance.now() < until; await pause(100)) {
    const reply = await fetch(url).catch(() => undefined)
    if (reply?.status === 200) return
  }
  throw new Error(`${url} is not answered with 200`)
}

/** Secrets are settings: no process reads those of another's data folder. */
async function makeSettings(url: string): Promise<Record<string, string>> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'shared', alg: 'ES256', key_ops: ['sign', 'verify'] }
  return {
    NODE_ENV: 'production',
    HOST: host,
    APP_URL: url,
    TRUST_PROXY: '127.0.0.1/32',
    INSTANCE_SECRET: password() + password(),
    GOTRUE_JWT_KEYS: JSON.stringify([jwk]),
    DATABASE_MAX_CONNECTIONS: '20',
    STOP_GRACE_SECONDS: '3',
    // Emails aren't tested here; no server listens on that port.
    SMTP_URL: 'smtp://127.0.0.1:9',
    INGEST_RATE_PER_MINUTE: '1000000',
    API_RATE_PER_MINUTE: '1000000',
    LOG_LEVEL: process.env.BENCH_LOG_LEVEL ?? 'warn',
  }
}
