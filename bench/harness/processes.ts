import { readdirSync, readFileSync } from 'node:fs'

/** What a process and its descendants use. */
export interface Usage {
  readonly residentBytes: number
  readonly cpuSeconds: number
}

/** Memory of one process. */
export interface ProcessMemory {
  readonly command: string
  /** Resident memory, of which what n processes share counts as a part of n: the sum of all is what they occupy together. */
  readonly proportionalBytes: number
}

const ticksPerSecond = 100
const pageBytes = 4096

/** Reads the memory and the processor time of a process and its descendants. On Linux only: it reads `/proc`. */
export function readUsage(rootPid: number): Usage {
  const counted = readFamily(rootPid)
  return {
    residentBytes: counted.reduce((sum, { pages }) => sum + pages * pageBytes, 0),
    cpuSeconds: counted.reduce((sum, { ticks }) => sum + ticks / ticksPerSecond, 0),
  }
}

/** Reads the memory of a process and its descendants, the largest first. On Linux only, as the same user or root. */
export function readMemory(rootPid: number): ProcessMemory[] {
  return readFamily(rootPid)
    .flatMap(({ pid }) => {
      try {
        const [, kilobytes = '0'] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? []
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return [{ command, proportionalBytes: Number(kilobytes) * 1024 }]
      } catch {
        // It has ended.
        return []
      }
    })
    .sort((a, b) => b.proportionalBytes - a.proportionalBytes)
}

/** A process and its descendants. */
function readFamily(rootPid: number) {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
  const own = new Set([rootPid])
  // A child may have a lower number than its parent, once numbers start over.
  for (let size = 0; size < own.size; ) {
    size = own.size
    for (const { pid, parent } of processes) if (own.has(parent)) own.add(pid)
  }
  return processes.filter(({ pid }) => own.has(pid))
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
