import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BulkChange } from '#contract/bulk.ts'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { itemQuery } from '../feedback-queries.ts'
import { type Filters, toSelection } from '../filters/feedback-filters.ts'
import { type ChangedItem, type ItemChange, isMove } from '../item/item-change.ts'
import { markReadAndTell } from '../item/mark-read.ts'
import { useFeedbackChange } from '../item/use-feedback-change.ts'
import type { BulkProgress } from './bulk-operations.ts'
import { useBulkChange } from './use-bulk-change.ts'
import type { Selection } from './use-selection.ts'

interface Subject {
  organizationId: string
  filters: Filters
  /** The open item, or the one that the keyboard stands on. */
  current: FeedbackListItem | undefined
  selection: Selection
  /** Called before an item leaves the list, to move on to the next. */
  onLeave: (item: FeedbackListItem) => void
  /** Called before items are marked as unread. */
  onUnread: () => void
  reread: () => void
}

/** Changes what is chosen, or else the current item. */
export function useItemActions(subject: Subject) {
  const { organizationId, filters, current, selection, onLeave, onUnread, reread } = subject
  const queryClient = useQueryClient()
  const changeItem = useFeedbackChange(organizationId)
  const [isPickingTime, setPickingTime] = useState(false)
  const bulk = useBulkChange(organizationId, reread)
  const [issuesProgress, setIssuesProgress] = useState<BulkProgress>()

  const changeOne = (item: ChangedItem, change: ItemChange) => {
    if (change.viewed !== undefined) {
      if (!change.viewed) onUnread()
      return markReadAndTell(queryClient, organizationId, item, change.viewed)
    }
    if (isMove(change)) onLeave(item)
    changeItem(item, change)
  }
  const changeChosen = (change: BulkChange) => {
    const { items, isEverything } = selection
    if (change.viewed === false) onUnread()
    bulk.start({ items, selection: isEverything ? toSelection(filters) : undefined }, change)
    if (isMove(change) || isEverything) selection.clear()
  }
  /** Whatever would be acted on: the chosen, or else the current item. */
  const change = (change: ItemChange) => {
    if (selection.items.length > 0) {
      const { closedReason, tags: _, ...rest } = change
      changeChosen({ ...rest, ...(closedReason && { closedReason }) })
    } else if (current) {
      const detail = queryClient.getQueryData(itemQuery(organizationId, current.id).queryKey)
      changeOne({ ...current, ...(detail && { closedReason: detail.closedReason }) }, change)
    }
  }
  const location = selection.items[0]?.location ?? current?.location
  return {
    changeOne,
    changeChosen,
    change,
    bulk,
    /** How far the creation of issues for many items is. */
    issuesProgress,
    setIssuesProgress,
    /** Whether a person is asked until when to snooze. */
    isPickingTime,
    setPickingTime,
    /** Away from where it lies: out of the inbox, or back into it. */
    moveOn: () => {
      if (location === 'trash') change({ deleted: false })
      else if (location === 'spam') change({ spam: false })
      else if (location === 'snoozed') change({ snoozedUntil: null })
      else if (location === 'inbox' || location === 'archived') change({ archived: location === 'inbox' })
    },
    toggleSpam: () => location !== 'trash' && change({ spam: location !== 'spam' }),
    remove: () => location !== 'trash' && change({ deleted: true }),
    /** Read, or unread if all of it is read already. */
    toggleRead: () => {
      const items = selection.items.length > 0 ? selection.items : current ? [current] : []
      change({ viewed: items.some(({ unread }) => unread) })
    },
  }
}
