import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { StoredLine } from './read-line.ts'

export async function storeLines(
  tx: SystemTx,
  process: string,
  lines: readonly StoredLine[],
  newWords: readonly string[],
): Promise<void> {
  await sql`
    select app.store_log_lines(${process}, ${lines.map(({ at }) => at.toISOString())}::timestamptz[],
      ${lines.map(({ level }) => level)}::smallint[], ${lines.map(({ requestId }) => requestId)}::text[],
      ${lines.map(({ message }) => message)}::text[], ${lines.map(({ fields }) => fields)}::text[],
      ${lines.map(({ tokens }) => `{${tokens.join(',')}}`)}::text[], ${newWords}::text[])
  `.execute(tx)
}

/** What a writer says of itself. */
export interface WriterNote {
  readonly process: string
  readonly waiting: number
  readonly oldestWaitingAt: Date | null
  /** Since the process started. */
  readonly dropped: number
  readonly droppedAt: Date | null
  readonly lastError: string | null
}

export async function noteWriter(tx: SystemTx, note: WriterNote): Promise<void> {
  const { process, waiting, oldestWaitingAt, dropped, droppedAt, lastError } = note
  await sql`
    insert into app.log_writers (process, waiting, oldest_waiting_at, dropped, dropped_at, last_error)
    values (${process}, ${waiting}, ${oldestWaitingAt}, ${dropped}, ${droppedAt}, ${lastError})
    on conflict (process) do update set seen_at = now(), waiting = excluded.waiting,
      oldest_waiting_at = excluded.oldest_waiting_at, dropped = excluded.dropped, dropped_at = excluded.dropped_at,
      last_error = excluded.last_error
  `.execute(tx)
}

export interface RemovedPart {
  readonly startsAt: Date
  readonly bytes: number
  /** Before its time, because of the limit of bytes. */
  readonly isForSize: boolean
}

/** Makes the parts of now and of the next hours. */
export async function makeParts(tx: SystemTx): Promise<void> {
  await sql`select app.make_log_part(at) from unnest(array[now(), now() + interval '6 hours']) at`.execute(tx)
}

export async function removeParts(tx: SystemTx, days: number, maxBytes: number): Promise<RemovedPart[]> {
  const { rows } = await sql<RemovedPart>`
    select starts_at as "startsAt", bytes, is_for_size as "isForSize"
    from app.remove_log_parts(${days}::integer, ${maxBytes}::bigint)
  `.execute(tx)
  return rows
}

/** Bytes of all stored lines with their indexes. */
export async function measureParts(tx: SystemTx): Promise<{ startsAt: Date; bytes: number }[]> {
  const { rows } = await sql<{ startsAt: Date; bytes: number }>`
    select starts_at as "startsAt", bytes from app.measure_log_parts()`.execute(tx)
  return rows
}
