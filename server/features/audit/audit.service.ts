import { Readable } from 'node:stream'
import type { AuditEntry, AuditFilters, AuditFormat } from '#contract/audit.ts'
import type { InstanceAuditEntry, InstanceAuditFilters } from '#contract/superadmin-audit.ts'
import { describeAuditEntry } from '#contract/word-audit-entry.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { type AuditPlace, listEntries } from './audit.queries.ts'
import { readAuditCursor, writeAuditCursor } from './audit-cursor.ts'
import { writeEntries, writeInstanceEntries } from './write-entries.ts'

export interface Audit {
  /** @throws ProductError `validation_failed` for a foreign cursor or a time that does not exist. */
  list(
    actor: Actor,
    organizationId: string,
    query: AuditFilters & { cursor?: string; limit?: number },
  ): Promise<{ items: AuditEntry[]; nextCursor: string | null }>
  /**
   * Entries of all organisations, for superadmins.
   *
   * @throws ProductError `validation_failed` as `list` does.
   */
  listInstance(
    query: InstanceAuditFilters & { cursor?: string; limit?: number },
  ): Promise<{ items: InstanceAuditEntry[]; nextCursor: string | null }>
  /** Records the download and begins it. A stream that fails breaks off the answer. */
  export(actor: Actor, organizationId: string, filters: AuditFilters, format: AuditFormat): Promise<Readable>
  /** The same of all organisations, for superadmins. */
  exportInstance(filters: InstanceAuditFilters, format: AuditFormat): Promise<Readable>
}

const instanceReason = 'superadmins read the audit log of all organisations'
/** Stands for the instance in place of an organisation. */
const nilId = '00000000-0000-0000-0000-000000000000'
const defaultPageSize = 50
const entriesAtATime = 500

export function createAudit(database: Database): Audit {
  const readPage = async (
    actor: Actor,
    organizationId: string,
    options: { filters: AuditFilters; after: AuditPlace | undefined; limit: number },
  ) => {
    const found = await database.withTenant(actor, (tx) =>
      listEntries(tx, organizationId, { ...options, limit: options.limit + 1 }),
    )
    const page = found.slice(0, options.limit)
    return { entries: page.map(toEntry), last: found.length > options.limit ? page.at(-1) : undefined }
  }

  async function* readAll(actor: Actor, organizationId: string, filters: AuditFilters): AsyncGenerator<AuditEntry> {
    let after: AuditPlace | undefined
    do {
      // A transaction for each page: access that ends during a download ends it.
      const { entries, last } = await readPage(actor, organizationId, { filters, after, limit: entriesAtATime })
      yield* entries
      after = last
    } while (after)
  }

  return {
    list: async (actor, organizationId, { cursor, limit = defaultPageSize, ...filters }) => {
      checkTimes(filters, 'query')
      const after = cursor === undefined ? undefined : readAuditCursor(cursor)
      const { entries, last } = await readPage(actor, organizationId, { filters, after, limit })
      return { items: entries, nextCursor: last ? writeAuditCursor(last) : null }
    },

    listInstance: async ({ cursor, limit = defaultPageSize, ...filters }) => {
      checkTimes(filters, 'query')
      const after = cursor === undefined ? undefined : readAuditCursor(cursor)
      const { entries, last } = await readInstancePage(database, filters, after, limit)
      return { items: entries, nextCursor: last ? writeAuditCursor(last) : null }
    },

    export: async (actor, organizationId, filters, format) => {
      checkTimes(filters, 'body')
      await database.withTenant(actor, (tx) =>
        recordEvent(tx, {
          organizationId,
          name: 'audit.exported',
          ids: [organizationId],
          payload: { format },
          announced: 'never',
        }),
      )
      return Readable.from(writeEntries(readAll(actor, organizationId, filters), format))
    },

    exportInstance: async (filters, format) => {
      checkTimes(filters, 'body')
      await database.asSystem(instanceReason, (tx) =>
        writeInstanceEntry(tx, {
          action: 'audit.exported',
          targetType: 'instance',
          targetName: 'Audit log',
          after: { format },
        }),
      )
      return Readable.from(writeInstanceEntries(readInstance(database, filters), format))
    },
  }
}

async function readInstancePage(
  database: Database,
  { organizationId, ...filters }: InstanceAuditFilters,
  after: AuditPlace | undefined,
  limit: number,
) {
  const found = await database.asSystem(instanceReason, (tx) =>
    listEntries(tx, organizationId, { filters, after, limit: limit + 1 }),
  )
  const page = found.slice(0, limit)
  return { entries: page.map(toInstanceEntry), last: found.length > limit ? page.at(-1) : undefined }
}

async function* readInstance(database: Database, filters: InstanceAuditFilters): AsyncGenerator<InstanceAuditEntry> {
  let after: AuditPlace | undefined
  do {
    const { entries, last } = await readInstancePage(database, filters, after, entriesAtATime)
    yield* entries
    after = last
  } while (after)
}

/** The format admits days that no calendar has. */
function checkTimes({ from, to }: AuditFilters, place: 'query' | 'body'): void {
  for (const [name, time] of Object.entries({ from, to })) {
    if (time !== undefined && Number.isNaN(Date.parse(time)))
      throw invalid(`${place}.${name}`, 'must be a time that exists')
  }
}

type StoredEntry = Awaited<ReturnType<typeof listEntries>>[number]

function toEntry({
  actorKind,
  actorId,
  actorName,
  targetType,
  targetId,
  targetName,
  organizationId: _organizationId,
  organizationName: _organizationName,
  ...stored
}: StoredEntry): AuditEntry {
  const entry = {
    ...stored,
    actor: { kind: actorKind, id: actorId, name: actorName },
    target: { type: targetType, id: targetId, name: targetName },
  }
  return { ...entry, summary: describeAuditEntry(entry) }
}

function toInstanceEntry(stored: StoredEntry): InstanceAuditEntry {
  const { organizationId: id, organizationName: name } = stored
  return { ...toEntry(stored), organization: id === nilId ? null : { id, name } }
}
