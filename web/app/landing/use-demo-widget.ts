import { useCallback, useEffect, useRef, useState } from 'react'
import { useIdleLoad } from '../../lib/idle-load.ts'
import type { DemoItem, DemoWidget } from './demo-widget.ts'

export interface Demo {
  /** The item sent last; undefined: none yet. */
  readonly item: DemoItem | undefined
  readonly hasFailed: boolean
  /** Loads the widget's button, and no more. */
  prepare(): void
  open(): void
}

/** The real widget on the page that uses this: its button once the page is idle, the rest when it is opened. */
export function useDemoWidget(): Demo {
  const [item, setItem] = useState<DemoItem>()
  const [hasFailed, setFailed] = useState(false)
  const widget = useRef<Promise<DemoWidget>>(undefined)

  const start = useCallback(() => {
    widget.current ??= import('./demo-widget.ts').then(({ startDemoWidget }) => startDemoWidget(setItem))
    const starting = widget.current
    // The next press tries again.
    starting.catch(() => {
      if (widget.current === starting) widget.current = undefined
    })
    return starting
  }, [])
  useIdleLoad(start, true)
  useEffect(
    () => () => {
      widget.current?.then(
        ({ stop }) => stop(),
        () => {},
      )
      widget.current = undefined
    },
    [],
  )
  return {
    item,
    hasFailed,
    prepare: () => void start().catch(() => {}),
    open() {
      setFailed(false)
      start().then(
        ({ open }) => open(),
        () => setFailed(true),
      )
    },
  }
}
