import { performance } from 'node:perf_hooks'

export interface ReturnMemoryOptions {
  /** Collects all garbage and gives its pages back. Default: V8's own, in processes started with `--expose-gc`; without it, nothing is done. */
  readonly collect?: (() => void) | undefined
  /** Default: 10 s. */
  readonly everyMs?: number
}

/** Of the time between two looks. */
const idleShare = 0.1
/** Idle for so many looks in a row: a collection holds requests up for a tenth of a second. */
const idleLooks = 2
/** Less is not worth a collection. */
const leastGrowthBytes = 32 * 2 ** 20

/**
 * Gives memory back to the system when a load is over. V8 keeps the pages of its busiest minute: after full load, half of the
 * process's memory was unused heap.
 *
 * @returns what ends it.
 */
export function returnMemory({
  collect = typeof globalThis.gc === 'function' ? collectAll : undefined,
  everyMs = 10_000,
}: ReturnMemoryOptions = {}): () => void {
  if (!collect) return () => {}
  let lookedAt = performance.eventLoopUtilization()
  let idleInARow = 0
  // At first nothing: the code of a start leaves garbage too.
  let keptBytes = 0
  const look = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, lookedAt)
    lookedAt = now
    idleInARow = utilization < idleShare ? idleInARow + 1 : 0
    if (idleInARow < idleLooks || process.memoryUsage().heapTotal < keptBytes + leastGrowthBytes) return
    collect()
    keptBytes = process.memoryUsage().heapTotal
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

function collectAll(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
