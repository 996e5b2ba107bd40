import { isUuid } from '#contract/uuid.ts'
import { invalid } from './invalid.ts'

/** Where a page of a list by time ends. `at` is PostgreSQL's text: a JavaScript date would lose three digits of the microseconds. */
export interface TimePlace {
  readonly at: string
  readonly id: string
}

const idLength = 36

export function writeTimeCursor({ at, id }: TimePlace): string {
  return Buffer.from(`${id}${at}`).toString('base64url')
}

/** @throws ProductError `validation_failed` for a foreign cursor. */
export function readTimeCursor(cursor: string): TimePlace {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [id, at] = [text.slice(0, idLength), text.slice(idLength)]
  const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(at)
  if (!isUuid(id) || !isTime || Number.isNaN(Date.parse(at))) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { at, id }
}
