/** What can be put on a picture. `crop` is a mark too, until the end: there is at most one. */
export const tools = ['pen', 'arrow', 'box', 'text', 'highlight', 'blur', 'blackout', 'crop'] as const
export type Tool = (typeof tools)[number]

/** A point or a distance, in pixels of the picture. */
export type Point = readonly [x: number, y: number]

/** One mark: from a point, by a distance that may be negative. Nothing of it changes; a changed mark is another one. */
export interface Mark {
  readonly tool: Tool
  readonly color: string
  readonly from: Point
  readonly by: Point
  /** For `pen`: the line, in parts of the distance, so that it is moved and sized like all others. */
  readonly line?: readonly Point[]
  readonly text?: string
}

/** Left, top, right and bottom of a mark. */
export function boundsOf({ from: [x, y], by: [width, height] }: Mark): [number, number, number, number] {
  return [Math.min(x, x + width), Math.min(y, y + height), Math.max(x, x + width), Math.max(y, y + height)]
}

/** All states of the picture's marks, to go back and forth in. */
export interface History {
  readonly marks: readonly Mark[]
  /** Goes on to another state; what was undone is forgotten. */
  push(marks: readonly Mark[]): void
  /** Goes back (-1) or forth (1), as far as there is something. */
  go(by: number): void
}

export function createHistory(): History {
  const states: (readonly Mark[])[] = [[]]
  let at = 0
  return {
    get marks() {
      return states[at] ?? []
    },
    push(marks) {
      states.length = ++at
      states.push(marks)
    },
    go(by) {
      if (states[at + by]) at += by
    },
  }
}

/** The marks with one in the place of another: `index` beyond the end adds it, no mark removes. A crop replaces a crop. */
export function replaceMark(marks: readonly Mark[], index: number, mark?: Mark): Mark[] {
  const others = marks.map((each, place) =>
    place === index || (mark?.tool === 'crop' && each.tool === 'crop') ? undefined : each,
  )
  others[index] = mark
  return others.filter((each) => each !== undefined)
}
