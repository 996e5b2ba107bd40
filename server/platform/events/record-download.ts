import type { Database } from '../database/database.ts'
import { writeInstanceEntry } from './instance-entry.queries.ts'

/** For the routes of downloads: they are no writes of anyone's data. */
export const downloadOptions = { evenReadOnly: 'it reads, and the download is recorded' } as const

/**
 * Notes in the audit log of the instance that the superadmin who makes the present request downloads a list.
 *
 * @param name of the list, as its screen has it.
 * @param filters noted by their names alone: what is searched for may be someone's address.
 */
export async function recordDownload(
  database: Pick<Database, 'asSystem'>,
  name: string,
  filters: object = {},
): Promise<void> {
  await database.asSystem('downloads of superadmins are recorded', (tx) =>
    writeInstanceEntry(tx, {
      action: 'list.exported',
      targetType: 'instance',
      targetName: name,
      after: { filters: Object.keys(filters) },
    }),
  )
}
