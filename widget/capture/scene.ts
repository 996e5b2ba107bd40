import type { Rewrite } from './rewrite.ts'
import type { Shot } from './shot.ts'

/** Facts of an element besides its attributes: states and numbers that selectors name, and more declarations. */
export interface Note {
  marks: string
  css: string
}

/** The page's styles as text, and what the tree must know about them. */
export interface Styles {
  css: string
  /** State pseudo-classes that the selectors name. A picture has no states: they become marks, `[_e~="hover"]`. */
  readonly states: Set<string>
  /** Custom properties that keyframes name: browsers do not tell which animation moves which. */
  readonly animated: Set<string>
  /** Elements that a rule may give a background that images draw otherwise: fixed to the window, or a `backdrop-filter`. */
  readonly odd: Set<Element>
}

/** The note of an element, made by the first call. */
export type TakeNote = (element: Element) => Note

/** Adds a rule for one element or pseudo-element. */
export type AddRule = (element: Element, pseudo: string, css: string) => void

/** One document of a picture, the page or a frame, with what writing it takes. */
export interface Scene extends Shot {
  readonly document: Document
  /** Drawn from its beginning to its end, as if not scrolled; else the visible area. */
  readonly whole: boolean
  readonly styles: Styles
  /** Highlighted and selected texts as XML; undefined: there are none. */
  readonly lit: ReadonlyMap<Node, string> | undefined
  readonly rewrite: Rewrite
  readonly note: TakeNote
  readonly addRule: AddRule
  drawFrame(frame: Document): Promise<HTMLCanvasElement>
}
