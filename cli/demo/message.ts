import type { FeedbackType } from '#contract/feedback.ts'
import type { DemoFileName } from './demo-files.ts'
import type { Slots } from './fill-slots.ts'

/**
 * Messages of one website's visitors, by type and page. Slots such as `{product}` and `{order}` are filled in for each
 * item (see fill-slots.ts); a text without slots is used only once.
 */
export type Messages = Partial<Record<FeedbackType, Readonly<Record<string, readonly string[]>>>>

/** A page of a website: path and title, with slots. */
export interface DemoPage {
  readonly path: string
  readonly title: string
}

/** One text with its attributes. */
export interface DemoMessage {
  readonly type: FeedbackType
  readonly page: string
  readonly text: string
  /** Language tag; English where it is left out. */
  readonly language?: string
  /** Sent while payments failed: see `outage` of the shop's messages. */
  readonly isOutage?: boolean
  /** The spam reason. */
  readonly spamReason?: string
  /** The attached files. */
  readonly files?: readonly DemoFileName[]
  /** Fixed slots of its page, because a file shows them. */
  readonly slots?: Slots
  /** May be used for a new item of the last hour. */
  readonly isOfToday?: boolean
}

/** The texts one by one. */
export function listMessages(messages: Messages, more: { isOutage?: boolean } = {}): DemoMessage[] {
  return Object.entries(messages).flatMap(([type, pages]) =>
    Object.entries(pages).flatMap(([page, texts]) =>
      // The keys of Messages are the types of feedback.
      texts.map((text) => ({ type: type as FeedbackType, page, text, ...more })),
    ),
  )
}
