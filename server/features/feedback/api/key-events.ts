import type { KeyEvent } from '#contract/public-api.ts'
import { uuidPattern } from '#contract/uuid.ts'
import type { Database } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import type { KeyCaller } from '#server/platform/http/key-guard.ts'
import { type EventPosition, listKeyEvents, readHorizon } from './key-events.queries.ts'

/*
 * Events for programs that poll. Ids are made before their transaction commits, so a reader that goes by ids alone misses
 * those of a transaction that took longer. Positions are therefore transactions, in the order in which they began, and a
 * page ends before the oldest one that is still running.
 */

interface Cursor extends EventPosition {
  /** When the position was read: no event is looked for that is older than it by more than a transaction lasts. */
  readonly atMs: number
}

const nil = '00000000-0000-0000-0000-000000000000'
/** Longer than any transaction: a statement ends after 20 s, and so does a pause between two. */
const longestTransactionMs = 600_000
const shape = new RegExp(String.raw`^(\d{1,19}) (\d{1,15}) (${uuidPattern})$`)

/**
 * The next events of the key's project. Without a cursor: none, and the position from now on.
 *
 * @throws ProductError `validation_failed` when the text is no cursor.
 */
export async function readKeyEvents(
  database: Database,
  { actor }: KeyCaller,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ items: KeyEvent[]; nextCursor: string }> {
  const from = cursor === undefined ? undefined : readCursor(cursor)
  return database.withTenant(actor, async (tx) => {
    const atMs = Date.now()
    const horizon = await readHorizon(tx)
    const next: Cursor = { transaction: horizon, id: nil, atMs }
    if (!from) return { items: [], nextCursor: writeCursor(next) }
    const fromId = toFirstId(from.atMs - longestTransactionMs)
    const rows = await listKeyEvents(tx, { after: from, horizon, fromId, limit })
    const last = rows.length === limit ? rows.at(-1) : undefined
    return {
      items: rows.map(({ id, name, feedbackIds, occurredAt }) => ({
        id,
        name,
        feedbackIds,
        occurredAt: occurredAt.toISOString(),
      })),
      nextCursor: writeCursor(last ? { ...last, atMs: last.occurredAt.getTime() } : next),
    }
  })
}

function writeCursor({ transaction, atMs, id }: Cursor): string {
  return Buffer.from(`${transaction} ${atMs} ${id}`).toString('base64url')
}

function readCursor(text: string): Cursor {
  const [, transaction, atMs, id] = shape.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (transaction === undefined || atMs === undefined || id === undefined)
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  return { transaction, id, atMs: Number(atMs) }
}

/** The smallest UUIDv7 of a millisecond. */
function toFirstId(ms: number): string {
  return `${Math.max(0, ms).toString(16).padStart(12, '0')}70008000000000000000`.replace(
    /^(.{8})(.{4})(.{4})(.{4})(.{12})$/,
    '$1-$2-$3-$4-$5',
  )
}
