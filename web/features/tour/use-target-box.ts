import { useEffect, useState } from 'react'

interface Placed {
  readonly box: DOMRect | undefined
  readonly view: { readonly width: number; readonly height: number }
}

/** Where a step's target is, for as long as it is shown: screens load, scroll and change their size. */
export function useTargetBox(selector: string | undefined): Placed {
  const [placed, setPlaced] = useState<Placed>(() => ({ box: findBox(selector), view: readView() }))
  useEffect(() => {
    let frame = 0
    const look = () => {
      setPlaced((before) => {
        const [box, view] = [findBox(selector), readView()]
        return isSame(before, box, view) ? before : { box, view }
      })
      frame = requestAnimationFrame(look)
    }
    look()
    return () => cancelAnimationFrame(frame)
  }, [selector])
  return placed
}

function readView() {
  return { width: document.documentElement.clientWidth, height: window.innerHeight }
}

function findBox(selector: string | undefined): DOMRect | undefined {
  const box = selector === undefined ? undefined : document.querySelector(selector)?.getBoundingClientRect()
  // On a phone the sidebar is not there: the step stands in the middle.
  return box && box.width > 0 ? box : undefined
}

function isSame(before: Placed, box: DOMRect | undefined, view: Placed['view']): boolean {
  const { left, top, width, height } = before.box ?? {}
  return (
    left === box?.left &&
    top === box?.top &&
    width === box?.width &&
    height === box?.height &&
    before.view.width === view.width &&
    before.view.height === view.height
  )
}
