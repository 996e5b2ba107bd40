import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readTotalMemory } from '../memory/total-memory.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { formatAddress, prepareCluster, writeAccess } from './cluster.ts'
import { finishExchange } from './exchange-cluster.ts'
import { isGone, stopLeftover } from './leftover.ts'
import { keepRotating, rotateLog } from './rotate-log.ts'
import { chooseUser, type RunAs } from './run-as.ts'
import { StartError } from './start-error.ts'

/** The built-in PostgreSQL, running as a child of this process. */
export type EmbeddedPostgres = {
  /** URL of the product's database, as superuser. */
  url: string
  /** Settles when PostgreSQL ends, requested or not. */
  ended: Promise<void>
  /** Ends every session and stops within seconds; committed work is on disk in either mode. */
  stop(): Promise<void>
  /** Stops at once, leaving recovery to the next start. */
  kill(): void
}

const startTimeoutMs = 60_000
const retryForMs = 8000
const retryMs = 50

/**
 * Starts the built-in PostgreSQL on a free port of the loopback interface, creating the cluster at the first start.
 * The caller holds the lock of the data folder.
 *
 * @param dataDir existing folder; the cluster is `postgres` in it, its log is `postgres.log`
 * @param settings further server settings, name to value
 * @param fixedPort no other port will do: its URL is in use. Default: the last one if it is free, else any.
 * @param binaries of another version, for a cluster that it wrote. Default: those that npm installed.
 * @throws StartError when it can't run; no process is left running then
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  fixedPort?: number,
  binaries: Binaries = findBinaries(),
): Promise<EmbeddedPostgres> {
  finishExchange(dataDir)
  const cluster = join(dataDir, 'postgres')
  const runAs = chooseUser(cluster, binaries.folder)
  await stopLeftover(cluster)
  const access = await prepareCluster(cluster, binaries, runAs)
  const log = join(dataDir, 'postgres.log')
  for (const giveUpAt = Date.now() + retryForMs; ; await sleep(retryMs)) {
    const port = fixedPort ?? (await findFreePort(access.port))
    const attempt = await tryToStart({ cluster, binaries, runAs, log, port, settings })
    if ('child' in attempt) {
      if (access.port !== port) writeAccess(cluster, { ...access, port })
      const url = formatAddress({ password: access.password, port })
      const rotation = keepRotating(log)
      attempt.child.once('exit', () => rotation.stop())
      return control(attempt.child, cluster, url, binaries)
    }
    // Another program took the port, or the sessions of a killed server are still ending.
    const passing = /could not (bind|create any TCP)|already in use|still in use|lock file/.test(attempt.message)
    if (!passing || Date.now() > giveUpAt) {
      throw new StartError(`PostgreSQL did not start: ${attempt.message} (see ${log})`)
    }
  }
}

type Attempt = {
  cluster: string
  binaries: Binaries
  runAs: RunAs
  log: string
  port: number
  settings: Readonly<Record<string, string>>
}

async function tryToStart(attempt: Attempt): Promise<{ child: ChildProcess } | { message: string }> {
  const { cluster, binaries, runAs, log, port } = attempt
  const settings = {
    listen_addresses: '127.0.0.1',
    // No socket file: its path would be too long under a deep data folder.
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    shared_buffers: `${chooseCacheMegabytes(readTotalMemory())}MB`,
    ...attempt.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { command, args, options } = runAs.wrap(binaries.postgres, ['-D', cluster, '-p', String(port), ...flags])
  rotateLog(log)
  const output = openSync(log, 'a', 0o600)
  const logStart = fstatSync(output).size
  // A group of its own: Ctrl-C reaches everything in the terminal's group, and PostgreSQL has to outlive the server.
  const child = spawn(command, args, { ...options, stdio: ['ignore', output, output], detached: true, cwd: '/' })
  closeSync(output)
  let failure: string | undefined
  child.on('error', (error) => {
    failure = error.message
  })
  for (const until = Date.now() + startTimeoutMs; Date.now() < until; await sleep(10)) {
    if (failure !== undefined) return { message: failure }
    if (child.exitCode !== null || child.signalCode !== null) return { message: readFailure(log, logStart) }
    if (isReady(cluster, child.pid)) return { child }
  }
  child.kill('SIGQUIT')
  return { message: `not ready after ${startTimeoutMs / 1000} s` }
}

/** PostgreSQL's own default, or on a machine with less than 2 GB a sixteenth of its memory: pages that it touched once stay. */
function chooseCacheMegabytes(totalBytes: number): number {
  return Math.min(128, Math.max(16, Math.floor(totalBytes / 2 ** 20 / 16)))
}

/** PostgreSQL writes its state into the eighth line of its pid file; asking it over the network would need a session. */
function isReady(cluster: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}

function control(child: ChildProcess, cluster: string, url: string, binaries: Binaries): EmbeddedPostgres {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const interrupt = () => {
    if (process.platform === 'win32') spawnSync(binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast'])
    else child.kill('SIGINT')
  }
  // Only the product's own stop may end this process.
  child.unref()
  return {
    url,
    ended,
    async stop() {
      if (!isRunning() || child.pid === undefined) return
      interrupt()
      if (await isGone(child.pid, 10_000)) return
      child.kill('SIGQUIT')
      await isGone(child.pid, 3000)
    },
    kill() {
      if (isRunning()) child.kill('SIGQUIT')
    },
  }
}

function readFailure(log: string, from: number): string {
  const lines = readFileSync(log).subarray(from).toString('utf8').trim().split('\n')
  const line = lines.find((candidate) => /FATAL|PANIC/.test(candidate)) ?? lines.at(-1) ?? 'no reason given'
  return line.replace(/^.*?(FATAL|PANIC|LOG|postgres):\s*/, '')
}

/** The preferred port if it is free, else one from the system. */
async function findFreePort(wanted: number | null): Promise<number> {
  if (wanted !== null && (await listenOnce(wanted)) === wanted) return wanted
  const port = await listenOnce(0)
  if (port === undefined) throw new StartError('No free port on 127.0.0.1 for PostgreSQL.')
  return port
}

function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined))
    })
  })
}
