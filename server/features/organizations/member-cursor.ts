import { uuidPattern } from '#contract/uuid.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import type { MemberPlace } from './members.queries.ts'

const shape = new RegExp(String.raw`^(${uuidPattern}) ([^\u0000]*)$`, 'su')

export function writeMemberCursor({ listedAs, userId }: MemberPlace): string {
  return Buffer.from(`${userId} ${listedAs}`).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is none of ours. */
export function readMemberCursor(cursor: string): MemberPlace {
  const [, userId, listedAs] = shape.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (userId === undefined || listedAs === undefined) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { listedAs, userId }
}
