import { execFileSync } from 'node:child_process'

/** What a process and its descendants use. */
export interface Usage {
  readonly residentBytes: number
  readonly cpuSeconds: number
}

/** Reads the memory and the processor time of a process and its descendants, as the system counts them. */
export function readUsage(rootPid: number): Usage {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,cputimes='], { encoding: 'utf8' }).trim().split('\n')
  const processes = lines.map((line) => {
    const [pid = 0, parent = 0, kibibytes = 0, cpuSeconds = 0] = line.trim().split(/\s+/).map(Number)
    return { pid, parent, kibibytes, cpuSeconds }
  })
  const own = new Set([rootPid])
  // Parents come before their children: process ids grow.
  for (const { pid, parent } of processes) if (own.has(parent)) own.add(pid)
  const counted = processes.filter(({ pid }) => own.has(pid))
  return {
    residentBytes: counted.reduce((sum, { kibibytes }) => sum + kibibytes * 1024, 0),
    cpuSeconds: counted.reduce((sum, each) => sum + each.cpuSeconds, 0),
  }
}
