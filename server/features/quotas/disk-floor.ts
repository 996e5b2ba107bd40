import { statfs } from 'node:fs/promises'
import type { Config } from '#server/config.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Log } from '#server/platform/log/log.ts'

/** What may be written, in the order in which it is refused when the disk fills up. */
export type DiskUse = 'transfer' | 'upload' | 'submission'

/** Refuses writing while the disk of the data folder has too little room left. */
export interface DiskFloor {
  /** @throws ProductError `disk_nearly_full`. */
  require(use: DiskUse): Promise<void>
}

const rereadAfterMs = 1_000
const warnAgainAfterMs = 60_000
const retryAfterSeconds = 60
const megabyte = 1_000_000

const details: Readonly<Record<DiskUse, string>> = {
  transfer: 'Exports and imports are paused until there is room again.',
  upload: 'Files are not accepted until there is room again. Text still is.',
  submission: 'Feedback is not accepted until there is room again.',
}

export function createDiskFloor(
  { dataDir, quotas }: Pick<Config, 'dataDir' | 'quotas'>,
  log: Pick<Log, 'warn'>,
): DiskFloor {
  const { floorMegabytes } = quotas
  let freeBytes = 0
  let readAt = Number.NEGATIVE_INFINITY
  let warnedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    try {
      const { bavail, bsize } = await statfs(dataDir)
      freeBytes = bavail * bsize
    } catch (error) {
      // An unreadable folder is for the readiness check to tell; feedback may go to a database and a bucket elsewhere.
      freeBytes = Number.POSITIVE_INFINITY
      log.warn({ err: error }, 'the free space of the disk can’t be read')
    } finally {
      readAt = performance.now()
      reading = undefined
    }
  }

  return {
    require: async (use) => {
      if (performance.now() - readAt > rereadAfterMs) {
        reading ??= read()
        await reading
      }
      const floor = floorMegabytes[use]
      if (freeBytes >= floor * megabyte) return
      if (performance.now() - warnedAt > warnAgainAfterMs) {
        warnedAt = performance.now()
        const freeMegabytes = Math.floor(freeBytes / megabyte)
        log.warn({ freeMegabytes, neededMegabytes: floor, use }, 'the disk is nearly full: requests are refused')
      }
      throw new ProductError('disk_nearly_full', { detail: details[use], retryAfterSeconds })
    },
  }
}
