import { type RawBuilder, sql } from 'kysely'
import type { FeedbackSelection } from '#contract/inbox.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import { findSearch } from '../search.queries.ts'
import { followJoins, matchesSelection } from '../selection.queries.ts'

/**
 * A query of the ids of items that exist: of those that are given, where some are, those that match. Words stand for what
 * they find in the list, mistyped ones too.
 */
export async function selectItems(
  tx: TenantTx,
  organizationId: string,
  ids: readonly string[] | undefined,
  selection: FeedbackSelection | undefined,
): Promise<RawBuilder<unknown>> {
  const search = selection?.q === undefined ? undefined : await findSearch(tx, organizationId, selection.q)
  const joined = selection && (await followJoins(tx, organizationId, selection))
  return sql`
    select f.id from feedback f
    where f.organization_id = ${organizationId}
      ${ids ? sql`and f.id = any (${[...ids]}::uuid[])` : sql``}
      ${joined ? sql`and ${matchesSelection(joined, search?.query)}` : sql``}
  `
}
