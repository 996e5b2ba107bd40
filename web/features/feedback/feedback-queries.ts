import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type FeedbackDetail, type FeedbackListItem, getFeedback } from '#contract/feedback.ts'
import type { Attachment } from '#contract/files.ts'
import { listFeedback } from '#contract/inbox.ts'
import { call } from '#web/lib/api.ts'
import { type Filters, toQuery } from './feedback-filters.ts'
import { type FeedbackPages, replaceItem, toListItem } from './merge-feedback.ts'

const pageSize = 50

/** Everything cached of an organisation's feedback. */
export const feedbackKey = (organizationId: string) => ['feedback', organizationId] as const
/** Every cached list, whatever its filters. */
export const listsKey = (organizationId: string) => [...feedbackKey(organizationId), 'list'] as const

/** The inbox under some filters, newest first, page by page. The live feed keeps what is shown up to date. */
export function inboxQuery(organizationId: string, filters: Filters) {
  return infiniteQueryOptions({
    queryKey: [...listsKey(organizationId), filters],
    queryFn: ({ pageParam, signal }) => readPage(organizationId, filters, pageParam, signal),
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

/** Puts what the server says of an item everywhere it is shown. An older state than the one known is passed over. */
export function storeItem(queryClient: QueryClient, organizationId: string, detail: FeedbackDetail): void {
  const { queryKey } = itemQuery(organizationId, detail.id)
  const known = queryClient.getQueryData(queryKey)
  if (known && known.version > detail.version) return
  queryClient.setQueryData(queryKey, detail)
  changeRows(queryClient, organizationId, detail.id, () => toListItem(detail))
}

/** What can be shown before the server has said yes. */
export type ItemPatch = Partial<
  Pick<FeedbackDetail, 'status' | 'priority' | 'closedReason' | 'firstViewedAt' | 'spamReason'>
>

/** Changes an item everywhere it is shown, without asking the server. */
export function patchItem(queryClient: QueryClient, organizationId: string, id: string, patch: ItemPatch): void {
  const { queryKey } = itemQuery(organizationId, id)
  queryClient.setQueryData(queryKey, (detail) => detail && { ...detail, ...patch })
  const { closedReason: _, ...rowPatch } = patch
  changeRows(queryClient, organizationId, id, (item) => ({ ...item, ...rowPatch }))
}

function changeRows(
  queryClient: QueryClient,
  organizationId: string,
  id: string,
  change: (item: FeedbackListItem) => FeedbackListItem,
): void {
  queryClient.setQueriesData<FeedbackPages>(
    { queryKey: listsKey(organizationId) },
    (data) => data && replaceItem(data, id, change),
  )
}
