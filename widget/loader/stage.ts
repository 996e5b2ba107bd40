import type { LoaderSettings, PanelSettings, WidgetLocale } from '#contract/widget-settings.ts'
import type { Strings } from '../locales/en.ts'

/** What the site told us about the person in front of the page. */
export interface Visitor {
  id?: string
  email?: string
  name?: string
  /** HMAC-SHA256 of the id under the project's secret, in hex: proof that the site vouches for it. */
  hash?: string
}

/** Values a site may put into the form when it opens the panel itself. */
export interface Prefill {
  type?: string
  message?: string
  rating?: number
  email?: string
  name?: string
  fields?: Record<string, string | boolean>
}

/** Where the visitor starts: at the text, at a capture, at the list of own items; `inline` fills a given element. */
export type Mode = 'text' | 'screenshot' | 'voice' | 'screen' | 'items'

/** What happened on the page before the panel was there, oldest first, at most 50 of each. Addresses are redacted. */
export interface Rings {
  /** Time in milliseconds since 1970, level, text. */
  readonly console: [number, string, string][]
  /** Start in milliseconds since 1970, method, address, status (0: failed), duration in milliseconds. */
  readonly network: [number, string, string, number, number][]
  /** Time, address. */
  readonly routes: [number, string][]
  /** CSS path of the element clicked last before the panel opened. */
  clicked: string
}

export type EventName = 'load' | 'open' | 'close' | 'capture' | 'beforesend' | 'submit' | 'submiterror' | 'error'

/** What the loader lends to the stages: one shadow root, one keyboard guard, and what the site has said so far. */
export interface Stage {
  readonly settings: LoaderSettings
  /** Origin that served the loader, without a slash. */
  readonly origin: string
  /** Nonce for style elements, where constructed sheets are missing. */
  nonce: string
  readonly root: ShadowRoot
  /** The element that holds the shadow root: never part of a picture. */
  readonly host: HTMLElement
  readonly rings: Rings
  /** Read when the panel opens and when it sends: the site may set them at any time. */
  visitor: Visitor
  readonly metadata: Record<string, unknown>
  tags: string[]
  /** Chosen by `setLocale`, else by settings and browser. */
  locale: WidgetLocale
  theme: LoaderSettings['theme']
  /** Loads a stage of the same build, once; asks again after a failure. */
  load<Module>(name: 'panel' | 'transport' | 'capture' | 'annotate' | 'media' | 'replay' | 'proof'): Promise<Module>
  /** Loads texts and panel settings of the present locale. */
  loadTexts(): Promise<Texts>
  addStyles(css: string): void
  /** Called with every key pressed inside the shadow root; no listener of the page sees those keys. */
  onKey: ((event: KeyboardEvent) => void) | undefined
  /**
   * Tells the site's listeners. Resolves to false when one of them cancels (returns false); what a listener of
   * `beforesend` returns as an object replaces the detail.
   */
  emit<Detail>(event: EventName, detail?: Detail): Promise<Detail | false>
  /** The panel says that it is open, or has closed, whoever closed it. */
  setOpen(open: boolean): void
}

/** Exports of `/e/{key}/{locale}-{version}.js`: made by the server for each project and language. */
export interface Texts {
  readonly settings: PanelSettings
  readonly strings: Strings
}

export interface OpenPanel {
  close(): void
}

/** Exports of the panel stage. */
export interface PanelModule {
  /** `container`: fill this element instead of floating (inline mode). */
  openPanel(stage: Stage, texts: Texts, mode: Mode, prefill: Prefill, container?: Element): OpenPanel
  /** Sends what earlier visits left. `online`: the network has just come back. */
  resume(stage: Stage, online: boolean): void
}
