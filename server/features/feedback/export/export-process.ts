/*
 * Runs in the process of write-apart.ts: makes one file and reports it. Loads no other code, because loaded code counts
 * towards the memory of every export.
 */
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { readPosition } from '#server/platform/database/replica.queries.ts'
import { openReplica } from '#server/platform/database/replica.ts'
import { awaitReplay } from '#server/platform/database/reports.ts'
import { createDiskStorage } from '#server/platform/storage/disk-storage.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { ExportTooLargeError } from './export-too-large.ts'
import { makeFile } from './make-file.ts'
import type { Assignment, Notice, StorageSettings } from './write-apart.ts'

// Below the processes that answer requests.
const niceness = 10
/** No one looks on while an export is made. */
const replicaPatienceMs = 5_000

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

async function carryOut({ order, databaseUrl, databaseDirectUrl, databaseReplicaUrl, storage }: Assignment) {
  setPriority(niceness)
  // A broken connection shows as a failed read of the next page.
  const log = { debug: () => {}, warn: () => {} }
  const database = openDatabase({ url: databaseUrl, directUrl: databaseDirectUrl, log, maxConnections: 1 })
  const replica = openReplica({ databaseReplicaUrl, databaseDirectUrl, databaseMaxConnections: 1 }, log)
  try {
    return await makeFile(order, {
      database,
      source: replica && (await hasAll(replica, database)) ? replica : database,
      storage: await open(storage),
      onProgress: (progress) => tell({ kind: 'progress', progress }),
    })
  } finally {
    await replica?.close()
    await database.close()
  }
}

/** Whether the replica has what was written before the export, be it after a while. */
async function hasAll(replica: Database, primary: Database): Promise<boolean> {
  const position = await readPosition(primary)
  return awaitReplay(replica, position, replicaPatienceMs).catch(() => false)
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
