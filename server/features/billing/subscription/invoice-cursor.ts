import { invalid } from '#server/platform/http/invalid.ts'
import type { InvoicePlace } from './subscription.queries.ts'

const shape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\S{1,255})$/

export function writeInvoiceCursor({ createdAt, id }: InvoicePlace): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is none of ours. */
export function readInvoiceCursor(cursor: string): InvoicePlace {
  const [, createdAt = '', id = ''] = shape.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id === '' || Number.isNaN(Date.parse(createdAt))) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { createdAt, id }
}
