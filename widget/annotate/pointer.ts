import type { Point } from './marks.ts'
import type { View } from './view.ts'

interface Drawing {
  /** One finger, pen or mouse goes down, in pixels of the picture; `slack` is what counts as the same place. */
  begin(at: Point, slack: number): void
  move(at: Point): void
  end(): void
  /** A second finger came: it was no drawing. */
  abort(): void
  /** What is seen has changed. */
  redraw(): void
}

/** One pointer draws; two move and zoom the view, as do the wheel and the mouse's other buttons. */
export function followPointers(canvas: HTMLCanvasElement, view: View, drawing: Drawing): void {
  const pointers = new Map<number, Point>()
  const locate = (event: MouseEvent): Point => {
    const { left, top } = canvas.getBoundingClientRect()
    return [event.clientX - left, event.clientY - top]
  }
  /** Middle of all pointers, and their distance (1 for a single one). */
  const span = (): [Point, number] => {
    const [[ax, ay], [bx, by]] = [...pointers.values(), ...pointers.values()] as [Point, Point]
    return [[(ax + bx) / 2, (ay + by) / 2], Math.hypot(ax - bx, ay - by) || 1]
  }
  let isPanning = false

  canvas.onpointerdown = (event) => {
    event.preventDefault()
    canvas.focus()
    canvas.setPointerCapture(event.pointerId)
    pointers.set(event.pointerId, locate(event))
    if (pointers.size > 1) drawing.abort()
    isPanning = pointers.size > 1 || event.button > 0
    const reach = event.pointerType === 'mouse' ? 8 : 20
    if (!isPanning) drawing.begin(view.toPicture(locate(event)), (reach * devicePixelRatio) / view.scale)
  }
  canvas.onpointermove = (event) => {
    if (!pointers.has(event.pointerId)) return
    const [before, distance] = span()
    pointers.set(event.pointerId, locate(event))
    if (!isPanning) return drawing.move(view.toPicture(locate(event)))
    const [middle, now] = span()
    view.pan([middle[0] - before[0], middle[1] - before[1]])
    view.zoom(now / distance, middle)
    drawing.redraw()
  }
  canvas.onpointerup = canvas.onpointercancel = (event) => {
    if (!isPanning && pointers.has(event.pointerId)) drawing.end()
    pointers.delete(event.pointerId)
  }
  canvas.onwheel = (event) => {
    event.preventDefault()
    if (event.ctrlKey || event.metaKey) view.zoom(Math.exp(-event.deltaY / 200), locate(event))
    else view.pan([-event.deltaX, -event.deltaY])
    drawing.redraw()
  }
}
