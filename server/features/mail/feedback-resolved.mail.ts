import { type RenderedMail, renderMail } from './mail-layout.ts'
import { breakLinks, quoteName } from './quote-name.ts'
import { shortenQuote } from './shorten-quote.ts'

export interface FeedbackResolved {
  readonly appUrl: string
  /** Address of the conversation, on the instance's own origin. */
  readonly link: string
  readonly projectName: string
  readonly number: number
  /** The visitor's message; empty when they sent no text. */
  readonly message: string
}

/**
 * Tells a visitor that their feedback is resolved. The quoted message can't carry a link: anyone can send feedback under
 * this address.
 */
export function renderFeedbackResolved({ appUrl, link, number, message, ...given }: FeedbackResolved): RenderedMail {
  const project = quoteName(given.projectName)
  return renderMail({
    kind: 'feedback_resolved',
    brand: project,
    // As replies have it: some mailboxes group threads by subject.
    subject: `${project}: your message #${number}`,
    preview: `${project} marked your message as resolved.`,
    title: 'Your message is resolved',
    paragraphs: [`The team of ${project} marked your message #${number} as resolved. Thank you for telling them.`],
    strong: [],
    ...(message !== '' && { quote: { intro: 'You wrote:', text: breakLinks(shortenQuote(message)) } }),
    action: { label: 'View or reply', url: link },
    notes: [
      'Not solved for you? Say so with the button; this inbox isn’t monitored.',
      'Don’t share this link. Anyone who has it can read this conversation and reply.',
    ],
    appUrl,
  })
}
