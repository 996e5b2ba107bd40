import { type KeyboardEvent, useState } from 'react'

interface StepCursor {
  /** The step that arrow keys move from and Enter opens: the last one, until another was pointed at. */
  readonly at: number
  /** The step whose values are shown. */
  readonly visible: number | undefined
  show(index: number): void
  hide(): void
  clamp(index: number): number
  onKeyDown(event: KeyboardEvent): void
}

/** The step of a chart that a pointer or the keys point at. Enter calls `open`; Escape hides the values. */
export function useStepCursor(count: number, open: (index: number) => void): StepCursor {
  const [chosen, setChosen] = useState<number>()
  const [shown, setShown] = useState<number>()
  const at = Math.min(chosen ?? count - 1, count - 1)
  const clamp = (index: number) => Math.min(count - 1, Math.max(0, index))
  const hide = () => setShown(undefined)
  const show = (index: number) => {
    setChosen(clamp(index))
    setShown(clamp(index))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageUp: at + 7,
      PageDown: at - 7,
      Home: 0,
      End: count - 1,
    }
    const next = moves[event.key]
    if (next !== undefined) show(next)
    else if (event.key === 'Enter') open(at)
    else if (event.key === 'Escape') hide()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { at, visible: shown === undefined ? undefined : Math.min(shown, count - 1), show, hide, clamp, onKeyDown }
}
