import { sql } from 'kysely'
import type { FeedbackSelection } from '#contract/inbox.ts'
import type { TenantTx } from '#server/platform/database/database.ts'

const ratings = [1, 2, 3, 4, 5].map((rating) => `r${rating}`)

/**
 * What an item must show to belong to a selection: one sign of each group, as column `facets` holds them. Place, dates
 * and words are asked for apart.
 */
export async function toSigns(tx: TenantTx, selection: FeedbackSelection): Promise<string[][]> {
  const { projectId, status, priority, type, source, media, rating, tag, assignee, unread, visitor } = selection
  const groups: string[][] = []
  const add = (sign: string, values: readonly (string | number)[] | undefined) => {
    if (values) groups.push([...new Set(values)].map((value) => `${sign}${value}`))
  }
  add(
    'j',
    projectId?.map((id) => id.toLowerCase()),
  )
  add('s', status)
  add('p', priority)
  add('k', type)
  add('o', source)
  // Whoever rated gave one of five; that needs no sign of its own.
  if (media) groups.push([...new Set(media)].flatMap((kind) => (kind === 'rating' ? ratings : [`m${kind}`])))
  add('r', rating)
  add(
    'a',
    assignee?.map((id) => id.toLowerCase()),
  )
  if (unread) groups.push(['unread'])
  if (!tag && visitor === undefined) return groups
  // Letter case is the database's business: its rules made the signs.
  const { rows } = await sql<{ tags: string[] | null; visitor: string | null }>`
    select array(select lower(t.tag) from unnest(${tag ?? []}::text[]) as t (tag)) as tags, lower(${visitor ?? null}) as visitor
  `.execute(tx)
  if (tag) add('t', rows[0]?.tags ?? [])
  if (visitor !== undefined) groups.push([`v${visitor}`, `e${rows[0]?.visitor ?? ''}`])
  return groups
}
