import type { LoaderSettings, PanelSettings, WidgetLocale } from '#contract/widget-settings.ts'
import type { Strings } from '../locales/en.ts'
import type * as api from '../sdk/widget/src/api.ts'

/** The visitor as the site identifies them, with the proof. */
export type Visitor = api.Visitor & api.Proof
export type { EventName, Mode, OpenOptions, Prefill } from '../sdk/widget/src/api.ts'

/**
 * Recent activity on the page, oldest first, at most 50 entries each of 500 characters. Queries and fragments are removed
 * from addresses, also within texts. Empty where the project has switched it off.
 */
export interface Rings {
  /** Time in milliseconds since 1970, level, text. Includes uncaught errors, as `error`. */
  readonly console: [number, string, string][]
  /** End in milliseconds since 1970, method, address, status (0: failed), duration in milliseconds. */
  readonly network: [number, string, string, number, number][]
  /** Time, address; the first is the visitor's entry. */
  readonly routes: [number, string][]
  /** The element clicked last on the page. It may have left the page since. */
  clicked?: Element
}

/** Shared by the loader with the stages: one shadow root, one keyboard guard, and the site's data. */
export interface Stage {
  /** Whole once the panel stage has completed it. */
  readonly settings: LoaderSettings
  /** Base address of the widget's files, on the origin that served the loader: ends with `/e/`. */
  readonly base: string
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
  rings: Rings
  /** Aborted by `destroy`. */
  readonly signal: AbortSignal
  /** Commands for the site, by name. The loader has those needed before the panel; the panel stage adds the rest. */
  readonly commands: Record<string, (...args: never[]) => unknown>
  /** Calls of commands unknown to the loader, in order, for the panel stage to run. */
  readonly calls: [string, ...unknown[]][]
  /** Read when the panel opens and when it sends: the site may set them at any time, with anything. */
  visitor: Visitor
  metadata: Record<string, unknown>
  tags: string[]
  /** Set by `setLocale`, else by settings and browser. */
  locale: WidgetLocale
  theme: api.Theme
  /** Loads a stage of the same build, once; asks again after a failure. */
  load<Module>(
    name: 'panel' | 'actions' | 'tools' | 'capture' | 'annotate' | 'media' | 'replay' | 'proof',
  ): Promise<Module>
  /** Loads texts and panel settings of the present locale. */
  loadTexts(): Promise<Texts>
  /** Adds a sheet to the shadow root, once. */
  addStyles(css: string): void
  /**
   * Called with every event inside the shadow root that the page must not hear, before any listener hears it: see
   * `isolateEvents`. The loader's own knows the launcher only; the panel's runs the listeners inside.
   */
  onEvent(event: Event): void
  /** Called with every key pressed inside the shadow root; no listener of the page sees those keys. */
  onKey: ((event: KeyboardEvent) => void) | undefined
  /** The open panel. Removed by `setOpen(false)`. */
  panel: OpenPanel | undefined
  /** Called after each command of the site with its name, to update the panel. */
  onCommand?: ((command: string) => void) | undefined
  /**
   * Moves the host element to its present parent: see {@link findParent}, else the given modal element, else where it is
   * shown, else an open modal dialog, else the document.
   */
  place(modal?: ParentNode | null): void
  /** An element of the page that the host element has to be in. */
  findParent?: (() => Element | undefined) | undefined
  /**
   * Notifies the site's listeners. Resolves to false when a listener of `beforesend` cancels (returns false); an object
   * that it returns replaces the detail. Added by the panel stage (`completeStage`), as is `setOpen`.
   */
  emit<Detail>(event: api.EventName, detail?: Detail): Promise<Detail | false>
  /** Called by the panel when it has opened or closed, for any reason. */
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
  /** Completes the stage and its commands, and runs the waiting calls, one of which opens the panel. Rejects without texts. */
  startPanel(stage: Stage): Promise<void>
  /** Sends submissions of earlier visits. Called when the page appears, and when the network is back. */
  resume(stage: Stage): void
}
