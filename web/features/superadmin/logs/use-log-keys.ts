import { useEffect, useEffectEvent } from 'react'
import { areShortcutsOn, isCharacterKey, isTakenElsewhere } from '#web/lib/shortcuts.ts'

export interface LogActions {
  next: () => void
  previous: () => void
  toggle: () => void
  search: () => void
  copy: () => void
  pause: () => void
}

const actionByKey: Readonly<Record<string, keyof LogActions>> = {
  j: 'next',
  k: 'previous',
  Enter: 'toggle',
  '/': 'search',
  c: 'copy',
  p: 'pause',
}

export function useLogKeys(actions: LogActions): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isTakenElsewhere(event)) return
    const target = event.target instanceof Element ? event.target : undefined
    // On a link or button Enter presses it.
    if (event.key === 'Enter' && target?.closest('a, button')) return
    if (isCharacterKey(event.key) && !areShortcutsOn()) return
    const action = Object.hasOwn(actionByKey, event.key) ? actionByKey[event.key] : undefined
    if (!action) return
    event.preventDefault()
    actions[action]()
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
