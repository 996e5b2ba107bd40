import { useEffect, useEffectEvent } from 'react'

export interface InboxActions {
  next: () => void
  previous: () => void
  open: () => void
  close: () => void
  search: () => void
  status: () => void
  priority: () => void
  help: () => void
}

const actionByKey: Readonly<Record<string, keyof InboxActions>> = {
  j: 'next',
  k: 'previous',
  o: 'open',
  Enter: 'open',
  Escape: 'close',
  '/': 'search',
  s: 'status',
  p: 'priority',
  '?': 'help',
}

/** Which action a key press asks for; none while typing, in menus and windows, or together with Ctrl, Alt or Cmd. */
function findAction(event: KeyboardEvent): keyof InboxActions | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined
  const target = event.target instanceof Element ? event.target : undefined
  if (target?.closest('input, textarea, select, [contenteditable], [role="menu"], [role="dialog"]')) return undefined
  const isInList = target?.closest('[data-inbox-list]') !== null && target !== undefined
  if (isInList && event.key === 'ArrowDown') return 'next'
  if (isInList && event.key === 'ArrowUp') return 'previous'
  // On a link or button Enter presses it.
  if (event.key === 'Enter' && target?.closest('a, button')) return undefined
  return Object.hasOwn(actionByKey, event.key) ? actionByKey[event.key] : undefined
}

/** The inbox's keyboard. */
export function useInboxKeys(actions: InboxActions): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const action = findAction(event)
    if (action === undefined) return
    event.preventDefault()
    actions[action]()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
