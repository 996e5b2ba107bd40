import { Slot } from 'radix-ui'
import { type ReactElement, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { tooltipTrigger } from './early-triggers.ts'
import { useOverlays } from './late-overlays.ts'
import type { TooltipText } from './tooltip-windows.tsx'

/** The tooltips of the page, by what they explain. Replaced with each change. */
let texts: ReadonlyMap<HTMLElement, TooltipText> = new Map()
const listeners = new Set<() => void>()

function setText(element: HTMLElement, text: TooltipText | undefined): void {
  const next = new Map(texts)
  if (text) next.set(element, text)
  else next.delete(element)
  texts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Says what a control without words does. The control still needs its own accessible name. */
export function Tooltip({
  content,
  side = 'top',
  children,
}: {
  content: ReactNode
  side?: TooltipText['side']
  children: ReactElement
}) {
  const [element, setElement] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (element) setText(element, { content, side })
  }, [element, content, side])
  useEffect(() => (element ? () => setText(element, undefined) : undefined), [element])
  return (
    <Slot.Root ref={setElement} {...tooltipTrigger}>
      {children}
    </Slot.Root>
  )
}

const none: typeof texts = new Map()

/** Where tooltips are drawn: once, at the root of the app. */
export function Tooltips() {
  const shown = useSyncExternalStore(
    subscribe,
    () => texts,
    () => none,
  )
  const overlays = useOverlays(false)
  return overlays && shown.size > 0 && <overlays.TooltipWindows texts={shown} />
}
