import type { AuditEntry, AuditFormat } from '#contract/audit.ts'
import type { InstanceAuditEntry } from '#contract/superadmin-audit.ts'
import { type Cell, writeCsv } from '#server/platform/text/write-csv.ts'

type Column<Entry> = readonly [name: string, read: (entry: Entry) => Cell]

const columns: readonly Column<Omit<AuditEntry, 'target'> & Pick<InstanceAuditEntry, 'target'>>[] = [
  ['time', (entry) => entry.createdAt],
  ['summary', (entry) => entry.summary],
  ['action', (entry) => entry.action],
  ['category', (entry) => entry.category],
  ['actor_kind', (entry) => entry.actor.kind],
  ['actor_id', (entry) => entry.actor.id],
  ['actor_name', (entry) => entry.actor.name],
  ['target_type', (entry) => entry.target.type],
  ['target_id', (entry) => entry.target.id],
  ['target_name', (entry) => entry.target.name],
  ['before', (entry) => writeFacts(entry.before)],
  ['after', (entry) => writeFacts(entry.after)],
  ['ip', (entry) => entry.ip],
  ['user_agent', (entry) => entry.userAgent],
  ['request_id', (entry) => entry.requestId],
  ['cause', (entry) => entry.cause],
  ['id', (entry) => entry.id],
]
const instanceColumns: readonly Column<InstanceAuditEntry>[] = [
  ...columns,
  ['organization_id', ({ organization }) => organization?.id ?? null],
  ['organization_name', ({ organization }) => organization?.name ?? null],
]

/** Entries as the text of a file, piece by piece. */
export function writeEntries(entries: AsyncIterable<AuditEntry>, format: AuditFormat): AsyncIterable<string> {
  return format === 'csv' ? writeCsv(toRows(entries, columns)) : toLines(entries)
}

/** The same with the organisation of each. */
export function writeInstanceEntries(
  entries: AsyncIterable<InstanceAuditEntry>,
  format: AuditFormat,
): AsyncIterable<string> {
  return format === 'csv' ? writeCsv(toRows(entries, instanceColumns)) : toLines(entries)
}

async function* toRows<Entry>(entries: AsyncIterable<Entry>, read: readonly Column<Entry>[]): AsyncGenerator<Cell[]> {
  yield read.map(([name]) => name)
  for await (const entry of entries) yield read.map(([, readCell]) => readCell(entry))
}

async function* toLines(entries: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`
}

const writeFacts = (facts: AuditEntry['before']) => (facts === null ? null : JSON.stringify(facts))
