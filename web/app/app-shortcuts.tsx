import { lazy, Suspense, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { openWindow, useOpenWindow } from '../lib/commands.ts'
import { areShortcutsOn, isTakenElsewhere } from '../lib/shortcuts.ts'
import { destinations } from './destinations.tsx'

// Needed by few pages at first: they come when asked for.
const CommandPalette = lazy(() => import('./command-palette.tsx'))
const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'))

/** After `g`, the letter of a screen is waited for this long. */
const sequenceMs = 1500

/** The keys that work on every screen, and the windows that they open. */
export function AppShortcuts() {
  const [window, setWindow] = useState<'palette' | 'help'>()
  useOpenWindow(setWindow)
  useAppKeys()
  const close = (open: boolean) => !open && setWindow(undefined)
  return (
    <Suspense>
      {window === 'palette' && <CommandPalette onOpenChange={close} />}
      {window === 'help' && <ShortcutHelp onOpenChange={close} />}
    </Suspense>
  )
}

function useAppKeys(): void {
  const navigate = useNavigate()
  const goTo = useEffectEvent((to: string) => void navigate(to))
  // In a layout effect: shortcuts work as soon as the screen is visible.
  useLayoutEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault()
        openWindow('palette')
        return
      }
      if (isTakenElsewhere(event) || !areShortcutsOn() || event.repeat) return
      const isSecond = event.timeStamp - startedAt < sequenceMs
      startedAt = Number.NEGATIVE_INFINITY
      const destination = isSecond && destinations.find(({ letter }) => letter === event.key)
      if (destination) goTo(destination.to)
      else if (event.key === 'g') startedAt = event.timeStamp
      else if (event.key === '?') openWindow('help')
      else return
      // The letter has had its meaning: the screen's own keys stay quiet.
      event.preventDefault()
    }
    // Before the screen's own keys.
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
