/*
 * Runs in the process of write-apart.ts: makes one file and reports it. Loads no other code, because loaded code counts
 * towards the memory of every export.
 */
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/platform/database/database.ts'
import { createDiskStorage } from '#server/platform/storage/disk-storage.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { ExportTooLargeError } from './export-too-large.ts'
import { makeFile } from './make-file.ts'
import type { Assignment, Notice, StorageSettings } from './write-apart.ts'

// Below the processes that answer requests.
const niceness = 10

// The server that waits is gone: the file would never be recorded.
process.once('disconnect', () => process.exit(1))
// The server gets the same signals, and ends this process in its own time.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

process.once('message', (assignment: Assignment) => {
  carryOut(assignment).then(
    (made) => endWith({ kind: 'made', made }),
    (error: Error) =>
      endWith(
        error instanceof ExportTooLargeError
          ? { kind: 'too_large' }
          : { kind: 'failed', message: String(error.stack ?? error) },
      ),
  )
})

async function carryOut({ order, databaseUrl, storage }: Assignment) {
  setPriority(niceness)
  // A broken connection shows as a failed read of the next page.
  const database = openDatabase({ url: databaseUrl, log: { debug: () => {}, warn: () => {} }, maxConnections: 1 })
  try {
    return await makeFile(order, {
      database,
      storage: await open(storage),
      onProgress: (progress) => tell({ kind: 'progress', progress }),
    })
  } finally {
    await database.close()
  }
}

/** As open-storage.ts does; but the client of an object store is large, and loaded only where there is one. */
async function open({ dataDir, s3 }: StorageSettings): Promise<Storage> {
  if (s3 === null) return createDiskStorage(join(dataDir, 'files'))
  const { createS3Storage } = await import('#server/platform/storage/s3-storage.ts')
  return createS3Storage(s3)
}

function tell(notice: Notice, then: () => void = () => {}): void {
  process.send?.(notice, then)
}

function endWith(notice: Notice): void {
  tell(notice, () => process.exit(0))
}
