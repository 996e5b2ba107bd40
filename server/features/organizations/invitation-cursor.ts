import { uuidPattern } from '#contract/uuid.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import type { InvitationPlace } from './invitations.queries.ts'

const shape = new RegExp(String.raw`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (${uuidPattern})$`)

export function writeInvitationCursor({ sentAt, id }: InvitationPlace): string {
  return Buffer.from(`${sentAt} ${id}`).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is none of ours. */
export function readInvitationCursor(cursor: string): InvitationPlace {
  const [, sentAt = '', id = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id === '' || Number.isNaN(Date.parse(sentAt))) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { sentAt, id }
}
