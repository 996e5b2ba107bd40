import { type RawBuilder, sql } from 'kysely'
import { doneStatuses, openStatuses } from '#contract/feedback.ts'
import { defaultLocation } from '#contract/filters.ts'
import {
  type FeedbackSelection,
  type InboxGrouping,
  type InboxStage,
  inboxStages,
  matchLimit,
} from '#contract/inbox.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import { countFeedbackBy } from './counts.queries.ts'
import { toFacetTokens } from './facet-tokens.queries.ts'
import { exceptionsPage, numberedPage } from './inbox-page.queries.ts'
import { readItemNumber } from './search-query.ts'
import { followJoins } from './selection.queries.ts'

interface Group {
  readonly value: string
  readonly n: number
}

interface GroupedQuery {
  readonly selection: FeedbackSelection
  readonly searchQuery: string | undefined
  readonly by: InboxGrouping
  readonly timeZone: string
}

/** The value of an item `f`; as in app.count_groups. */
const values: Readonly<Record<InboxGrouping, (timeZone: string) => RawBuilder<string>>> = {
  status: () => sql`f.status`,
  priority: () => sql`f.priority`,
  type: () => sql`f.type`,
  assignee: () => sql`coalesce(f.assignee_user_id::text, 'none')`,
  project: () => sql`f.project_id::text`,
  day: (timeZone) => sql`to_char(f.created_at at time zone ${timeZone}, 'YYYY-MM-DD')`,
}

/**
 * Counts a selection by the values that its list is grouped by. Without other filters than projects and a stage, the
 * counts are sums that are kept, however many items there are; otherwise items are counted, up to `matchLimit`.
 */
export async function countGroups(
  tx: TenantTx,
  organizationId: string,
  query: GroupedQuery,
): Promise<{ groups: { value: string; count: number }[]; isComplete: boolean }> {
  const { by, selection } = query
  const summed = findSummed(selection)
  if (by !== 'day' && summed) {
    const counts = (await countFeedbackBy(tx, organizationId, summed))[by]
    const asked = selection.projectId?.map((id) => id.toLowerCase())
    const isAsked = (value: string) => by !== 'project' || !asked || asked.includes(value)
    const groups = Object.entries(counts).map(([value, count]) => ({ value, count }))
    return { groups: groups.filter(({ value }) => isAsked(value)), isComplete: true }
  }
  const sums = new Map<string, number>()
  for (const { value, n } of await readGroups(tx, organizationId, query)) sums.set(value, (sums.get(value) ?? 0) + n)
  const groups = [...sums].map(([value, count]) => ({ value, count }))
  return { groups, isComplete: groups.reduce((total, { count }) => total + count, 0) < matchLimit }
}

/** The selection as sums are asked for; undefined if it has filters that they don't know. */
function findSummed({ location = defaultLocation, projectId, status, ...others }: FeedbackSelection) {
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  const stage = status && inboxStages.find((each) => isStage(each, status))
  if (status && (stage === undefined || location !== 'inbox')) return undefined
  return { location, stage, projectIds: projectId }
}

function isStage(stage: InboxStage, statuses: readonly string[]): boolean {
  const own: readonly string[] = stage === 'open' ? openStatuses : doneStatuses
  return own.length === new Set(statuses).size && own.every((status) => statuses.includes(status))
}

async function readGroups(tx: TenantTx, organizationId: string, query: GroupedQuery): Promise<readonly Group[]> {
  const { searchQuery, by, timeZone } = query
  const selection = await followJoins(tx, organizationId, query.selection)
  const countPage = async (page: RawBuilder<unknown>) => {
    const { rows } = await sql<Group>`
      select ${values[by](timeZone)} as value, count(*)::integer as n
      from (${page}) as page
      join feedback f on f.organization_id = ${organizationId} and f.id = page.id
      group by 1
    `.execute(tx)
    return rows
  }
  const number = readItemNumber(selection.q)
  if (number !== undefined) {
    const own = { selection, searchQuery: undefined, sort: 'newest', after: undefined, limit: matchLimit } as const
    return countPage(numberedPage(organizationId, own, number))
  }
  const { rows } = await sql<Group>`
    select value, n::integer as n from app.count_groups(
      ${organizationId}, ${selection.location ?? defaultLocation}, ${selection.projectId ?? null},
      ${JSON.stringify(await toFacetTokens(tx, selection))}, ${searchQuery ?? null}, ${selection.from ?? null},
      ${selection.to ?? null}, ${selection.unread ?? false}, ${by}, ${timeZone}, ${matchLimit})
  `.execute(tx)
  if (!selection.unread) return rows
  const exceptions = exceptionsPage(organizationId, { selection, searchQuery, order: 'newest', limit: matchLimit })
  return [...rows, ...(await countPage(exceptions))]
}
