import type { FeedbackType } from '#contract/feedback.ts'
import type { DemoFileName } from './demo-files.ts'
import type { Slots } from './fill-slots.ts'

/**
 * What visitors of one website write, by type and by the page they are on. `{product}`, `{order}` and their like are
 * filled in anew each time (see fill-slots.ts); a text without any is used once only.
 */
export type Messages = Partial<Record<FeedbackType, Readonly<Record<string, readonly string[]>>>>

/** A page of a website: path and title, with slots. */
export interface DemoPage {
  readonly path: string
  readonly title: string
}

/** One text with what belongs to it. */
export interface DemoMessage {
  readonly type: FeedbackType
  readonly page: string
  readonly text: string
  /** Language tag; English where it is left out. */
  readonly language?: string
  /** Sent while payments failed: see `outage` of the shop's messages. */
  readonly isOutage?: boolean
  /** Why it was put aside: nobody's feedback. */
  readonly spamReason?: string
  /** What was sent along. */
  readonly files?: readonly DemoFileName[]
  /** Slots of its page that are no matter of chance, because a file shows them. */
  readonly slots?: Slots
  /** May be one of those that came in just now. */
  readonly isOfToday?: boolean
}

/** The texts one by one. */
export function listMessages(messages: Messages, more: { isOutage?: boolean } = {}): DemoMessage[] {
  return Object.entries(messages).flatMap(([type, pages]) =>
    Object.entries(pages).flatMap(([page, texts]) =>
      texts.map((text) => ({ type: type as FeedbackType, page, text, ...more })),
    ),
  )
}
