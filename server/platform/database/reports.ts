import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../log/log.ts'
import { hasErrorCode } from '../read-error.ts'
import { isDatabaseAway } from './away.ts'
import type { Database } from './database.ts'
import { hasReplayed, readPosition } from './replica.queries.ts'

/**
 * Reads of reports: from the replica once it has everything that was acknowledged when the read began, else from the primary.
 * So a member who changes something finds it in the next report, whichever process answers.
 */
export type Reports = Pick<Database, 'withTenant' | 'asSystem'>

/** A replica of the same network is some milliseconds behind. */
const patienceMs = 250
const askAgainMs = 10
/** A replica that lags or is away is not asked for so long. */
const restMs = 5_000

/**
 * Functions that are given to it only read, and may run twice: a read that the replica breaks off runs at the primary.
 *
 * Rejected: remembering each caller's last write. The memory would have to be shared by all processes, and the primary knows
 * its position in one round trip without a table.
 *
 * @param replica null: everything is read from the primary.
 */
export function createReports(primary: Database, replica: Database | null, log: Pick<Log, 'warn'>): Reports {
  if (replica === null) return primary
  const source = replica
  let restUntilMs = Number.NEGATIVE_INFINITY
  const rest = (reason: string, err?: unknown) => {
    restUntilMs = performance.now() + restMs
    log.warn({ ...(err !== undefined && { err }), reason }, 'reports are read from the primary')
  }

  async function read<T>(from: (database: Database) => Promise<T>): Promise<T> {
    if (performance.now() < restUntilMs) return from(primary)
    const position = await readPosition(primary)
    try {
      if (await awaitReplay(source, position, patienceMs)) return await from(source)
      rest('the replica lags')
    } catch (error) {
      if (!isOfReplica(error)) throw error
      rest('the replica broke the read off', error)
    }
    return from(primary)
  }

  return {
    withTenant: (actor, fn) => read((database) => database.withTenant(actor, fn)),
    asSystem: (reason, fn) => read((database) => database.asSystem(reason, fn)),
  }
}

/** Whether the replica has replayed the WAL up to there, at once or within that time. */
export async function awaitReplay(replica: Database, position: string, withinMs: number): Promise<boolean> {
  for (const until = performance.now() + withinMs; ; await pause(askAgainMs)) {
    if (await hasReplayed(replica, position)) return true
    if (performance.now() > until) return false
  }
}

/** It is away, replay needed rows that the read held (40001, 40P01), or the read wants to write (25006). */
function isOfReplica(error: unknown): boolean {
  return isDatabaseAway(error) || ['40001', '40P01', '25006'].some((code) => hasErrorCode(error, code))
}
