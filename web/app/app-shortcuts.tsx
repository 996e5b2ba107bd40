import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { openWindow, useOpenWindow, type Window } from '../lib/commands.ts'
import { areShortcutsOn, isTakenElsewhere } from '../lib/shortcuts.ts'
import { type StartTourDetail, startTourEvent } from '../lib/start-tour.ts'
import { createLateCode, useLateCode } from '../ui/late-code.ts'
import { setRequestHref } from '../ui/request-link.ts'
import { useDestinations } from './destinations.tsx'

// Needed by few pages at first: they come when asked for. Keys pressed meanwhile are meant for them: behind a palette that
// is not there yet, letters would change items.
const windows = {
  palette: createLateCode(() => import('./command-palette.tsx')),
  help: createLateCode(() => import('./shortcut-help.tsx')),
  tour: createLateCode(() => import('../features/tour/tour.tsx')),
  'new-organization': createLateCode(() => import('../features/organizations/new-organization.tsx')),
}

/** After `g`, the letter of a screen is waited for this long. */
const sequenceMs = 1500

/** The keys that work on every screen, and the windows that they open. */
export function AppShortcuts() {
  const [window, setWindow] = useState<Window>()
  useOpenWindow(setWindow)
  useTourEvent()
  useAppKeys()
  useRequestLinks()
  return window && <OpenWindow key={window} name={window} onOpenChange={(open) => !open && setWindow(undefined)} />
}

function OpenWindow({ name, onOpenChange }: { name: Window; onOpenChange: (open: boolean) => void }) {
  const code = useLateCode(windows[name], true)
  return code && <code.default onOpenChange={onOpenChange} />
}

/** Errors lead those who may open the logs to the lines of their request. */
function useRequestLinks(): void {
  const mayOpen = useDestinations().some(({ to }) => to === '/dashboard/superadmin')
  useEffect(() => {
    setRequestHref(mayOpen ? (id) => `/dashboard/superadmin/logs?request=${encodeURIComponent(id)}` : undefined)
  }, [mayOpen])
}

/** See `startTour`. */
function useTourEvent(): void {
  useEffect(() => {
    const start = (event: Event) => {
      // Dispatched with a tour's id.
      if ((event as CustomEvent<StartTourDetail>).detail?.tourId === 'welcome') openWindow('tour')
    }
    window.addEventListener(startTourEvent, start)
    return () => window.removeEventListener(startTourEvent, start)
  }, [])
}

function useAppKeys(): void {
  const navigate = useNavigate()
  const destinations = useDestinations()
  const findByLetter = useEffectEvent((letter: string) => destinations.find((each) => each.letter === letter))
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
      const destination = isSecond && findByLetter(event.key)
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
