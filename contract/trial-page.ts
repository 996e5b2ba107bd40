import type { WidgetLocale } from './widget-settings.ts'

/*
 * Messages between the page on which a widget is tried (widget/trial) and the screen that frames it.
 */

/** What the screen asks for. All but the network counts once: another widget is another page. */
export interface TrialWish {
  readonly widgetKey: string
  readonly scheme: 'light' | 'dark'
  /** Empty: the browser's. */
  readonly locale: WidgetLocale | ''
  readonly network: 'normal' | 'slow' | 'offline'
}

/** What the page reports. Times in milliseconds since the page began. */
export type TrialReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'shown'; readonly atMs: number }
  | { readonly kind: 'failed' }
  | {
      readonly kind: 'file'
      readonly name: string
      readonly atMs: number
      readonly durationMs: number
      /** As it was sent, compressed. */
      readonly bytes: number
      readonly isCached: boolean
    }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly atMs: number
      readonly durationMs: number
      /** 0: no answer. */
      readonly status: number
      readonly answer: string
    }
  | { readonly kind: 'event'; readonly name: string; readonly atMs: number; readonly detail: string }
