import type { Point } from './marks.ts'

/** Which part of the picture is seen, and how large. */
export interface View {
  /** Pixels of the canvas to one of the picture. */
  readonly scale: number
  /** Place of the picture's corner on the canvas, in its pixels. */
  readonly offset: Point
  /** From CSS pixels of the canvas to pixels of the picture. */
  toPicture(point: Point): Point
  /** All of the picture, in the middle. */
  fit(): void
  /** Zooms by a factor around a point in CSS pixels. */
  zoom(factor: number, around: Point): void
  /** Moves by CSS pixels. */
  pan(by: Point): void
}

const most = 8

export function createView(canvas: HTMLCanvasElement, picture: HTMLCanvasElement): View {
  const ratio = devicePixelRatio
  const least = () => Math.min(1, canvas.width / picture.width, canvas.height / picture.height)
  const view = {
    scale: 1,
    offset: [0, 0] as Point,
    toPicture: ([x, y]: Point): Point => [
      (x * ratio - view.offset[0]) / view.scale,
      (y * ratio - view.offset[1]) / view.scale,
    ],
    fit() {
      view.scale = least()
      place(view.offset)
    },
    zoom(factor: number, [x, y]: Point) {
      const scale = Math.max(least(), Math.min(most, view.scale * factor))
      const grown = scale / view.scale
      view.scale = scale
      place([x * ratio - (x * ratio - view.offset[0]) * grown, y * ratio - (y * ratio - view.offset[1]) * grown])
    },
    pan: ([x, y]: Point) => place([view.offset[0] + x * ratio, view.offset[1] + y * ratio]),
  }
  // A picture larger than the canvas covers it; a smaller one is in its middle.
  const place = ([x, y]: Point) => {
    const keep = (at: number, room: number) => (room > 0 ? room / 2 : Math.max(room, Math.min(0, at)))
    view.offset = [
      keep(x, canvas.width - picture.width * view.scale),
      keep(y, canvas.height - picture.height * view.scale),
    ]
  }
  return view
}
