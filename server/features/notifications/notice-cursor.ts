import { ProductError } from '#server/platform/http/product-error.ts'

/** The last notice of a page. */
interface NoticePlace {
  /** ISO 8601 in UTC with six decimals. */
  readonly createdAt: string
  readonly id: string
}

const shape =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

export function writeNoticeCursor({ createdAt, id }: NoticePlace): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is none of ours. */
export function readNoticeCursor(cursor: string): NoticePlace {
  const [, createdAt = '', id = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id === '' || Number.isNaN(Date.parse(createdAt))) {
    throw new ProductError('validation_failed', {
      fields: [{ path: 'query.cursor', message: 'must be the nextCursor of an earlier page' }],
    })
  }
  return { createdAt, id }
}
