import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ChangeNotice } from '#contract/feedback.ts'
import { followOrganization } from '#web/lib/organization-events.ts'
import { outdateItemsOf } from '../feedback-queries.ts'
import type { Filters } from '../filters/feedback-filters.ts'
import { refreshPresence } from '../item/refresh-presence.ts'
import { countsKey } from '../query-keys.ts'
import { isChangingMany } from './bulk-operations.ts'
import { bringInRows, type LiveInbox, outdateOthers, readNotices } from './read-notices.ts'

/** Notices without rows that come together are answered together. */
const gatherMs = 100
/** A colleague's change of many announces itself again and again: the list is read at most this often. */
const rereadMs = 1500
/** Counts beside filters and locations may lag this far. */
const recountMs = 2000
/** Whether changes arrive, and what to wait for where they don’t. */
export type LiveState = 'live' | 'reconnecting' | 'too_many_tabs'

/** More changed items than this are read as a list again rather than one by one. */
const maxSingleReads = 10

/**
 * Follows the organisation's feedback and brings what is new or changed into the store. `onArrived` gets the ids of
 * new items that the filters let through.
 *
 * @returns whether changes arrive at the moment.
 */
export function useLiveFeedback(
  organizationId: string,
  filters: Filters,
  onArrived: (ids: string[]) => void,
  reread: () => void,
): LiveState {
  const queryClient = useQueryClient()
  const [state, setState] = useState<LiveState>('live')
  const openInbox = useEffectEvent((): LiveInbox => ({ queryClient, organizationId, filters, reread, onArrived }))

  useEffect(() => {
    const notices = gatherNotices(queryClient, organizationId, () => openInbox())
    const unfollow = followOrganization(organizationId, {
      onEvent: (data) => {
        if (isNotice(data)) notices.add(data)
      },
      onOpen: (mayHaveMissed) => {
        setState('live')
        if (mayHaveMissed) openInbox().reread()
      },
      onLost: (refusal) => setState(refusal?.code === 'too_many_streams' ? 'too_many_tabs' : 'reconnecting'),
    })
    return () => {
      unfollow()
      notices.stop()
    }
  }, [queryClient, organizationId])

  return state
}

function isNotice(data: unknown): data is ChangeNotice {
  // Anything: each field is checked below.
  const notice = data as Partial<ChangeNotice> | null
  return typeof notice === 'object' && typeof notice?.kind === 'string' && Array.isArray(notice.ids)
}

/** Shows rows that come with notices at once, and gathers notices whose rows have to be read. */
function gatherNotices(queryClient: QueryClient, organizationId: string, openInbox: () => LiveInbox) {
  let created = new Set<string>()
  let updated = new Set<string>()
  let isEverything = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let counting: ReturnType<typeof setTimeout> | undefined
  const forget = () => {
    created = new Set()
    updated = new Set()
    isEverything = false
  }
  const recount = () => {
    counting ??= setTimeout(() => {
      counting = undefined
      void queryClient.invalidateQueries({ queryKey: countsKey(organizationId) })
    }, recountMs)
  }
  const flush = () => {
    timer = undefined
    if (!isEverything && created.size + updated.size === 0) return
    // One's own change of many shows already, and reads everything again when it is done.
    if (isChangingMany(queryClient, organizationId) && created.size === 0) return forget()
    const inbox = openInbox()
    const isMany = isEverything || created.size + updated.size > maxSingleReads
    if (isEverything || updated.size > maxSingleReads) inbox.reread()
    // What can't be read now comes with the next read of the list.
    else readNotices(inbox, [...created], [...updated]).catch(() => {})
    forget()
    // Further notices of such a change are answered together.
    if (isMany) timer = setTimeout(flush, rereadMs)
  }
  const add = (notice: ChangeNotice) => {
    const { kind, ids, items } = notice
    if (kind === 'presence') return refreshPresence(queryClient, organizationId, ids)
    if (kind === 'notifications' || kind === 'subscription.changed') return
    if (kind === 'project.deleted') {
      outdateItemsOf(queryClient, organizationId, ids)
      outdateOthers(openInbox())
      void queryClient.invalidateQueries({ queryKey: countsKey(organizationId) })
      return openInbox().reread()
    }
    recount()
    const unread = items && items.length > 0 ? bringInRows(openInbox(), notice, items) : ids
    // Above the limit, `ids` is empty: the list is read again.
    isEverything ||= ids.length === 0
    if (ids.length > 0 && unread.length === 0) return
    const target = kind === 'feedback.created' ? created : updated
    for (const id of unread) target.add(id)
    timer ??= setTimeout(flush, gatherMs)
  }
  const stop = () => {
    clearTimeout(timer)
    clearTimeout(counting)
  }
  return { add, stop }
}
