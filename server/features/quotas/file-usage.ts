import type { Database } from '#server/platform/database/database.ts'
import { listProjectFiles, type ProjectFiles } from './quotas.queries.ts'

/** Bytes of an organisation's files, in all and by project. */
export interface FileUsage {
  readonly usedBytes: number
  readonly projects: ReadonlyMap<string, number>
}

interface Known extends FileUsage {
  readonly until: number
}

const leastKeptMs = 5_000
/** A sum that took long is kept for so many times as long: an organisation with a million files costs no more. */
const keptPerCost = 20
/** On a busy machine a sum takes long for other reasons, and room that was made must not stay unseen. */
const mostKeptMs = 10_000
const maxKnown = 1_000

export function toFileUsage(rows: readonly ProjectFiles[]): FileUsage {
  return {
    usedBytes: rows.reduce((sum, { usedBytes }) => sum + usedBytes, 0),
    projects: new Map(rows.map(({ projectId, usedBytes }) => [projectId, usedBytes])),
  }
}

/**
 * Sums up files for the check of each upload. The result may be some seconds old, so that a limit is passed by what arrives
 * meanwhile; a counter kept with each part of an upload would make all uploads of a project wait for one row.
 */
export function createFileUsage(database: Database): (organizationId: string) => Promise<FileUsage> {
  const known = new Map<string, Known>()
  const reading = new Map<string, Promise<FileUsage>>()

  async function read(organizationId: string): Promise<FileUsage> {
    const startedAt = performance.now()
    try {
      const rows = await database.asSystem('a visitor’s upload is checked against the limits of its project', (tx) =>
        listProjectFiles(tx, organizationId),
      )
      const usage = toFileUsage(rows)
      if (known.size >= maxKnown) known.clear()
      const now = performance.now()
      const keptMs = Math.min(mostKeptMs, Math.max(leastKeptMs, keptPerCost * (now - startedAt)))
      known.set(organizationId, { ...usage, until: now + keptMs })
      return usage
    } finally {
      reading.delete(organizationId)
    }
  }

  return async (organizationId) => {
    const found = known.get(organizationId)
    if (found && performance.now() < found.until) return found
    const started = reading.get(organizationId) ?? read(organizationId)
    reading.set(organizationId, started)
    return started
  }
}
