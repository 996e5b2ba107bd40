import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { hasErrorCode } from '../read-error.ts'
import type { Binaries } from './binaries.ts'
import { giveTo, type RunAs } from './run-as.ts'
import { StartError } from './start-error.ts'

/** Name of the superuser, as Supabase has it, and of the product's database. */
const superuser = 'postgres'
const databaseName = 'earshot'

/** The file beside a cluster: its credentials, and its last port, which is used again. */
export type ClusterAccess = { password: string; port: number | null }

/**
 * Creates the database cluster if there is none. It is created under another name and renamed when complete, so that an
 * interrupted first start leaves nothing that looks like a database.
 *
 * @param cluster folder of the cluster
 * @throws StartError when the data were written by another major version, or the cluster can't be created
 */
export async function prepareCluster(cluster: string, binaries: Binaries, runAs: RunAs): Promise<ClusterAccess> {
  if (existsSync(cluster)) {
    checkVersion(cluster, binaries)
    giveTo(runAs, cluster)
    narrow(cluster)
    const access = readAccess(cluster)
    return access ?? (await resetPassword(cluster, binaries, runAs))
  }
  const unfinished = `${cluster}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  if (runAs.owner) chownSync(unfinished, runAs.owner.uid, runAs.owner.gid)
  // The built-in C.UTF-8 sorts the same everywhere and never changes with the system's libraries, which would silently
  // corrupt indexes after an upgrade of the system.
  await runToEnd(runAs, binaries.initdb, [
    `--pgdata=${unfinished}`,
    `--username=${superuser}`,
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--auth=reject',
    '--no-instructions',
  ])
  writeFileSync(join(unfinished, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n')
  const access = await resetPassword(unfinished, binaries, runAs, `create database ${databaseName};\n`)
  renameSync(unfinished, cluster)
  writeAccess(cluster, access)
  return access
}

/**
 * Takes the rights of other users away from the cluster's folder. Kubernetes gives a volume's group the right to write (`fsGroup`),
 * a copy may have lost its mode, and PostgreSQL refuses either.
 */
function narrow(cluster: string): void {
  if (process.platform === 'win32' || (statSync(cluster).mode & 0o027) === 0) return
  chmodSync(cluster, 0o700)
}

/** Stores the port for the next start. */
export function writeAccess(cluster: string, access: ClusterAccess): void {
  const file = `${cluster}.json`
  writeFileSync(`${file}.new`, `${JSON.stringify(access)}\n`, { mode: 0o600 })
  chmodSync(`${file}.new`, 0o600)
  renameSync(`${file}.new`, file)
}

/**
 * URL of the product's database in a running cluster, as superuser; undefined before its first start.
 *
 * @param dataDir folder in which the cluster is `postgres`
 */
export function findClusterAddress(dataDir: string): string | undefined {
  const access = readAccess(join(dataDir, 'postgres'))
  if (access === undefined || access.port === null) return undefined
  return formatAddress({ password: access.password, port: access.port })
}

/** The URL with which the product's processes reach the database. */
export function formatAddress({ password, port }: { password: string; port: number }): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${databaseName}`
}

function readAccess(cluster: string): ClusterAccess | undefined {
  try {
    // Our own file, maybe damaged: each field is checked below.
    const access = JSON.parse(readFileSync(`${cluster}.json`, 'utf8')) as Partial<ClusterAccess>
    if (typeof access.password !== 'string') return undefined
    return { password: access.password, port: typeof access.port === 'number' ? access.port : null }
  } catch (error) {
    if (error instanceof SyntaxError || hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The single-user mode needs no password, so a lost one can be reset. */
async function resetPassword(cluster: string, binaries: Binaries, runAs: RunAs, sql = ''): Promise<ClusterAccess> {
  const password = randomBytes(24).toString('base64url')
  const input = `${sql}alter role ${superuser} password '${password}';\n`
  await runToEnd(
    runAs,
    binaries.postgres,
    ['--single', '-D', cluster, '-c', 'log_min_messages=fatal', 'postgres'],
    input,
  )
  const access = { password, port: null }
  if (!cluster.endsWith('.new')) writeAccess(cluster, access)
  return access
}

/** The major version of PostgreSQL that wrote a cluster; undefined: there is none. @throws StartError */
export function readClusterMajor(cluster: string): number | undefined {
  if (!existsSync(cluster)) return undefined
  const file = join(cluster, 'PG_VERSION')
  if (!existsSync(file)) {
    throw new StartError(
      `${cluster} is not a PostgreSQL data folder (PG_VERSION is missing). Move it away, or set DATA_DIR.`,
    )
  }
  return Number(readFileSync(file, 'utf8').trim())
}

function checkVersion(cluster: string, binaries: Binaries): void {
  const major = readClusterMajor(cluster)
  if (major === undefined || major === binaries.major) return
  const what = `${cluster} was written by PostgreSQL ${major}; this version of Earshot runs PostgreSQL ${binaries.major}. Nothing was changed.`
  throw new StartError(
    major < binaries.major
      ? `${what} Run “npm run upgrade”, which moves the data and keeps the old folder.`
      : `${what} Start the version of Earshot that wrote it, or a later one.`,
  )
}

function runToEnd(runAs: RunAs, program: string, args: string[], input = ''): Promise<void> {
  const { command, args: allArgs, options } = runAs.wrap(program, args)
  return new Promise((resolve, reject) => {
    const child = spawn(command, allArgs, { ...options, stdio: ['pipe', 'ignore', 'pipe'], cwd: '/' })
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString()
    })
    child.on('error', (error) => reject(new StartError(`Couldn’t run PostgreSQL: ${error.message}`)))
    child.on('close', (code) => {
      const lines = errors.trim().split('\n')
      const line = lines.find((candidate) => /error|fatal|panic/i.test(candidate)) ?? lines[0] ?? ''
      if (code === 0) resolve()
      else reject(new StartError(`Couldn’t prepare the database cluster: ${line.replace(/^.*?(error|FATAL):\s*/, '')}`))
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
