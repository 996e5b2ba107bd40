import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { formatItems } from '#web/shared/format-count.ts'
import { toast } from '#web/ui/toast.tsx'
import { storeOf } from '../feedback-store.ts'
import { focusIssues } from '../issues/focus-issues.ts'
import type { OpenMenu } from '../item/change-menus.tsx'
import { focusComposer } from '../item/focus-composer.ts'
import { startBugReport } from '../report/start-bug-report.ts'
import { undoLastChange } from '../undo-changes.ts'
import { focusRow } from './feedback-list.tsx'
import type { Inbox } from './use-inbox.ts'
import { useInboxCommands } from './use-inbox-commands.tsx'
import { type InboxActions, useInboxKeys } from './use-inbox-keys.ts'

/** Keys and palette commands of the inbox. */
export function useInboxControl(inbox: Inbox, searchRef: RefObject<HTMLInputElement | null>, ownId: string) {
  const { canChange, current, itemActions, selection } = inbox
  const [isFilterOpen, setFilterOpen] = useState(false)
  const queryClient = useQueryClient()
  const isMany = selection.items.length > 0
  const actions: InboxActions = {
    ...moveActions(inbox),
    ...changeActions(inbox),
    copyReport: () => {
      if (!isMany && current) startBugReport(queryClient, inbox.organizationId, current.id)
    },
    undo: () => {
      if (!canChange || undoLastChange(storeOf(queryClient, inbox.organizationId))) return
      toast({ title: 'No change to undo' })
    },
    search: () => {
      searchRef.current?.focus()
      searchRef.current?.select()
    },
    filter: () => setFilterOpen(true),
  }
  useInboxKeys(actions, () => canChange && selection.chooseShown())
  useInboxCommands({
    target: isMany ? formatItems(selection.items.length) : current && `#${current.number}`,
    isMany,
    location: (selection.items[0] ?? current)?.location,
    canChange,
    isUnread: isMany ? selection.items.some(({ unread }) => unread) : current?.unread === true,
    ownId,
    hasTracker: inbox.counts?.hasTracker === true,
    actions,
    change: itemActions.change,
  })
  return { isFilterOpen, setFilterOpen }
}

/** Focuses the row on which the keyboard stands. */
export function focusCurrentRow({ listPane, currentId, items }: Inbox): void {
  focusRow(listPane.current, currentId ?? items[0]?.id)
}

function moveActions(inbox: Inbox) {
  const { walk, items, itemId, currentId, canChange, selection, filters, setFilters, menu, setMenu } = inbox
  const extend = (step: 1 | -1) => {
    const from = items[walk.index]
    const to = items[walk.index + step]
    if (canChange && from && to) selection.extend(from.id, to.id)
    if (step === 1) walk.next()
    else walk.previous()
  }
  const row = items[walk.index]
  return {
    next: walk.next,
    previous: walk.previous,
    extendDown: () => extend(1),
    extendUp: () => extend(-1),
    open: () => currentId !== undefined && itemId === undefined && walk.open(currentId),
    close: () => {
      // Asked for, and not on the screen yet: the item's page is still on its way.
      if (menu) return setMenu(undefined)
      if (selection.items.length > 0) return selection.clear()
      walk.close()
    },
    choose: () => canChange && row && selection.toggle(row.id),
    unread: () => setFilters({ ...filters, unread: !filters.unread }),
    unanswered: () => setFilters({ ...filters, unanswered: !filters.unanswered }),
  }
}

function changeActions(inbox: Inbox) {
  const { can, canChange, current, itemId, selection, setMenu, walk, itemActions } = inbox
  const openMenu = (which: OpenMenu) => {
    if (canChange && (selection.items.length > 0 || current)) setMenu(which)
  }
  const { location } = selection.items[0] ?? current ?? {}
  const canSnooze = location === 'inbox' || location === 'snoozed'
  const write = (kind: 'reply' | 'note') => {
    if (!current || !can('comment_feedback')) return
    if (itemId === undefined) walk.open(current.id)
    focusComposer(kind)
  }
  const goToIssues = () => {
    const isMany = selection.items.length > 0
    if (!canChange || !inbox.counts?.hasTracker || location === 'trash') return
    if (isMany) return setMenu('issues')
    if (!current) return
    if (itemId === undefined) walk.open(current.id)
    focusIssues()
  }
  return {
    status: () => openMenu('status'),
    priority: () => openMenu('priority'),
    assign: () => openMenu('assignee'),
    tag: () => openMenu('tags'),
    snooze: () => canSnooze && openMenu('snooze'),
    archive: () => canChange && itemActions.moveOn(),
    spam: () => canChange && itemActions.toggleSpam(),
    remove: () => canChange && itemActions.remove(),
    toggleRead: () => canChange && itemActions.toggleRead(),
    reply: () => write('reply'),
    comment: () => write('note'),
    issue: goToIssues,
  }
}
