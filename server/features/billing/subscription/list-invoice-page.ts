import type { Invoice } from '#contract/billing.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { readInvoiceCursor, writeInvoiceCursor } from './invoice-cursor.ts'
import { listInvoices } from './subscription.queries.ts'

const defaultPageSize = 12

/** A page of invoices, the newest first. @throws ProductError `validation_failed` for a foreign cursor. */
export async function listInvoicePage(
  database: Database,
  actor: Actor,
  organizationId: string,
  { cursor, limit = defaultPageSize }: { cursor?: string; limit?: number },
): Promise<{ items: Invoice[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : readInvoiceCursor(cursor)
  const found = await database.withTenant(actor, (tx) => listInvoices(tx, organizationId, { after, limit: limit + 1 }))
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: found.length > limit && last ? writeInvoiceCursor(last) : null }
}
