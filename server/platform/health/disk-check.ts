import { randomUUID } from 'node:crypto'
import { statfs, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const leastFreeBytes = 100 * 1024 * 1024

/**
 * Creates the check of a folder that must stay writable: rejects when less than `minFreeBytes` (default 100 MiB) are
 * free or a small file can't be written.
 */
export function createDiskCheck(folder: string, { minFreeBytes = leastFreeBytes } = {}): () => Promise<void> {
  return async () => {
    const { bavail, bsize } = await statfs(folder)
    const freeBytes = bavail * bsize
    if (freeBytes < minFreeBytes) {
      throw new Error(`${Math.floor(freeBytes / 1024 / 1024)} MiB free, ${minFreeBytes / 1024 / 1024} MiB needed`)
    }
    // Free space does not prove that the disk is writable: only writing does.
    const file = join(folder, `.ready-${randomUUID()}`)
    try {
      await writeFile(file, 'ready', { flag: 'wx' })
    } finally {
      await unlink(file).catch(() => undefined)
    }
  }
}
