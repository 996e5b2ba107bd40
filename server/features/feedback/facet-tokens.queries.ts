import { sql } from 'kysely'
import { toTokenGroups } from '#contract/filters.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { JoinedSelection } from './selection.queries.ts'

/**
 * Facet tokens that an item of a selection has: one of each group, as column `feedback.facets` contains them. Location,
 * times and words are asked for apart.
 */
export async function toFacetTokens(tx: TenantTx, selection: JoinedSelection): Promise<string[][]> {
  const texts = new Set<string>()
  const groups = toTokenGroups(selection, (text) => {
    texts.add(text)
    return text
  })
  if (texts.size === 0) return groups
  // The database made the items' tokens by the letter case rules of its own locale.
  const { rows } = await sql<{ text: string; lower: string }>`
    select t.text, lower(t.text) as lower from unnest(${[...texts]}::text[]) as t (text)
  `.execute(tx)
  const lower = new Map(rows.map((row) => [row.text, row.lower]))
  return toTokenGroups(selection, (text) => lower.get(text) ?? text)
}
