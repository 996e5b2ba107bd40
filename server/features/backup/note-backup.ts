import { openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { insertRun } from './backup-runs.queries.ts'
import type { MadeBackup } from './make-backup.ts'

/** Notes a backup that no schedule made: the doctor asks when the last one was. */
export async function noteBackup(
  url: string,
  { location, bytes, manifest }: MadeBackup,
  startedAt: Date,
  reason: string,
): Promise<void> {
  const database = openDatabase({ url, log: createLog({ level: 'silent' }), maxConnections: 1 })
  try {
    await database.asSystem(reason, (tx) =>
      insertRun(tx, {
        kind: 'backup',
        isScheduled: false,
        startedAt,
        location,
        bytes,
        rowCount: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
        fileCount: manifest.files.count,
        problem: null,
      }),
    )
  } finally {
    await database.close()
  }
}
