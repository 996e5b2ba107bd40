import { isUuid } from '#contract/uuid.ts'
import { invalid } from '#server/platform/http/invalid.ts'

/** Where a page of organisations ends: the value that it is sorted by, and the organisation. */
export interface SubscriberPlace {
  readonly value: string
  readonly id: string
}

export function writeSubscriberCursor({ value, id }: SubscriberPlace): string {
  return Buffer.from(`${id}${value}`).toString('base64url')
}

const idLength = 36

/**
 * @param isValue whether a text can be a value of the order that is asked for.
 * @throws ProductError `validation_failed` when the text is none of ours.
 */
export function readSubscriberCursor(cursor: string, isValue: (value: string) => boolean): SubscriberPlace {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [id, value] = [text.slice(0, idLength), text.slice(idLength)]
  if (!isUuid(id) || !isValue(value) || value.includes('\0')) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { value, id }
}
