import {
  hashKey,
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import { type FeedbackDetail, getFeedback } from '#contract/feedback.ts'
import type { Attachment } from '#contract/files.ts'
import { countFeedback, countMatches, listFeedback } from '#contract/inbox.ts'
import { call } from '#web/lib/api.ts'
import { awaitEvents } from '#web/lib/organization-events.ts'
import { isItemGone, storeOf } from './feedback-store.ts'
import { type Filters, toQuery, toSelection } from './filters/feedback-filters.ts'
import { countsKey, itemKey, itemsKey, listsKey } from './query-keys.ts'
import { toListItem } from './store/show-detail.ts'
import { type SortKey, toSortKey } from './store/sort-items.ts'

const pageSize = 100

/** What a page of a list leaves in the cache; its rows are in the store. */
export interface ListPage {
  /** The list's key in the store. */
  list: string
  count: number
  /** The last row that was read; null: the end of the list. */
  end: SortKey | null
  nextCursor: string | null
  similarWords: Record<string, string[]>
}

export type ListPages = InfiniteData<ListPage, PageStart | undefined>

export interface PageStart {
  cursor: string
  /** The last row of the page before. */
  after: SortKey | undefined
}

const listKeyOf = (organizationId: string, filters: Filters) =>
  // A saved view's name changes nothing about what is in it, nor do groups, which are lists of their own.
  [...listsKey(organizationId), { ...filters, view: '', group: 'none' }] as const

/** The inbox under some filters, page by page. Live events keep what is shown up to date. */
export function inboxQuery(organizationId: string, filters: Filters) {
  return infiniteQueryOptions({
    queryKey: listKeyOf(organizationId, filters),
    queryFn: async ({ client, pageParam, signal }) => {
      await awaitEvents(organizationId)
      return readPage(client, organizationId, filters, pageParam, signal)
    },
    // TanStack Query infers the type of page parameters from the first.
    initialPageParam: undefined as PageStart | undefined,
    getNextPageParam: ({ nextCursor, end }) =>
      nextCursor === null ? undefined : { cursor: nextCursor, after: end ?? undefined },
    // Nothing was followed while the inbox was closed.
    refetchOnMount: 'always',
    networkMode: 'always',
  })
}

/**
 * Reads one page of the inbox into the store; the first without a start.
 *
 * @param list the list's key in the store.
 */
export async function readPage(
  queryClient: QueryClient,
  organizationId: string,
  filters: Filters,
  start?: PageStart,
  signal?: AbortSignal,
  list = hashKey(listKeyOf(organizationId, filters)),
): Promise<ListPage> {
  const store = storeOf(queryClient, organizationId)
  const requestedAt = store.requestTime()
  const { items, nextCursor, similarWords } = await call(listFeedback, {
    params: { organizationId },
    query: { ...toQuery(filters), limit: pageSize, ...(start && { cursor: start.cursor }) },
    ...(signal && { signal }),
  })
  const isLast = nextCursor === null
  store.dispatch({ type: 'page read', list, filters, rows: items, after: start?.after, isLast, requestedAt })
  const last = items.at(-1)
  const end = isLast ? null : last ? toSortKey(last) : (start?.after ?? null)
  return { list, count: items.length, end, nextCursor, similarWords }
}

/** How many items are in each location, and in one location and stage by value of each filter, of the selected projects. */
export function countsQuery(
  organizationId: string,
  { location, stage, project }: Pick<Filters, 'location' | 'stage' | 'project'>,
) {
  return queryOptions({
    queryKey: [...countsKey(organizationId), location, stage, project],
    queryFn: async ({ signal }) => {
      await awaitEvents(organizationId)
      return call(countFeedback, {
        params: { organizationId },
        query: {
          ...(project.length > 0 && { projectId: [...project] }),
          ...(location !== 'inbox' && { location }),
          ...(stage !== 'all' && { stage }),
        },
        signal,
      })
    },
    staleTime: 10_000,
    placeholderData: keepPreviousData,
    networkMode: 'always',
  })
}

/** How many items the filters let through, at most `matchLimit`. */
export function matchesQuery(organizationId: string, filters: Filters) {
  return queryOptions({
    // Under the key of the counts: live changes outdate both.
    queryKey: [...countsKey(organizationId), 'matches', { ...filters, view: '', sort: 'newest', group: 'none' }],
    queryFn: ({ signal }) => call(countMatches, { params: { organizationId }, query: toSelection(filters), signal }),
    staleTime: 10_000,
    networkMode: 'always',
  })
}

/** The whole item as the server says it; `useItem` shows it with newer rows and pending changes. */
export function itemQuery(organizationId: string, feedbackId: string) {
  return queryOptions({
    queryKey: itemKey(organizationId, feedbackId),
    queryFn: async ({ client, signal }) => {
      await awaitEvents(organizationId)
      return readWholeItem(client, organizationId, feedbackId, signal)
    },
    staleTime: 30_000,
    // Uploads may still be running: read again for as long as they can succeed.
    refetchInterval: ({ state: { data } }) => (data?.attachments.some(isArriving) ? arrivalPollMs : false),
    networkMode: 'always',
  })
}

async function readWholeItem(
  queryClient: QueryClient,
  organizationId: string,
  feedbackId: string,
  signal: AbortSignal,
): Promise<FeedbackDetail> {
  const store = storeOf(queryClient, organizationId)
  const read = async () => {
    const requestedAt = store.requestTime()
    try {
      const detail = await call(getFeedback, { params: { organizationId, feedbackId }, signal })
      store.dispatch({ type: 'item read', row: toListItem(detail), requestedAt })
      return detail
    } catch (error) {
      if (isItemGone(error)) store.dispatch({ type: 'item gone', id: feedbackId, requestedAt })
      throw error
    }
  }
  const detail = await read()
  const known = store.getState().items.get(feedbackId)?.row
  // Changed while it was read: its history and closed reason are outdated.
  return known && known.version > detail.version ? read() : detail
}

const arrivalPollMs = 3000
const isArriving = ({ state, createdAt }: Attachment) =>
  state === 'processing' || (state === 'pending' && Date.now() - Date.parse(createdAt) < 600_000)

/** Starts reading an item that is likely to be opened next. */
export function prefetchItem(queryClient: QueryClient, organizationId: string, id: string): void {
  void queryClient.prefetchQuery({ ...itemQuery(organizationId, id), retry: false })
}

/** Items of these projects are read again: who has one open learns that it is gone. */
export function outdateItemsOf(queryClient: QueryClient, organizationId: string, projectIds: readonly string[]): void {
  void queryClient.invalidateQueries({
    queryKey: itemsKey(organizationId),
    // Under this key there are only details of items.
    predicate: ({ state }) => projectIds.includes((state.data as FeedbackDetail | undefined)?.projectId ?? ''),
  })
}

/** Lists under other filters are read again when they are next shown. */
export function outdateOtherLists(queryClient: QueryClient, organizationId: string): void {
  void queryClient.invalidateQueries({ queryKey: listsKey(organizationId), type: 'inactive', refetchType: 'none' })
}

/** Reads a shown search again: whether a moved item contains its words, only the server knows. */
export function rereadSearch(queryClient: QueryClient, organizationId: string): void {
  void queryClient.invalidateQueries({
    queryKey: listsKey(organizationId),
    type: 'active',
    // Keys of lists end in their filters.
    predicate: ({ queryKey }) => (queryKey.at(-1) as Filters | undefined)?.q !== '',
  })
}

/** The pages up to the one with the row at `index`: rows out of sight are read again when they are scrolled to. */
export function trimPages(data: ListPages, index: number): ListPages {
  let count = 0
  const last = data.pages.findIndex((page) => {
    count += page.count
    return index < count
  })
  if (last === -1 || last === data.pages.length - 1) return data
  return { pages: data.pages.slice(0, last + 1), pageParams: data.pageParams.slice(0, last + 1) }
}
