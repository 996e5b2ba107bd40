import { uuidPattern } from '#contract/uuid.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import type { AuditPlace } from './audit.queries.ts'

const shape = new RegExp(String.raw`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (${uuidPattern})$`)

export function writeAuditCursor({ createdAt, id }: AuditPlace): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is none of ours. */
export function readAuditCursor(cursor: string): AuditPlace {
  const [, createdAt = '', id = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id === '' || Number.isNaN(Date.parse(createdAt))) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { createdAt, id }
}
