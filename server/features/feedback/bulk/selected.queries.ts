import { type RawBuilder, sql } from 'kysely'
import type { FeedbackSelection } from '#contract/inbox.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import { matchesSelection } from '../selection.queries.ts'

/** A query of the ids of all items that match a selection, as the list shows them. */
export async function findSelectedIds(
  _tx: TenantTx,
  organizationId: string,
  selection: FeedbackSelection,
): Promise<RawBuilder<unknown>> {
  return sql`
    select f.id from feedback f where f.organization_id = ${organizationId} and ${matchesSelection(selection)}
  `
}
