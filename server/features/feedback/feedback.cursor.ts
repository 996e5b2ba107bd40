import { type InboxSort, inboxSorts } from '#contract/inbox.ts'
import { uuidPattern } from '#contract/uuid.ts'
import { invalid } from '#server/platform/http/invalid.ts'

/** Where a page ended: the last row's place in the order it was read in, and its id. */
export interface Cursor {
  /** The order; a cursor is invalid in another. */
  readonly sort: InboxSort
  /** Index into `feedbackPriorities` where the order is by priority, else 0. */
  readonly rank: number
  /** ISO 8601 in UTC with six decimals: a JavaScript date would lose three of them, and rows with them. */
  readonly at: string
  readonly id: string
}

const shape = new RegExp(String.raw`^([a-z]+) ([0-4]) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (${uuidPattern})$`)

export function writeCursor({ sort, rank, at, id }: Cursor): string {
  return Buffer.from(`${sort} ${rank} ${at} ${id}`).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is no cursor, or belongs to another order. */
export function readCursor(cursor: string, sort: InboxSort): Cursor {
  const [, ownSort, rank, at = '', id = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id === '' || Number.isNaN(Date.parse(at)) || !inboxSorts.some((known) => known === ownSort)) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  if (ownSort !== sort) throw invalid('query.cursor', `belongs to the order ${ownSort}; start again without it`)
  return { sort, rank: Number(rank), at, id }
}
