import { type RefObject, useState } from 'react'
import { formatItems } from '#web/shared/format-count.ts'
import type { OpenMenu } from '../item/change-menus.tsx'
import { focusComposer } from '../item/focus-composer.ts'
import { focusRow } from './feedback-list.tsx'
import type { Inbox } from './use-inbox.ts'
import { useInboxCommands } from './use-inbox-commands.tsx'
import { type InboxActions, useInboxKeys } from './use-inbox-keys.ts'

/** Keys and palette commands of the inbox. */
export function useInboxControl(inbox: Inbox, searchRef: RefObject<HTMLInputElement | null>, ownId: string) {
  const { canChange, current, itemActions, selection } = inbox
  const [isFilterOpen, setFilterOpen] = useState(false)
  const actions: InboxActions = {
    ...moveActions(inbox),
    ...changeActions(inbox),
    search: () => {
      searchRef.current?.focus()
      searchRef.current?.select()
    },
    filter: () => setFilterOpen(true),
  }
  useInboxKeys(actions, () => canChange && selection.chooseShown())
  useInboxCommands({
    target: selection.items.length > 0 ? formatItems(selection.items.length) : current && `#${current.number}`,
    location: (selection.items[0] ?? current)?.location,
    canChange,
    ownId,
    actions,
    change: itemActions.change,
  })
  return { isFilterOpen, setFilterOpen }
}

/** Focuses the row on which the keyboard stands. */
export function focusCurrentRow({ listPane, currentId, items }: Inbox): void {
  focusRow(listPane.current, currentId ?? items[0]?.id)
}

function moveActions({ walk, items, itemId, currentId, canChange, selection, filters, setFilters }: Inbox) {
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
      if (selection.items.length > 0) return selection.clear()
      walk.close()
    },
    choose: () => canChange && row && selection.toggle(row.id),
    unread: () => setFilters({ ...filters, unread: !filters.unread }),
  }
}

function changeActions({ can, canChange, current, itemId, selection, setMenu, walk, itemActions }: Inbox) {
  const openMenu = (which: OpenMenu) => {
    if (canChange && (selection.items.length > 0 || current)) setMenu(which)
  }
  const write = (kind: 'reply' | 'note') => {
    if (!current || !can('comment_feedback')) return
    if (itemId === undefined) walk.open(current.id)
    focusComposer(kind)
  }
  return {
    status: () => openMenu('status'),
    priority: () => openMenu('priority'),
    assign: () => openMenu('assignee'),
    tag: () => openMenu('tags'),
    archive: () => canChange && itemActions.moveOn(),
    spam: () => canChange && itemActions.toggleSpam(),
    remove: () => canChange && itemActions.remove(),
    reply: () => write('reply'),
    comment: () => write('note'),
  }
}
