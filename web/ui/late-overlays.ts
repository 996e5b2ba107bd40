import { createLateCode, useLateCode } from './late-code.ts'

const overlays = createLateCode(() => import('./overlays.tsx'))

/**
 * Loads what draws menus, popovers, dialogs, tooltips and toasts, 31 kB. Screens load it when they are idle; a control
 * loads it when the pointer or the focus reaches it.
 */
export const loadOverlays = overlays.load

/**
 * What draws overlays, as soon as it is loaded.
 *
 * @param isOpen whether one is open: the code is loaded now
 * @param takesKeys whether keys pressed meanwhile are meant for it
 */
export function useOverlays(isOpen: boolean, takesKeys = true) {
  return useLateCode(overlays, isOpen, takesKeys)
}

/** For the handlers of a control whose overlay is not loaded yet: the control has to open it by itself. */
export function areOverlaysLoaded(): boolean {
  return overlays.peek() !== undefined
}

/** The parts inside an open overlay, which is drawn only once they are loaded. */
export function getOverlays() {
  const loaded = overlays.peek()
  if (!loaded) throw new Error('A part of an overlay is drawn outside of it')
  return loaded
}
