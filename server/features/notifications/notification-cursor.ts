import { uuidPattern } from '#contract/uuid.ts'
import { invalid } from '#server/platform/http/invalid.ts'

/** The last notification of a page. */
interface NotificationPlace {
  /** ISO 8601 in UTC with six decimals. */
  readonly createdAt: string
  readonly id: string
}

const shape = new RegExp(String.raw`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (${uuidPattern})$`)

export function writeNotificationCursor({ createdAt, id }: NotificationPlace): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is none of ours. */
export function readNotificationCursor(cursor: string): NotificationPlace {
  const [, createdAt = '', id = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id === '' || Number.isNaN(Date.parse(createdAt))) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { createdAt, id }
}
