import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

/** Facts of the machine and of this process; tests replace them, because a full disk is hard to come by. */
export interface Machine {
  readonly nodeVersion: string
  /** Memory that Node may use for JavaScript. */
  readonly heapLimitBytes: number
  /** Of the container, or else of the machine. */
  readonly memoryLimitBytes: number
  readonly memoryUsedBytes: number
  /** Milliseconds since 1970. */
  now(): number
  readDisk(folder: string): Promise<{ freeBytes: number; totalBytes: number; freeFiles: number; totalFiles: number }>
  /** A number as German writes it: with a comma where Node knows languages. */
  formatGerman(value: number): string
}

export const thisMachine: Machine = {
  nodeVersion: process.versions.node,
  heapLimitBytes: getHeapStatistics().heap_size_limit,
  // Without a limit, Node answers with 0 or with more than any machine has.
  memoryLimitBytes: Math.min(process.constrainedMemory() || Number.MAX_SAFE_INTEGER, totalmem()),
  get memoryUsedBytes() {
    return process.memoryUsage.rss()
  },
  now: () => Date.now(),
  readDisk: async (folder) => {
    const { bavail, blocks, bsize, ffree, files } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, freeFiles: ffree, totalFiles: files }
  },
  formatGerman: (value) => new Intl.NumberFormat('de').format(value),
}
