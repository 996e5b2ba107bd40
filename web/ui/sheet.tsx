import { useOverlays } from './late-overlays.ts'
import type { SheetProps } from './sheet-window.tsx'
import { useOpener } from './use-opener.ts'

/** A panel that slides in from the left edge: the menu on a phone. */
export function Sheet(props: SheetProps) {
  const giveFocusBack = useOpener(props.open)
  const overlays = useOverlays(props.open)
  return overlays && <overlays.SheetWindow {...props} onCloseAutoFocus={giveFocusBack} />
}
