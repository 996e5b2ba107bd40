import { useQueryClient } from '@tanstack/react-query'
import type { FeedbackListItem } from '#contract/feedback.ts'
import type { BulkChange } from '#contract/triage.ts'
import { type Filters, toSelection } from './feedback-filters.ts'
import { itemQuery } from './feedback-queries.ts'
import { type ChangedItem, type ItemChange, isMove } from './item-change.ts'
import { useBulkChange } from './use-bulk-change.ts'
import { useFeedbackChange } from './use-feedback-change.ts'
import type { Selection } from './use-selection.ts'

interface Subject {
  organizationId: string
  filters: Filters
  /** The open item, or the one that the keyboard stands on. */
  current: FeedbackListItem | undefined
  selection: Selection
  /** Called before an item leaves the list: whoever works through it goes on with the next. */
  onLeave: (item: FeedbackListItem) => void
  reread: () => void
}

/** Changes what is chosen, or else the current item. */
export function useItemActions({ organizationId, filters, current, selection, onLeave, reread }: Subject) {
  const queryClient = useQueryClient()
  const changeItem = useFeedbackChange(organizationId)
  const bulk = useBulkChange(organizationId, reread)

  const changeOne = (item: ChangedItem, change: ItemChange) => {
    if (isMove(change)) onLeave(item)
    changeItem(item, change)
  }
  const changeChosen = (change: BulkChange) => {
    const { items, isEverything } = selection
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
  const place = selection.items[0]?.place ?? current?.place
  return {
    changeOne,
    changeChosen,
    change,
    bulk,
    /** Away from where it lies: out of the inbox, or back into it. */
    moveOn: () => {
      if (place === 'trash') change({ deleted: false })
      else if (place === 'spam') change({ spam: false })
      else if (place === 'inbox' || place === 'archived') change({ archived: place === 'inbox' })
    },
    toggleSpam: () => place !== 'trash' && change({ spam: place !== 'spam' }),
    remove: () => place !== 'trash' && change({ deleted: true }),
  }
}
