import type { AuditEntry, AuditFormat } from '#contract/audit.ts'
import { type Cell, writeCsv } from '#server/platform/text/write-csv.ts'

const columns: readonly (readonly [name: string, read: (entry: AuditEntry) => Cell])[] = [
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

/** Entries as the text of a file, piece by piece. */
export function writeEntries(entries: AsyncIterable<AuditEntry>, format: AuditFormat): AsyncIterable<string> {
  return format === 'csv' ? writeCsv(toRows(entries)) : toLines(entries)
}

async function* toRows(entries: AsyncIterable<AuditEntry>): AsyncGenerator<Cell[]> {
  yield columns.map(([name]) => name)
  for await (const entry of entries) yield columns.map(([, read]) => read(entry))
}

async function* toLines(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`
}

const writeFacts = (facts: AuditEntry['before']) => (facts === null ? null : JSON.stringify(facts))
