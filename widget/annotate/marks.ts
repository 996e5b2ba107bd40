export type Tool = 'pen' | 'arrow' | 'box' | 'text' | 'highlight' | 'blur' | 'blackout' | 'crop'
export type Point = [x: number, y: number]

/** A drawing on a picture, editable until the picture is saved. */
export interface Mark {
  readonly tool: Tool
  /** As `#rrggbb`. */
  color: string
  /** x and y of one corner, then of the opposite one, in pixels of the picture. Of an arrow: its tail, then its tip. */
  at: [number, number, number, number]
  /** The path of a pen, in fractions of the rectangle `at`. */
  points?: Point[]
  text?: string
}

/** Which coordinates of a mark move together, as indexes of `at`. */
export type Part = readonly (0 | 1 | 2 | 3)[]

export const whole: Part = [0, 1, 2, 3]
/** The corner where a mark ends, by which it is sized. */
export const end: Part = [2, 3]

/** Corners by which a mark can be dragged. */
export const findCorners = ({ tool }: Mark): readonly Part[] =>
  tool === 'arrow' ? [[0, 1], end] : [[0, 1], [2, 1], [0, 3], end]

/** Moves a mark, or sizes it by one of its corners. */
export function shift({ at }: Mark, part: Part, dx: number, dy: number): void {
  for (const index of part) at[index] += index % 2 ? dy : dx
}

/** Sets the path of a pen's mark, in points of the picture. */
export function follow(mark: Mark, way: readonly Point[]): void {
  const xs = way.map(([x]) => x)
  const ys = way.map(([, y]) => y)
  const [x0, y0, x1, y1] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  mark.at = [x0, y0, x1, y1]
  mark.points = way.map(([x, y]) => [(x - x0) / (x1 - x0 || 1), (y - y0) / (y1 - y0 || 1)])
}

/** The present marks, their states before each change (for undo), and before each undo (for redo). */
export interface Drawing {
  marks: Mark[]
  past: Mark[][]
  future: Mark[][]
}

/** To be called before each change. */
export function save(drawing: Drawing): void {
  drawing.past.push(structuredClone(drawing.marks))
  drawing.future = []
}

/** Undoes the last change; with the arguments swapped, redoes it. */
export function travel(drawing: Drawing, from: 'past' | 'future', to: 'past' | 'future'): void {
  const marks = drawing[from].pop()
  if (!marks) return
  drawing[to].push(drawing.marks)
  drawing.marks = marks
}
