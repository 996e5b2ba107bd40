import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { type FeedbackNotice, getFeedback, watchFeedback } from '#contract/feedback.ts'
import { call } from '#web/lib/api.ts'
import { followEvents } from '#web/lib/events.ts'
import { type Filters, matchesLists } from './feedback-filters.ts'
import { feedbackKey, inboxQuery, itemQuery, listsKey, readPage, storeItem } from './feedback-queries.ts'
import { isContinuous, listItems, mergeItems, toListItem } from './merge-feedback.ts'
import { isChanging } from './use-feedback-change.ts'

/** Notices that come together are answered together. */
const gatherMs = 100
/** More changed items than this are read as a list again rather than one by one. */
const maxSingleReads = 10

interface Inbox {
  queryClient: QueryClient
  organizationId: string
  filters: Filters
}

/**
 * Follows the organisation's feedback and brings what is new or changed into the caches. `onArrived` gets the ids of
 * new items that the filters let through.
 *
 * @returns whether changes arrive at the moment.
 */
export function useFeedbackFeed(organizationId: string, filters: Filters, onArrived: (ids: string[]) => void): boolean {
  const queryClient = useQueryClient()
  const [isLive, setLive] = useState(true)

  const bringIn = useEffectEvent(async (created: number, updated: readonly string[]) => {
    const inbox = { queryClient, organizationId, filters }
    const [arrived] = await Promise.all([
      created > 0 ? readArrivals(inbox) : [],
      updated.length > 0 ? readUpdates(inbox, updated) : undefined,
    ])
    if (arrived.length > 0) onArrived(arrived)
  })

  useEffect(() => {
    const ending = new AbortController()
    let created = 0
    let updated = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      // What can't be read now comes with the next look at the list.
      bringIn(created, [...updated]).catch(() => {})
      created = 0
      updated = new Set()
    }
    followEvents(watchFeedback, {
      params: { organizationId },
      signal: ending.signal,
      onEvent: (data) => {
        if (!isNotice(data)) return
        if (data.kind === 'feedback.created') created += data.ids.length
        else for (const id of data.ids) updated.add(id)
        timer ??= setTimeout(flush, gatherMs)
      },
      onOpen: (isReconnect) => {
        setLive(true)
        if (isReconnect) void queryClient.invalidateQueries({ queryKey: feedbackKey(organizationId) })
      },
      onLost: () => setLive(false),
    }).catch(() => setLive(false))
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [queryClient, organizationId])

  return isLive
}

function isNotice(data: unknown): data is FeedbackNotice {
  const notice = data as Partial<FeedbackNotice> | null
  return typeof notice === 'object' && typeof notice?.kind === 'string' && Array.isArray(notice.ids)
}

/** Reads the top of the list and merges it. Answers the ids that were not there before. */
async function readArrivals({ queryClient, organizationId, filters }: Inbox): Promise<string[]> {
  const { queryKey } = inboxQuery(organizationId, filters)
  outdateOtherLists(queryClient, organizationId)
  void queryClient.invalidateQueries({ queryKey: ['projects', organizationId], refetchType: 'none' })
  const head = await readPage(organizationId, filters)
  const data = queryClient.getQueryData(queryKey)
  if (!data || queryClient.isFetching({ queryKey }) > 0 || !isContinuous(data, head)) {
    await queryClient.invalidateQueries({ queryKey })
    return []
  }
  const known = new Set(listItems(data).map(({ id }) => id))
  const arrived = head.items.filter(({ id }) => !known.has(id))
  queryClient.setQueryData(queryKey, mergeItems(data, arrived))
  return arrived.map(({ id }) => id)
}

/** Reads changed items and shows them; one that the filters now let through joins the list. */
async function readUpdates({ queryClient, organizationId, filters }: Inbox, ids: readonly string[]): Promise<void> {
  const { queryKey } = inboxQuery(organizationId, filters)
  if (ids.length > maxSingleReads) {
    await queryClient.invalidateQueries({ queryKey: feedbackKey(organizationId) })
    return
  }
  outdateOtherLists(queryClient, organizationId)
  await Promise.all(
    ids.map(async (id) => {
      if (isChanging(queryClient, organizationId, id)) return
      const detail = await call(getFeedback, { params: { organizationId, feedbackId: id } })
      if (isChanging(queryClient, organizationId, id)) return
      storeItem(queryClient, organizationId, detail)
      // Whether it holds the words looked for, only the server knows.
      if (filters.q !== '' || !matchesLists(detail, filters)) return
      queryClient.setQueryData(queryKey, (data) => data && mergeItems(data, [toListItem(detail)]))
    }),
  )
}

/** Lists under other filters are read again when they are next shown. */
function outdateOtherLists(queryClient: QueryClient, organizationId: string): void {
  void queryClient.invalidateQueries({ queryKey: listsKey(organizationId), type: 'inactive', refetchType: 'none' })
}

/** Starts reading an item that is likely to be opened next. */
export function prefetchItem(queryClient: QueryClient, organizationId: string, id: string): void {
  void queryClient.prefetchQuery({ ...itemQuery(organizationId, id), retry: false })
}
