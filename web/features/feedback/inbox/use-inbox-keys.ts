import { useEffectEvent, useLayoutEffect } from 'react'
import { areShortcutsOn, isCharacterKey, isCommand, isTakenElsewhere, type ShortcutGroup } from '#web/lib/shortcuts.ts'

export interface InboxActions {
  next: () => void
  previous: () => void
  extendDown: () => void
  extendUp: () => void
  open: () => void
  close: () => void
  choose: () => void
  search: () => void
  filter: () => void
  unread: () => void
  unanswered: () => void
  status: () => void
  priority: () => void
  assign: () => void
  tag: () => void
  archive: () => void
  spam: () => void
  remove: () => void
  toggleRead: () => void
  snooze: () => void
  reply: () => void
  comment: () => void
  copyReport: () => void
  issue: () => void
  undo: () => void
}

const actionByKey: Readonly<Record<string, keyof InboxActions>> = {
  j: 'next',
  k: 'previous',
  J: 'extendDown',
  K: 'extendUp',
  o: 'open',
  Enter: 'open',
  Escape: 'close',
  x: 'choose',
  '/': 'search',
  f: 'filter',
  u: 'unread',
  s: 'status',
  p: 'priority',
  a: 'assign',
  t: 'tag',
  e: 'archive',
  '!': 'spam',
  '#': 'remove',
  Delete: 'remove',
  U: 'toggleRead',
  h: 'snooze',
  r: 'reply',
  c: 'comment',
  b: 'copyReport',
  i: 'issue',
}

/** The key that is held for commands. */
export const commandKey = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

const itemGroup = 'Item or selection'

/** What the inbox's keys do, for the help. */
const inboxShortcuts: readonly ShortcutGroup[] = [
  {
    title: 'Move',
    shortcuts: [
      { keys: ['j', '↓'], text: 'Next item' },
      { keys: ['k', '↑'], text: 'Previous item' },
      { keys: ['o', 'Enter'], text: 'Open item' },
      { keys: ['Esc'], text: 'Close item, clear selection' },
    ],
  },
  {
    title: 'Find',
    shortcuts: [
      { keys: ['/'], text: 'Search' },
      { keys: ['f'], text: 'Filter' },
      { keys: ['u'], text: 'Only unread' },
    ],
  },
  {
    title: 'Select several',
    shortcuts: [
      { keys: ['x'], text: 'Select item' },
      { keys: ['Shift', 'j', 'k'], text: 'Extend selection' },
      { keys: ['Ctrl', 'A'], text: 'Select all loaded items' },
    ],
  },
  {
    title: itemGroup,
    shortcuts: [
      { keys: ['e'], text: 'Archive or move back' },
      { keys: ['s'], text: 'Status' },
      { keys: ['p'], text: 'Priority' },
      { keys: ['a'], text: 'Assign' },
      { keys: ['t'], text: 'Tags' },
      { keys: ['h'], text: 'Snooze' },
      { keys: ['!'], text: 'Spam' },
      { keys: ['#', 'Del'], text: 'Move to trash' },
      { keys: ['Shift', 'u'], text: 'Mark as unread or read' },
      { keys: [commandKey, 'Z'], text: 'Undo the last change' },
      { keys: ['b'], text: 'Copy item as bug report' },
      { keys: ['1', '…', '8'], text: 'Select in a menu' },
    ],
  },
  {
    title: 'Reply',
    shortcuts: [
      { keys: ['r'], text: 'Reply' },
      { keys: ['c'], text: 'Internal note' },
    ],
  },
]

/** The same where issues can be created. */
const shortcutsWithIssues = inboxShortcuts.map((group) =>
  group.title === itemGroup
    ? { ...group, shortcuts: [...group.shortcuts, { keys: ['i'], text: 'Create or open issue' }] }
    : group,
)

export function listInboxShortcuts(hasTracker: boolean): readonly ShortcutGroup[] {
  return hasTracker ? shortcutsWithIssues : inboxShortcuts
}

/** Which action a key press asks for; none while typing, in menus and windows, or together with Ctrl, Alt or Cmd. */
function findAction(event: KeyboardEvent): keyof InboxActions | undefined {
  if (isTakenElsewhere(event)) return undefined
  const target = event.target instanceof Element ? event.target : undefined
  const isInList = target !== undefined && target.closest('[data-inbox-list]') !== null
  if (isInList && event.key === 'ArrowDown') return event.shiftKey ? 'extendDown' : 'next'
  if (isInList && event.key === 'ArrowUp') return event.shiftKey ? 'extendUp' : 'previous'
  // On a link or button Enter presses it.
  if (event.key === 'Enter' && target?.closest('a, button')) return undefined
  if (isCharacterKey(event.key) && !areShortcutsOn()) return undefined
  return Object.hasOwn(actionByKey, event.key) ? actionByKey[event.key] : undefined
}

/** The inbox's keyboard. `chooseShown` answers Ctrl+A (Cmd+A) in the list. */
export function useInboxKeys(actions: InboxActions, chooseShown: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isInList = event.target instanceof Element && event.target.closest('[data-inbox-list]') !== null
    if (isInList && event.key === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      chooseShown()
      return
    }
    if (isCommand(event, 'z')) {
      event.preventDefault()
      if (!event.repeat) actions.undo()
      return
    }
    const action = findAction(event)
    if (action === undefined) return
    event.preventDefault()
    actions[action]()
  })
  // Before it is drawn: the keys work from the moment the list is visible.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
