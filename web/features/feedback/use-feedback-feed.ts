import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { type FeedbackDetail, type FeedbackNotice, getFeedback } from '#contract/feedback.ts'
import { ApiError, call } from '#web/lib/api.ts'
import { followOrganization } from '#web/lib/organization-events.ts'
import type { Filters } from './feedback-filters.ts'
import {
  countsKey,
  inboxQuery,
  itemQuery,
  outdateItemsOf,
  outdateOtherLists,
  readPage,
  storeItem,
} from './feedback-queries.ts'
import { matchesLists } from './match-filters.ts'
import { isContinuous, listItems, mergeItems, toListItem } from './merge-feedback.ts'
import { isChangingMany, isOutrun } from './pending-changes.ts'
import { refreshPresence } from './presence.tsx'

/** Notices that come together are answered together. */
const gatherMs = 100
/** More changed items than this are read as a list again rather than one by one. */
const maxSingleReads = 10
/** A colleague's change of many tells of itself again and again: the list is read at most this often. */
const rereadMs = 1500
/** Numbers beside filters and places may lag this far. */
const recountMs = 2000

interface Inbox {
  queryClient: QueryClient
  organizationId: string
  filters: Filters
  /** Reads the list in view again. */
  reread: () => void
}

/**
 * Follows the organisation's feedback and brings what is new or changed into the caches. `onArrived` gets the ids of
 * new items that the filters let through.
 *
 * @returns whether changes arrive at the moment.
 */
export function useFeedbackFeed(
  organizationId: string,
  filters: Filters,
  onArrived: (ids: string[]) => void,
  reread: () => void,
): boolean {
  const queryClient = useQueryClient()
  const [isLive, setLive] = useState(true)

  const bringIn = useEffectEvent(async (created: readonly string[], updated: readonly string[]) => {
    const inbox = { queryClient, organizationId, filters, reread }
    const [arrived] = await Promise.all([
      created.length > 0 ? readArrivals(inbox, created) : [],
      updated.length > 0 ? readUpdates(inbox, updated) : undefined,
    ])
    if (arrived.length > 0) onArrived(arrived)
  })

  const catchUp = useEffectEvent(reread)

  useEffect(() => {
    let created = new Set<string>()
    let updated = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isEverything = false
    let counting: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      // One's own change of many shows already, and reads everything again when it is done.
      if (isChangingMany(queryClient, organizationId) && created.size === 0) {
        updated = new Set()
        isEverything = false
        return
      }
      const isMany = isEverything || updated.size > maxSingleReads
      // What can't be read now comes with the next look at the list.
      if (isEverything) catchUp()
      else bringIn([...created], [...updated]).catch(() => {})
      created = new Set()
      updated = new Set()
      isEverything = false
      // Whatever else such a change says in the meantime is answered together.
      if (isMany) timer = setTimeout(rest, rereadMs)
      counting ??= setTimeout(() => {
        counting = undefined
        void queryClient.invalidateQueries({ queryKey: countsKey(organizationId) })
      }, recountMs)
    }
    const rest = () => {
      timer = undefined
      if (isEverything || created.size + updated.size > 0) flush()
    }
    const unfollow = followOrganization(organizationId, {
      onEvent: (data) => {
        if (!isNotice(data)) return
        if (data.kind === 'presence') return refreshPresence(queryClient, organizationId, data.ids)
        if (data.kind === 'notices') return
        if (data.kind === 'project.deleted') {
          outdateItemsOf(queryClient, organizationId, data.ids)
          outdateOtherLists(queryClient, organizationId)
          void queryClient.invalidateQueries({ queryKey: countsKey(organizationId) })
          return catchUp()
        }
        const target = data.kind === 'feedback.created' ? created : updated
        // None named: too many to name.
        isEverything ||= data.ids.length === 0
        for (const id of data.ids) target.add(id)
        timer ??= setTimeout(flush, gatherMs)
      },
      onOpen: (mayHaveMissed) => {
        setLive(true)
        if (mayHaveMissed) catchUp()
      },
      onLost: () => setLive(false),
    })
    return () => {
      unfollow()
      clearTimeout(timer)
      clearTimeout(counting)
    }
  }, [queryClient, organizationId])

  return isLive
}

