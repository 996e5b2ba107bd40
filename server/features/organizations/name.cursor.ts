import { isUuid } from '#contract/uuid.ts'
import { invalid } from '#server/platform/http/invalid.ts'

/** Where a page of a list by name ended: the last row's name in lower case, and its id. */
export interface NamePosition {
  readonly name: string
  readonly id: string
}

export function writeNameCursor({ name, id }: NamePosition): string {
  return Buffer.from(`${id}${name}`).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is none of ours. */
export function readNameCursor(cursor: string): NamePosition {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [id, name] = [text.slice(0, 36), text.slice(36)]
  if (!isUuid(id) || name === '' || name.includes('\0')) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { name, id }
}
