import { trace } from './draw.ts'
import { type Editor, locate } from './editor.ts'
import { end, findCorners, follow, type Mark, type Part, type Point, save, shift, whole } from './marks.ts'

/** Middle of the pointers, and their distance. */
function span(pointers: ReadonlyMap<number, Point>) {
  // At least one pointer is down; alone, it counts twice.
  const [[x0, y0], [x1, y1]] = [...pointers.values(), ...pointers.values()] as [Point, Point]
  return [(x0 + x1) / 2, (y0 + y1) / 2, Math.hypot(x0 - x1, y0 - y1) || 1] as const
}

/** The mark at a point of the picture, and which of its coordinates a drag from there moves; without, a drag draws. */
function findMark({ marks, selected, tool, context, unit }: Editor, [x, y]: Point, reach: number) {
  context.lineWidth = 2 * reach
  let part: Part | undefined =
    selected &&
    findCorners(selected).find(([i = 0, j = 0]) => Math.hypot(selected.at[i] - x, selected.at[j] - y) < reach)
  let mark = part && selected
  for (const other of part ? [] : marks) {
    const path = trace(other, unit)
    const isOn = other.text || context.isPointInStroke(path, x, y)
    if (!isOn && !context.isPointInPath(path, x, y)) continue
    mark = other
    // Within a mark, and across another line of the pen, something new may be drawn.
    part = other === selected || (isOn && tool !== 'pen') ? whole : undefined
  }
  return [mark, part] as const
}

/** One pointer draws, moves and sizes. Two move and zoom the view, as does one after Space or with another button. */
export function followPointers(editor: Editor): void {
  const { paper, area } = editor
  const pointers = new Map<number, Point>()
  /** The points of a drag, in pixels of the picture; undefined: no drag. */
  let way: Point[] | undefined
  /** What the drag began on: see {@link findMark}. */
  let mark: Mark | undefined
  let part: Part | undefined

  const pull = (way: Point[], point: Point) => {
    // A way starts with the point of `pointerdown`.
    const [x, y] = way.at(-1) as Point
    if (!way[1]) {
      if (Math.hypot(point[0] - x, point[1] - y) * editor.zoom < 4) return
      if (part) {
        save(editor)
        editor.selected = mark
      } else editor.add(x, y, x, y)
    }
    way.push(point)
    const { selected, tool } = editor
    if (!selected) return
    if (!part && tool === 'pen') follow(selected, way)
    else shift(selected, part ?? end, point[0] - x, point[1] - y)
    editor.render()
  }

  const release = (way: Point[]) => {
    if (!way[1]) {
      // A way starts with the point of `pointerdown`.
      if (editor.tool === 'text' && !mark) return editor.write(way[0] as Point)
      if (mark?.text && mark === editor.selected) return editor.write(mark)
      editor.selected = mark
    } else if (!part && editor.tool === 'pen') editor.selected = undefined
    editor.render()
  }

  paper.onpointerdown = (event) => {
    // Keeps the focus on the area, whose keys are handled.
    event.preventDefault()
    area.focus()
    paper.setPointerCapture(event.pointerId)
    pointers.set(event.pointerId, [event.clientX, event.clientY])
    // A second pointer means that the first was no drawing.
    if (way?.[1]) editor.act('undo')
    way = undefined
    editor.isPanning ||= pointers.size > 1 || event.button > 0
    if (editor.isPanning) return
    way = [locate(editor, event.clientX, event.clientY)]
    // Set on the line above.
    ;[mark, part] = findMark(editor, way[0] as Point, (event.pointerType === 'mouse' ? 10 : 20) / editor.zoom)
  }
  paper.onpointermove = ({ pointerId, clientX, clientY }) => {
    if (!pointers.has(pointerId)) return
    const [x, y, distance] = span(pointers)
    pointers.set(pointerId, [clientX, clientY])
    if (way) return pull(way, locate(editor, clientX, clientY))
    const [newX, newY, newDistance] = span(pointers)
    area.scrollBy(x - newX, y - newY)
    editor.zoomBy(newDistance / distance, newX, newY)
  }
  paper.onpointerup = paper.onpointercancel = ({ pointerId }) => {
    pointers.delete(pointerId)
    if (way) release(way)
    way = undefined
    editor.isPanning &&= pointers.size > 0
  }
  area.onwheel = (event) => {
    if (!event.ctrlKey) return
    event.preventDefault()
    editor.zoomBy(Math.exp(-event.deltaY / 200), event.clientX, event.clientY)
  }
}
