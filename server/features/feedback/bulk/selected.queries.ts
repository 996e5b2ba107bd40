import { type RawBuilder, sql } from 'kysely'
import type { FeedbackSelection } from '#contract/inbox.ts'
import { matchesSelection } from '../selection.queries.ts'

/** A query of the ids of items that exist: of those that are given, where some are, those that match. */
export function selectItems(
  organizationId: string,
  ids: readonly string[] | undefined,
  selection: FeedbackSelection | undefined,
): RawBuilder<unknown> {
  return sql`
    select f.id from feedback f
    where f.organization_id = ${organizationId}
      ${ids ? sql`and f.id = any (${[...ids]}::uuid[])` : sql``}
      ${selection ? sql`and ${matchesSelection(selection)}` : sql``}
  `
}
