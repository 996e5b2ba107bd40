import { useOverlays } from './late-overlays.ts'
import { useToast } from './toast.tsx'

/** Where toasts appear: once, at the root of the app. */
export function Toaster() {
  const state = useToast()
  const overlays = useOverlays(state !== undefined, false)
  return overlays && <overlays.ToastWindow state={state} />
}
