import { sql } from 'kysely'
import { openDatabase } from '#server/platform/database/database.ts'
import { createReports } from '#server/platform/database/reports.ts'
import type { Load } from './load.ts'

export interface OwnWrites {
  readonly reads: number
  /** Reads that found the submission which was acknowledged just before. */
  readonly found: number
  /** Reads that a replica answered. */
  readonly byReplica: number
}

const pauseMs = 50

/** Reads, as reports do, the submission that was acknowledged last, again and again under load. */
export async function readOwnWrites(
  urls: { pooler: string; direct: string; replica: string },
  load: Load,
  reads: number,
): Promise<OwnWrites> {
  const log = { warn: () => {}, debug: () => {} }
  const primary = openDatabase({ url: urls.pooler, directUrl: urls.direct, log, maxConnections: 2 })
  const replica = openDatabase({ url: urls.replica, directUrl: urls.replica, isReplica: true, log, maxConnections: 2 })
  const reports = createReports(primary, replica, log)
  let found = 0
  let byReplica = 0
  try {
    for (let n = 0; n < reads; n += 1) {
      const id = [...load.acknowledged.keys()].at(-1)
      const { rows } = await reports.asSystem('a benchmark', (tx) =>
        sql<{ isReplica: boolean; isThere: boolean }>`
          select pg_is_in_recovery() as "isReplica",
            exists (select from public.feedback where id = ${id}) as "isThere"`.execute(tx),
      )
      if (rows[0]?.isThere) found += 1
      if (rows[0]?.isReplica) byReplica += 1
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  } finally {
    await replica.close()
    await primary.close()
  }
  return { reads, found, byReplica }
}
