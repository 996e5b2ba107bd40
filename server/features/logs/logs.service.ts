import { Readable } from 'node:stream'
import { type LogFilters, type LogStatus, mostExportedLines } from '#contract/superadmin-logs.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { createLogTail, type LogTail } from './follow-logs.ts'
import { listWriters } from './logs.queries.ts'
import { checkTimes, type LogQuery, readAllLogs, searchLogs, searchReason } from './search-logs.ts'
import { measureParts } from './writer.queries.ts'

export type Logs = ReturnType<typeof createLogs>

/** The stored lines of all processes, for superadmins. */
export function createLogs(database: Database, { storedLogs }: Pick<Config, 'storedLogs'>) {
  const tail = createLogTail(database)
  async function* writeJsonLines(filters: LogFilters): AsyncGenerator<string> {
    let count = 0
    for await (const line of readAllLogs(database, filters, mostExportedLines + 1)) {
      count += 1
      if (count <= mostExportedLines) yield `${JSON.stringify(line)}\n`
      else yield `${JSON.stringify({ note: `There are more lines: a download has ${mostExportedLines} at most.` })}\n`
    }
  }

  return {
    search: (query: LogQuery) => searchLogs(database, query),
    follow: (follower: Parameters<LogTail['follow']>[0]) => tail.follow(follower),
    export: async (filters: LogFilters): Promise<Readable> => {
      checkTimes(filters, 'body')
      await database.asSystem(searchReason, (tx) =>
        writeInstanceEntry(tx, {
          action: 'logs.exported',
          targetType: 'instance',
          targetName: 'Logs',
          after: { ...filters },
        }),
      )
      return Readable.from(writeJsonLines(filters))
    },
    readStatus: (): Promise<LogStatus> =>
      database.asSystem(searchReason, async (tx) => {
        const parts = await measureParts(tx)
        return {
          ...storedLogs,
          bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
          oldestAt: parts[0]?.startsAt.toISOString() ?? null,
          processes: (await listWriters(tx)).map(({ process, seenAt, dropped }) => ({
            process,
            seenAt: seenAt.toISOString(),
            dropped,
          })),
        }
      }),
  }
}
