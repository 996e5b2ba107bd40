import { totalmem } from 'node:os'

/** Bytes that this process and its children may use: the machine's memory, or less by a limit of its container. */
export function readTotalMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(totalmem(), limit) : totalmem()
}

/** Whether there is so little that caches and pools are made smaller. */
export function hasLittleMemory(): boolean {
  return readTotalMemory() < 2 ** 30
}
