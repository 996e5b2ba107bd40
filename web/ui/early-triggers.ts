import type { KeyboardEvent, PointerEvent } from 'react'
import { areOverlaysLoaded, loadOverlays } from './late-overlays.ts'

const prepare = () => void loadOverlays().catch(() => {})

/** Opens a menu as Radix's trigger does, until that is loaded and attached. */
export function makeMenuTrigger(open: () => void) {
  return {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    'data-state': 'closed',
    onPointerEnter: prepare,
    onFocus: prepare,
    onPointerDown: (event: PointerEvent) => {
      if (areOverlaysLoaded() || event.button !== 0 || event.ctrlKey) return
      event.preventDefault()
      open()
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (areOverlaysLoaded() || !['Enter', ' ', 'ArrowDown'].includes(event.key)) return
      event.preventDefault()
      open()
    },
  } as const
}

/** Opens a popover as Radix's trigger does, until that is loaded and attached. */
export function makePopoverTrigger(open: () => void) {
  return {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    'data-state': 'closed',
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: () => {
      if (!areOverlaysLoaded()) open()
    },
  } as const
}

/** Makes a tooltip's code ready. */
export const tooltipTrigger = { onPointerEnter: prepare, onFocus: prepare } as const
