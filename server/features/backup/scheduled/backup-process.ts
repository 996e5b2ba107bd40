/* Runs in the process of run-apart.ts: makes one backup, or one drill, and reports it. */
import { setPriority } from 'node:os'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import type { Manifest } from '../archive/format.ts'
import { BackupBusyError } from '../backup-error.ts'
import { makeBackup } from '../make-backup.ts'
import { pruneArchives } from '../places/kept-archives.ts'
import { openPlace } from '../places/open-place.ts'
import { drill } from './drill.ts'
import type { Assignment, Notice, Outcome } from './run-apart.ts'

// Below the processes that answer requests.
const niceness = 10

// The server that waits is gone: the outcome would never be recorded.
process.once('disconnect', () => process.exit(1))
// The server gets the same signals, and ends this process in its own time.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

process.once('message', (assignment: Assignment) => {
  carryOut(assignment).then(
    (outcome) => endWith({ outcome }),
    (error: unknown) =>
      endWith({
        problem: readErrorMessage(error).replace(/\s*\n\s*/g, ' '),
        isBusy: error instanceof BackupBusyError,
      }),
  )
})

async function carryOut(assignment: Assignment): Promise<Outcome> {
  setPriority(niceness)
  const { kind, ownerUrl, dataDir, s3, appVersion, folder, passphrase, keep, floorBytes } = assignment
  if (kind === 'drill') {
    const { location, restored } = await drill({ ownerUrl, folder, s3, passphrase })
    return { location, bytes: null, ...count(restored.manifest) }
  }
  const { location, bytes, manifest } = await makeBackup({
    url: ownerUrl,
    storage: openStorage({ dataDir, s3 }),
    dataDir,
    appVersion,
    passphrase,
    openTarget: (estimatedBytes, createdAt) =>
      openPlace(folder, { s3, estimatedBytes, floorBytes, createdAt, stdout: process.stdout }),
  })
  // Only now: the new one is verified and has its name.
  if (keep !== null) await pruneArchives(folder, keep, s3)
  return { location, bytes, ...count(manifest) }
}

function count({ tables, files }: Pick<Manifest, 'tables' | 'files'>) {
  return { rowCount: tables.reduce((sum, { rows }) => sum + rows, 0), fileCount: files.count }
}

function endWith(notice: Notice): void {
  process.send?.(notice, () => process.exit(0))
}
