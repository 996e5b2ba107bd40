import { uuidPattern } from '#contract/uuid.ts'
import { invalid } from '#server/platform/http/invalid.ts'

/** Where a page of posts ends. */
export interface PostPlace {
  /** With microseconds. */
  readonly changedAt: string
  readonly id: string
}

const shape = new RegExp(String.raw`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (${uuidPattern})$`)

export function writePostCursor({ changedAt, id }: PostPlace): string {
  return Buffer.from(`${changedAt} ${id}`).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is none of ours. */
export function readPostCursor(cursor: string): PostPlace {
  const [, changedAt = '', id = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id === '' || Number.isNaN(Date.parse(changedAt))) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { changedAt, id }
}
