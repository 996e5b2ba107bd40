import type { LoaderSettings } from '#contract/widget.ts'
import type { Transport } from '../transport/transport.ts'

/** What the site told us about the person in front of the page. */
export interface Visitor {
  email?: string
  name?: string
}

/** Values a site may put into the form when it opens the panel itself. */
export interface Prefill {
  type?: string
  message?: string
  rating?: number
  email?: string
}

/** What the loader lends to the panel: one shadow root, one keyboard guard, one transport. */
export interface Stage {
  readonly settings: LoaderSettings
  /** Absolute address that submissions are posted to. */
  readonly submissionsUrl: string
  readonly root: ShadowRoot
  /** Read when the panel opens and when it sends: the site may set them at any time. */
  readonly visitor: Visitor
  readonly metadata: Record<string, unknown>
  loadTransport(): Promise<Transport>
  addStyles(css: string): void
  /** Called with every key pressed inside the shadow root; no listener of the page sees those keys. */
  onKey: ((event: KeyboardEvent) => void) | undefined
  /** The panel says that it has closed, whoever closed it. */
  closed(): void
}

export interface OpenPanel {
  close(): void
}

/** Exports of the panel stage. */
export interface PanelModule {
  openPanel(stage: Stage, prefill: Prefill): OpenPanel
}
