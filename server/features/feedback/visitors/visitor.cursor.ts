import { isUuid } from '#contract/uuid.ts'
import { invalid } from '#server/platform/http/invalid.ts'

/** Where a page ended: the last row's time, to the microsecond, and its key: of a visitor, or an item's id. */
export interface VisitorPosition {
  /** ISO 8601 in UTC with six decimals. */
  readonly at: string
  readonly key: string
  /** In a list sorted by a count, that of the last row. */
  readonly count?: number
}

const anyKey = /^.{1,254}$/su

export function writeVisitorCursor({ at, key, count }: VisitorPosition): string {
  return Buffer.from(`${count === undefined ? '' : `${count} `}${at} ${key}`).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is none of ours. */
export function readVisitorCursor(cursor: string, of: 'visitors' | 'items'): VisitorPosition {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, count, at = '', key = ''] =
    /^(?:(\d{1,9}) )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (.*)$/su.exec(text) ?? []
  const isKey = (of === 'items' ? isUuid(key) : anyKey.test(key)) && !key.includes('\0')
  if (!isKey || Number.isNaN(Date.parse(at))) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { at, key, ...(count !== undefined && { count: Number(count) }) }
}
