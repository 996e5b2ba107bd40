import { readStored, removeStored, storageKeys, writeStored } from './storage.ts'

/** Keys that do something, for the help. */
export interface ShortcutGroup {
  title: string
  shortcuts: readonly { keys: readonly string[]; text: string }[]
}

let areOn: boolean | undefined
const listeners = new Set<() => void>()

/**
 * Whether single-key shortcuts work. People who use speech input or have a tremor can switch them off (WCAG 2.1.4);
 * Escape, Enter, arrow keys and shortcuts with Ctrl or Cmd always work.
 */
export function areShortcutsOn(): boolean {
  areOn ??= readStored(storageKeys.shortcuts) !== 'off'
  return areOn
}

export function setShortcutsOn(on: boolean): void {
  areOn = on
  if (on) removeStored(storageKeys.shortcuts)
  else writeStored(storageKeys.shortcuts, 'off')
  for (const listener of listeners) listener()
}

/** Calls back when they are switched on or off. @returns what ends it. */
export function followShortcuts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Whether a key press belongs to the focused control: it types a letter, moves in a menu or answers a dialog. Also true
 * when the event was already handled, or Ctrl, Alt or Cmd is held.
 */
export function isTakenElsewhere(event: KeyboardEvent): boolean {
  return event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isInControl(event)
}

/** Whether the press of Ctrl+`letter` or Cmd+`letter` is meant for the screen, and not for a control in use. */
export function isCommand(event: KeyboardEvent, letter: string): boolean {
  const isHeld = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  return isHeld && event.key.toLowerCase() === letter && !event.defaultPrevented && !isInControl(event)
}

function isInControl(event: KeyboardEvent): boolean {
  if (event.isComposing) return true
  const target = event.target instanceof Element ? event.target : undefined
  const places =
    'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="menu"], [role="dialog"]'
  const field = target?.closest(places)
  // A box that is ticked takes the space bar alone.
  return field !== null && field !== undefined && !(field instanceof HTMLInputElement && field.type === 'checkbox')
}

/** A single printed character, which the switch turns off. */
export function isCharacterKey(key: string): boolean {
  return [...key].length === 1
}
