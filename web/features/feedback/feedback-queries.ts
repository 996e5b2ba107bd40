import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type FeedbackDetail, type FeedbackListItem, getFeedback } from '#contract/feedback.ts'
import type { Attachment } from '#contract/files.ts'
import { countFeedback, listFeedback } from '#contract/inbox.ts'
import { listSavedViews } from '#contract/triage.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { type Filters, toQuery } from './feedback-filters.ts'
import type { ItemPatch } from './item-change.ts'
import { type FeedbackPages, listItems, replaceItem, toListItem } from './merge-feedback.ts'
import { foresee, patchRow } from './pending-changes.ts'

const pageSize = 100

/** Everything cached of an organisation's feedback. */
export const feedbackKey = (organizationId: string) => ['feedback', organizationId] as const
/** Every cached list, whatever its filters. */
const listsKey = (organizationId: string) => [...feedbackKey(organizationId), 'list'] as const

/** Every cached count. */
export const countsKey = (organizationId: string) => [...feedbackKey(organizationId), 'counts'] as const

/** The inbox under some filters, page by page. The live feed keeps what is shown up to date. */
export function inboxQuery(organizationId: string, filters: Filters) {
  return infiniteQueryOptions({
    // A saved view's name changes nothing about what is in it.
    queryKey: [...listsKey(organizationId), { ...filters, view: '' }],
    queryFn: async ({ client, pageParam, signal }) => {
      const page = await readPage(organizationId, filters, pageParam, signal)
      return { ...page, items: bringUpToDate(client, organizationId, page.items) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // Nobody listened while the inbox was closed.
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/** One page of the inbox; the first without a cursor. */
export function readPage(organizationId: string, filters: Filters, cursor?: string, signal?: AbortSignal) {
  return call(listFeedback, {
    params: { organizationId },
    query: { ...toQuery(filters), limit: pageSize, ...(cursor !== undefined && { cursor }) },
    ...(signal && { signal }),
  })
}

/** What was decided while a page was being read stands in it: it may have been read before. */
function bringUpToDate(client: QueryClient, organizationId: string, rows: FeedbackListItem[]): FeedbackListItem[] {
  const newest = rows.map((row) => {
    const known = client.getQueryData(itemQuery(organizationId, row.id).queryKey)
    return known && known.version > row.version ? toListItem(known) : row
  })
  return foresee(client, organizationId, newest)
}

/** How much lies in each place, and in one place by value of each filter, of the chosen projects. */
export function countsQuery(organizationId: string, { place, project }: Pick<Filters, 'place' | 'project'>) {
  return queryOptions({
    queryKey: [...countsKey(organizationId), place, project],
    queryFn: ({ signal }) =>
      call(countFeedback, {
        params: { organizationId },
        query: { ...(project.length > 0 && { projectId: [...project] }), ...(place !== 'inbox' && { place }) },
        signal,
      }),
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    networkMode: 'always',
  })
}

/** Saved views: one's own and the team's, by name. */
export function viewsQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['views', organizationId],
    queryFn: ({ signal }) => call(listSavedViews, { params: { organizationId }, signal }),
    select: ({ items }) => items,
    staleTime: 30_000,
    networkMode: 'always',
  })
}

export function itemQuery(organizationId: string, feedbackId: string) {
  return queryOptions({
    queryKey: [...feedbackKey(organizationId), 'item', feedbackId],
    queryFn: ({ signal }) => call(getFeedback, { params: { organizationId, feedbackId }, signal }),
    staleTime: 30_000,
    // Files may still be on their way: looked for again while there is hope.
    refetchInterval: ({ state: { data } }) => (data?.attachments.some(isArriving) ? arrivalPollMs : false),
    networkMode: 'always',
  })
}

const arrivalPollMs = 3000
const isArriving = ({ state, createdAt }: Attachment) =>
  state === 'processing' || (state === 'pending' && Date.now() - Date.parse(createdAt) < 600_000)

/** Items of these projects are read again: whoever has one open learns that it is gone. */
export function outdateItemsOf(queryClient: QueryClient, organizationId: string, projectIds: readonly string[]): void {
  void queryClient.invalidateQueries({
    queryKey: [...feedbackKey(organizationId), 'item'],
    predicate: ({ state }) => projectIds.includes((state.data as FeedbackDetail | undefined)?.projectId ?? ''),
  })
}

/** Asking again would not bring an item back: deleted for good, with its project, or no longer for these eyes. */
export function isGone(error: Error): boolean {
  return error instanceof ApiError && [403, 404].includes(error.status)
}

/**
 * Changes what is known of an item. Once it is gone it stays so: new data would otherwise make it look as if it could be
 * read again.
 */
function changeDetail(
  queryClient: QueryClient,
  organizationId: string,
  id: string,
  change: (known: FeedbackDetail | undefined) => FeedbackDetail | undefined,
): void {
  const { queryKey } = itemQuery(organizationId, id)
  const error = queryClient.getQueryState(queryKey)?.error
  if (!error || !isGone(error)) queryClient.setQueryData(queryKey, change)
}

/**
 * Puts what the server says of an item everywhere it is shown.
 *
 * @returns false: it is an older state than the one known, and was passed over
 */
export function storeItem(queryClient: QueryClient, organizationId: string, detail: FeedbackDetail): boolean {
  const known = queryClient.getQueryData(itemQuery(organizationId, detail.id).queryKey)
  if (known && known.version > detail.version) return false
  changeDetail(queryClient, organizationId, detail.id, () => detail)
  changeRows(queryClient, organizationId, detail.id, () => toListItem(detail))
  return true
}

/** Changes an item everywhere it is shown, without asking the server. */
export function patchItem(queryClient: QueryClient, organizationId: string, id: string, patch: ItemPatch): void {
  changeDetail(queryClient, organizationId, id, (detail) => detail && { ...detail, ...patch })
  changeRows(queryClient, organizationId, id, (item) => patchRow(item, patch))
}

/** As {@link patchItem}, of many items in one go. */
export function patchItems(
  queryClient: QueryClient,
  organizationId: string,
  items: ReadonlyMap<string, FeedbackListItem>,
  makePatch: (item: FeedbackListItem) => ItemPatch,
): void {
  changeLists(queryClient, organizationId, (data) => {
    if (!listItems(data).some(({ id }) => items.has(id))) return data
    const pages = data.pages.map((page) => ({
      ...page,
      items: page.items.map((item) => (items.has(item.id) ? patchRow(item, makePatch(item)) : item)),
    }))
    return { ...data, pages }
  })
  for (const id of items.keys()) {
    changeDetail(queryClient, organizationId, id, (detail) => detail && { ...detail, ...makePatch(toListItem(detail)) })
  }
}

function changeRows(
  queryClient: QueryClient,
  organizationId: string,
  id: string,
  change: (item: FeedbackListItem) => FeedbackListItem,
): void {
  changeLists(queryClient, organizationId, (data) => replaceItem(data, id, change))
}

/** Changes every cached list. One that was outdated stays so: new data would otherwise make it look as read just now. */
function changeLists(
  queryClient: QueryClient,
  organizationId: string,
  change: (data: FeedbackPages) => FeedbackPages,
): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: listsKey(organizationId) })) {
    const data = query.state.data as FeedbackPages | undefined
    const changed = data && change(data)
    if (changed === data) continue
    const { isInvalidated } = query.state
    queryClient.setQueryData(query.queryKey, changed)
    if (isInvalidated) query.invalidate()
  }
}

/** A list that was opened while an item was on its way there is read again. */
export function rereadListsWithout(queryClient: QueryClient, organizationId: string, id: string): void {
  void queryClient.invalidateQueries({
    queryKey: listsKey(organizationId),
    type: 'active',
    predicate: ({ state }) => !listItems(state.data as FeedbackPages | undefined).some((item) => item.id === id),
  })
}

/** Lists under other filters are read again when they are next shown. */
export function outdateOtherLists(queryClient: QueryClient, organizationId: string): void {
  void queryClient.invalidateQueries({ queryKey: listsKey(organizationId), type: 'inactive', refetchType: 'none' })
}
