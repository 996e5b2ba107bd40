import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const patienceMs = 15_000

interface Process {
  readonly pid: number
  readonly command: string
}

/** The processes that a process has started, and theirs. */
export function listDescendants(pid: number): Process[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, own, parent, command = '']) => ({ pid: Number(own), parent: Number(parent), command }))
  const below = (parent: number): Process[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)])
  return below(pid)
}

/** The process of the server below a started product; waits while it is being started again. */
export async function findServer(productPid: number | undefined): Promise<number> {
  for (const until = performance.now() + patienceMs; ; await pause(50)) {
    const found = listDescendants(productPid ?? 0).find(({ command }) => command.includes('server-process.ts'))
    if (found) return found.pid
    if (performance.now() > until) throw new Error('the server has no process')
  }
}

export function findPostmaster(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** A process that has ended and was not reaped yet does not run. */
export function isRunning(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}
