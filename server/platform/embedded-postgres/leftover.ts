import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasErrorCode } from '../read-error.ts'
import { StartError } from './start-error.ts'

const stopTimeoutMs = 6000

/**
 * Cleans up the PostgreSQL of a killed run: if it still runs in this cluster, it is stopped cleanly. If only its pid file
 * is left, and its pid is that of another program or of a zombie that was not reaped yet, PostgreSQL would mistake
 * either for itself and refuse to start: the file then gets our own pid, which PostgreSQL takes for stale as its parent's. The
 * rest of the file stays, by which it notices sessions of the killed run that are still ending. Call only while holding
 * the lock of the data folder.
 *
 * @param cluster folder of the database cluster
 * @throws StartError when it does not stop
 */
export async function stopLeftover(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const pid = readPid(pidFile)
  if (pid === undefined || !answersSignals(pid)) return
  if (!isAlive(pid) || !isPostmasterOf(pid, cluster)) {
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(process.pid)))
    return
  }
  process.kill(pid, 'SIGINT')
  if (await isGone(pid, stopTimeoutMs)) return
  process.kill(pid, 'SIGQUIT')
  if (await isGone(pid, 2000)) return
  throw new StartError(`A PostgreSQL of an earlier run (process ${pid}) still uses ${cluster} and does not stop.`)
}

/** Waits until a process has ended; false after the timeout. */
export async function isGone(pid: number, timeoutMs: number): Promise<boolean> {
  for (const until = Date.now() + timeoutMs; Date.now() < until; await sleep(20)) {
    if (!isAlive(pid)) return true
  }
  return !isAlive(pid)
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
    return pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  return answersSignals(pid) && !isZombie(pid)
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasErrorCode(error, 'EPERM')
  }
}

/** In a container without an init process, orphans stay zombies and keep answering signals. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

function isPostmasterOf(pid: number, cluster: string): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && command.includes(cluster)
  } catch {
    return false
  }
}