function isNotice(data: unknown): data is FeedbackNotice {
  const notice = data as Partial<FeedbackNotice> | null
  return typeof notice === 'object' && typeof notice?.kind === 'string' && Array.isArray(notice.ids)
}

/** Reads the top of the list and merges it. Answers the ids that were not there before. */
async function readArrivals(inbox: Inbox, ids: readonly string[]): Promise<string[]> {
  const { queryClient, organizationId, filters, reread } = inbox
  const { queryKey } = inboxQuery(organizationId, filters)
  outdateOtherLists(queryClient, organizationId)
  void queryClient.invalidateQueries({ queryKey: ['projects', organizationId], refetchType: 'none' })
  // In this order what is new doesn't stand at the top.
  if (filters.sort === 'oldest' || filters.sort === 'priority') return readNew(inbox, ids)
  const readAt = Date.now()
  const head = await readPage(organizationId, filters)
  const data = queryClient.getQueryData(queryKey)
  if (!data || queryClient.isFetching({ queryKey }) > 0 || !isContinuous(data, head, filters.sort)) {
    reread()
    return []
  }
  const known = new Set(listItems(data).map(({ id }) => id))
  // What has only just come was never here to be changed.
  const isNew = (id: string) => ids.includes(id) || !isOutrun(queryClient, organizationId, id, readAt)
  const arrived = head.items.filter(({ id }) => !known.has(id) && isNew(id))
  queryClient.setQueryData(queryKey, mergeItems(data, arrived, filters.sort))
  return arrived.map(({ id }) => id)
}

/** New items one by one, put where they belong as far as that part of the list is loaded. */
async function readNew(inbox: Inbox, ids: readonly string[]): Promise<string[]> {
  if (ids.length > maxSingleReads || inbox.filters.q !== '') {
    inbox.reread()
    return []
  }
  await readUpdates(inbox, ids)
  return []
}

/** Reads changed items and shows them; one that the filters now let through joins the list. */
async function readUpdates(inbox: Inbox, ids: readonly string[]): Promise<void> {
  const { queryClient, organizationId, filters } = inbox
  const { queryKey } = inboxQuery(organizationId, filters)
  if (ids.length > maxSingleReads) {
    inbox.reread()
    return
  }
  outdateOtherLists(queryClient, organizationId)
  await Promise.all(
    ids.map(async (id) => {
      const readAt = Date.now()
      if (isOutrun(queryClient, organizationId, id)) return
      const detail = await findItem(organizationId, id)
      if (isOutrun(queryClient, organizationId, id, readAt)) return
      if (!detail) {
        // Gone for good: its row goes with the next look, and whoever has it open is told.
        await queryClient.invalidateQueries({ queryKey: itemQuery(organizationId, id).queryKey })
        return inbox.reread()
      }
      if (!storeItem(queryClient, organizationId, detail)) return
      // Whether it holds the words looked for, only the server knows.
      if (filters.q !== '' || !matchesLists(toListItem(detail), filters)) return
      queryClient.setQueryData(queryKey, (data) => data && mergeItems(data, [toListItem(detail)], filters.sort))
    }),
  )
}

async function findItem(organizationId: string, feedbackId: string): Promise<FeedbackDetail | undefined> {
  try {
    return await call(getFeedback, { params: { organizationId, feedbackId } })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** Starts reading an item that is likely to be opened next. */
export function prefetchItem(queryClient: QueryClient, organizationId: string, id: string): void {
  void queryClient.prefetchQuery({ ...itemQuery(organizationId, id), retry: false })
}
