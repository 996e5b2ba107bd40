import { readdirSync, readFileSync } from 'node:fs'

/** What a process and its descendants use. */
export interface Usage {
  readonly residentBytes: number
  readonly cpuSeconds: number
}

const ticksPerSecond = 100
const pageBytes = 4096

/** Reads the memory and the processor time of a process and its descendants. On Linux only: it reads `/proc`. */
export function readUsage(rootPid: number): Usage {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
  const own = new Set([rootPid])
  // A child may have a lower number than its parent, once numbers start over.
  for (let size = 0; size < own.size; ) {
    size = own.size
    for (const { pid, parent } of processes) if (own.has(parent)) own.add(pid)
  }
  const counted = processes.filter(({ pid }) => own.has(pid))
  return {
    residentBytes: counted.reduce((sum, { pages }) => sum + pages * pageBytes, 0),
    cpuSeconds: counted.reduce((sum, { ticks }) => sum + ticks / ticksPerSecond, 0),
  }
}

function readProcess(pid: number) {
  try {
    // The name, which may contain anything, ends with the last bracket; the state is field 3 of proc(5).
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ').map(Number) ?? []
    const at = (field: number) => fields[field - 3] ?? 0
    return { pid, parent: at(4), ticks: at(14) + at(15), pages: at(24) }
  } catch {
    // It has ended.
    return undefined
  }
}
