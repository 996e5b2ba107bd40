import type { DialogProps } from './dialog-window.tsx'
import { useOverlays } from './late-overlays.ts'
import { useOpener } from './use-opener.ts'

/** A modal window in the middle of the page; on a phone it rises from the bottom edge. */
export function Dialog(props: DialogProps) {
  const giveFocusBack = useOpener(props.open)
  const overlays = useOverlays(props.open)
  return overlays && <overlays.DialogWindow {...props} onCloseAutoFocus={giveFocusBack} />
}
