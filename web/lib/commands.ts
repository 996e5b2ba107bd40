import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import type { ShortcutGroup } from './shortcuts.ts'

/** Something that the screen in view can do at the moment, for the command palette. */
export interface Command {
  id: string
  label: string
  /** Commands of a group stand together under its name. */
  group: string
  icon?: ReactNode
  keys?: readonly string[]
  run: () => void
}

interface Offer {
  commands: readonly Command[]
  shortcuts: readonly ShortcutGroup[]
}

const nothing: Offer = { commands: [], shortcuts: [] }
let offer = nothing
const listeners = new Set<() => void>()

function change(next: Offer): void {
  offer = next
  for (const listener of listeners) listener()
}

/** What a screen offers: its commands appear in the palette and its keys in the help as long as it is shown. */
export function useOfferedCommands(commands: readonly Command[], shortcuts: readonly ShortcutGroup[]): void {
  useEffect(() => change({ commands, shortcuts }), [commands, shortcuts])
  useEffect(() => () => change(nothing), [])
}

/** What the screen in view offers. */
export function useScreenOffer(): Offer {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => offer,
    () => nothing,
  )
}

export type Window = 'palette' | 'help' | 'new-organization' | 'tour'
const openers = new Set<(window: Window) => void>()

/** Opens a window of the app: the command palette, the help about keys, a new organisation, or the tour. */
export function openWindow(window: Window): void {
  for (const open of openers) open(window)
}

/** Listens for {@link openWindow}. */
export function useOpenWindow(open: (window: Window) => void): void {
  useEffect(() => {
    openers.add(open)
    return () => {
      openers.delete(open)
    }
  }, [open])
}
