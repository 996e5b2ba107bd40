import type { LoaderSettings, PanelSettings, WidgetLocale } from '#contract/widget-settings.ts'
import type { Strings } from '../locales/en.ts'
import type * as api from '../sdk/widget/src/api.ts'

/** What the site told us about the person in front of the page, and its proof. */
export type Visitor = api.Visitor & api.Proof
export type { EventName, Mode, OpenOptions, Prefill } from '../sdk/widget/src/api.ts'

/**
 * What happened on the page before the panel was there, oldest first, at most 50 of each and 500 characters an entry.
 * Addresses have no query and no fragment; texts have lost the queries in them. Empty where the project says so.
 */
export interface Rings {
  /** Time in milliseconds since 1970, level, text. Errors that nobody caught are here too, as `error`. */
  readonly console: [number, string, string][]
  /** End in milliseconds since 1970, method, address, status (0: failed), duration in milliseconds. */
  readonly network: [number, string, string, number, number][]
  /** Time, address; the first is where the visitor came in. */
  readonly routes: [number, string][]
  /** The element clicked last on the page. It may have left the page since. */
  clicked?: Element
}

/** What the loader lends to the stages: one shadow root, one keyboard guard, and what the site has said so far. */
export interface Stage {
  readonly settings: LoaderSettings
  /** Address under which all of ours is, on the origin that served the loader: ends with `/e/`. */
  readonly base: string
  /** That origin, without a slash. */
  readonly origin: string
  /** Nonce for style elements, where constructed sheets are missing. */
  nonce: string
  readonly root: ShadowRoot
  /**
   * The element that holds the shadow root: never part of a picture. `data-inline` stands while the panel fills an
   * element of the page.
   */
  readonly host: HTMLElement
  /** The launcher. */
  readonly button: HTMLButtonElement
  readonly rings: Rings
  /** Aborted by `destroy`. */
  readonly signal: AbortSignal
  /** What the site can call, by name. The loader has what is needed before the panel; the panel stage adds the rest. */
  readonly commands: Record<string, (...args: never[]) => unknown>
  /** Calls of commands that the loader does not know, in order, for the panel stage to go through. */
  readonly calls: [string, ...unknown[]][]
  /** Read when the panel opens and when it sends: the site may set them at any time, with anything. */
  visitor: Visitor
  metadata: Record<string, unknown>
  tags: string[]
  /** Chosen by `setLocale`, else by settings and browser. */
  locale: WidgetLocale
  theme: api.Theme
  /** Loads a stage of the same build, once; asks again after a failure. */
  load<Module>(
    name: 'panel' | 'actions' | 'transport' | 'capture' | 'annotate' | 'media' | 'replay' | 'proof',
  ): Promise<Module>
  /** Loads texts and panel settings of the present locale. */
  loadTexts(): Promise<Texts>
  /** Adds a sheet to the shadow root, once. */
  addStyles(css: string): void
  /** Called with every key pressed inside the shadow root; no listener of the page sees those keys. */
  onKey: ((event: KeyboardEvent) => void) | undefined
  /** The open panel. Taken away by `setOpen(false)`. */
  panel: OpenPanel | undefined
  /** Called after each command of the site, by its name: what the panel shows may have changed. */
  onCommand?: ((command: string) => void) | undefined
  /** Puts the host element where it belongs now: see {@link findParent}, else an open modal dialog, else the document. */
  place(): void
  /** An element of the page that the host element has to be in. */
  findParent?: (() => Element | undefined) | undefined
  /**
   * Tells the site's listeners. Resolves to false when a listener of `beforesend` cancels (returns false); what it
   * returns as an object replaces the detail. Added by the panel stage (`completeStage`), as are `setOpen` and all else
   * that nobody needs before.
   */
  emit<Detail>(event: api.EventName, detail?: Detail): Promise<Detail | false>
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
  /** Completes the stage and its commands, and goes through the calls that waited, of which one is to open. */
  startPanel(stage: Stage, texts: Texts): void
  /** Sends what earlier visits left. Called when the page appears, and when the network comes back. */
  resume(stage: Stage): void
}
