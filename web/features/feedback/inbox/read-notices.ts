import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { ChangeNotice, FeedbackListItem } from '#contract/feedback.ts'
import { inboxQuery, outdateOtherLists, readPage } from '../feedback-queries.ts'
import { readItem, storeOf } from '../feedback-store.ts'
import type { Filters } from '../filters/feedback-filters.ts'
import { itemKey } from '../query-keys.ts'
import { leavesGap } from '../store/places.ts'
import { selectRows } from '../store/select-rows.ts'

/** More new items than this are read as a list again rather than one by one. */
const maxSingleReads = 10

export interface LiveInbox {
  queryClient: QueryClient
  organizationId: string
  filters: Filters
  /** Reads the list in view again. */
  reread: () => void
  /** Called with new items that are in the list in view. */
  onArrived: (ids: string[]) => void
}

export function outdateOthers({ queryClient, organizationId }: LiveInbox): void {
  outdateOtherLists(queryClient, organizationId)
}

/**
 * Shows the rows of a notice.
 * @returns ids that have to be read: items that came without a row, or new ones whose words only the server can search
 */
export function bringInRows(
  inbox: LiveInbox,
  { kind, ids }: ChangeNotice,
  rows: readonly FeedbackListItem[],
): readonly string[] {
  const { queryClient, organizationId, filters } = inbox
  outdateOthers(inbox)
  if (kind === 'feedback.created') outdateProjects(inbox)
  const shown = listShownIds(inbox)
  storeOf(queryClient, organizationId).dispatch({ type: 'rows announced', rows })
  // The history and conversation of an open item are newer too.
  for (const { id } of rows) void queryClient.invalidateQueries({ queryKey: itemKey(organizationId, id) })
  if (kind === 'feedback.created') tellArrivals(inbox, ids, shown)
  if (kind === 'feedback.created' && filters.q !== '') return ids
  const withRow = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !withRow.has(id))
}

/** Reads the items of notices that came without rows. */
export async function readNotices(
  inbox: LiveInbox,
  created: readonly string[],
  updated: readonly string[],
): Promise<void> {
  outdateOthers(inbox)
  await Promise.all([created.length > 0 ? readArrivals(inbox, created) : undefined, readItems(inbox, updated)])
}

async function readItems({ queryClient, organizationId }: LiveInbox, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => readItem(queryClient, organizationId, id)))
}

/** Reads the top of the list, where new items are; in an order where they are not, the items themselves. */
async function readArrivals(inbox: LiveInbox, ids: readonly string[]): Promise<void> {
  const { queryClient, organizationId, filters, reread } = inbox
  outdateProjects(inbox)
  const shown = listShownIds(inbox)
  if (!isNewestFirst(filters)) {
    if (ids.length > maxSingleReads || filters.q !== '') return reread()
    return readItems(inbox, ids)
  }
  const { queryKey } = inboxQuery(organizationId, filters)
  const { lists, items: known } = storeOf(queryClient, organizationId).getState()
  const top = lists.get(hashKey(queryKey))?.places[0]
  const { end } = await readPage(queryClient, organizationId, filters)
  const isFetching = queryClient.isFetching({ queryKey }) > 0
  const hasGap = leavesGap(top, end, filters.sort)
  if (isFetching || hasGap || queryClient.getQueryData(queryKey) === undefined) return reread()
  // The page may contain items whose notices are still on their way.
  const unannounced = [...listShownIds(inbox)].filter((id) => !known.has(id) && !ids.includes(id))
  tellArrivals(inbox, [...ids, ...unannounced], shown)
}

function outdateProjects({ queryClient, organizationId }: LiveInbox): void {
  void queryClient.invalidateQueries({ queryKey: ['projects', organizationId], refetchType: 'none' })
}

const isNewestFirst = ({ sort }: Filters) => sort === 'newest' || sort === 'updated'

/** Tells of new items at the top. In another order they stand anywhere. */
function tellArrivals(inbox: LiveInbox, ids: readonly string[], before: ReadonlySet<string>): void {
  if (!isNewestFirst(inbox.filters)) return
  const shown = listShownIds(inbox)
  const arrived = ids.filter((id) => shown.has(id) && !before.has(id))
  if (arrived.length > 0) inbox.onArrived(arrived)
}

function listShownIds({ queryClient, organizationId, filters }: LiveInbox): ReadonlySet<string> {
  const { queryKey } = inboxQuery(organizationId, filters)
  const end = queryClient.getQueryData(queryKey)?.pages.at(-1)?.end
  if (end === undefined) return new Set()
  const state = storeOf(queryClient, organizationId).getState()
  const rows = selectRows(state, hashKey(queryKey), end, undefined, new Date())
  return new Set(rows.map(({ id }) => id))
}
