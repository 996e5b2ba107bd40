import type { Way } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import type { Strings } from '../locales/en.ts'
import type { Drawing, Mark, Point, Tool } from './marks.ts'

/** Where an editor stands: in the widget, its stage; in the web app, an element of its own. */
export type Surface = Pick<Stage, 'root' | 'locale' | 'onKey'>

/** Texts of an editor. Those of the ways to take a picture are needed only where ways are given. */
export type EditorStrings = Pick<
  Strings,
  | Tool
  | 'editor'
  | 'editorHint'
  | 'colors'
  | 'cancel'
  | 'discard'
  | 'undo'
  | 'redo'
  | 'delete'
  | 'zoomIn'
  | 'zoomOut'
  | 'save'
> &
  Partial<Pick<Strings, Way>>

/** An open editor, as its parts see it. */
export interface Editor extends Drawing {
  readonly stage: Surface
  /** The screenshot; marks are drawn on a copy. */
  readonly picture: HTMLCanvasElement
  /** By the name of the text or by colour; `area` unfolds the other ways to take the picture. */
  readonly buttons: Record<string, HTMLButtonElement>
  /** The scroll container, focused while the visitor draws. */
  readonly area: HTMLElement
  /** The picture in it, at the present zoom. */
  readonly paper: HTMLElement
  readonly context: CanvasRenderingContext2D
  /** Width of lines, in pixels of the picture. */
  readonly unit: number
  tool: Tool
  /** Of new marks, as `#rrggbb`. */
  color: string
  /** Cancel was pressed once and asks for confirmation. */
  isSure: boolean
  selected: Mark | undefined
  /** CSS pixels to one of the picture. */
  zoom: number
  /** The next drag moves the view. */
  isPanning: boolean
  /** Runs a button's action, by the name of its text. */
  act(name: string): void
  /** Closes the editor: with the result, for another way to take the picture, or cancelled. */
  close(result?: HTMLCanvasElement | Way): void
  /** Draws the present state. */
  render(): void
  /** Zooms around a point of the window. */
  zoomBy(factor: number, x: number, y: number): void
  /** Adds a mark of the present tool, between two points of the picture, and selects it. */
  add(x0: number, y0: number, x1: number, y1: number): Mark
  /** Opens a text field: at a new text's beginning, or on an existing text. */
  write(text: Mark | Point): void
}

/** The pixel of the picture at a point of the window. */
export function locate({ paper, zoom }: Editor, x: number, y: number): Point {
  const { left, top } = paper.getBoundingClientRect()
  return [Math.round((x - left) / zoom), Math.round((y - top) / zoom)]
}

/** The middle of an element, in the window. */
export function findMiddle(area: Element): Point {
  const { left, top, width, height } = area.getBoundingClientRect()
  return [left + width / 2, top + height / 2]
}
