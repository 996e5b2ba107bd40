/*
 * Commands and events of the widget for a site. The loader and the panel use these types too.
 */

/** Where the visitor starts: at the text, at a capture, or at the list of their own items. */
export type Mode = 'text' | 'screenshot' | 'voice' | 'screen' | 'items'

export type Theme = 'auto' | 'light' | 'dark'

/** Supported languages. Any other falls back to English. */
export type Locale = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'pl' | 'sv' | 'ja' | 'ar' | 'he'

/** The visitor as the site knows them. */
export interface Visitor {
  id?: string
  email?: string
  name?: string
}

export interface Proof {
  /** HMAC-SHA256 of the visitor's id under the project's secret, in hex: made on your server, never in the browser. */
  hash?: string
}

/** Values to put into the form when the site opens the panel. The visitor can change them. */
export interface Prefill {
  type?: string
  message?: string
  rating?: number
  email?: string
  name?: string
  /** Answers to the project's own questions, by their ids. */
  fields?: Record<string, string | boolean>
}

export interface OpenOptions {
  /** Fill this element, or the first one that the selector finds, instead of floating over the page. */
  container?: Element | string
}

/** Details that listeners get, by event. */
export interface EventDetails {
  /** The commands can be called. Listeners added later are called at once. */
  load: undefined
  open: undefined
  close: undefined
  /** The visitor attached something. */
  capture: { kind: string; name: string; bytes: number }
  /**
   * The visitor pressed "Send". Return `false` to cancel, or a changed copy to send that instead; a promise of either is
   * awaited for up to 5 s. A listener that throws is skipped.
   */
  beforesend: Record<string, unknown>
  /** The server has stored it under this number. */
  submit: { id?: string; number: number }
  /** Not sent, or not yet. */
  submiterror: { id?: string; kind: string; reason?: string; why?: string }
  /** An error inside the widget. */
  error: unknown
}

export type EventName = keyof EventDetails
export type Listener<Name extends EventName> = (detail: EventDetails[Name]) => unknown

export interface Commands {
  /** Opens the panel; does nothing when it is open. */
  open(mode?: Mode, prefill?: Prefill, options?: OpenOptions): void
  close(): void
  toggle(): void
  isOpen(): boolean
  /** Shows the button. */
  show(): void
  /** Hides the button; the panel can still be opened. */
  hide(): void
  /** Removes the widget from the page until the script is loaded again. */
  destroy(): void
  identify(visitor: Visitor, proof?: Proof): void
  clearIdentity(): void
  /** Adds metadata to submissions; the same name again replaces the value. */
  setMetadata(metadata: Record<string, unknown>): void
  setTags(tags: string[]): void
  setLocale(locale: Locale): void
  setTheme(theme: Theme): void
  /** Makes an element of the page, or all that match a selector now and later, open and close the panel. */
  attachTo(opener: Element | string): void
  on<Name extends EventName>(event: Name, listener: Listener<Name>): void
  off<Name extends EventName>(event: Name, listener: Listener<Name>): void
  /** Nonce of the page's content security policy. Taken from the script element unless it is set. */
  setNonce(nonce: string): void
}

/** The global function: `earshot('open')`. */
export interface EarshotFunction {
  <Name extends EventName>(command: 'on' | 'off', event: Name, listener: Listener<Name>): void
  <Name extends keyof Commands>(command: Name, ...args: Parameters<Commands[Name]>): ReturnType<Commands[Name]>
  /** Calls made before the script ran. */
  q?: ArrayLike<unknown>[]
  /** Set by the running script: the mark by which a second one knows that it is not needed. */
  on?: boolean
}

declare global {
  interface Window {
    earshot?: EarshotFunction
  }
}
