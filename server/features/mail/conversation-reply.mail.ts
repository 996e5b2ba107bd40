import { type RenderedMail, renderMail } from './mail-layout.ts'
import { breakLinks, quoteName } from './quote-name.ts'
import { shortenQuote } from './shorten-quote.ts'

export interface ConversationReply {
  readonly appUrl: string
  /** Address of the conversation, on the instance's own origin. */
  readonly link: string
  readonly projectName: string
  /** Null: the author has no name. */
  readonly authorName: string | null
  readonly number: number
  /** The team's reply. */
  readonly text: string
  /** The visitor's message; empty when they sent no text. */
  readonly message: string
}

/**
 * A reply to a visitor's feedback. The quoted message can't carry a link: anyone can send feedback under this address.
 */
export function renderConversationReply(reply: ConversationReply): RenderedMail {
  const { appUrl, link, number, text, message } = reply
  const project = quoteName(reply.projectName)
  const author = reply.authorName === null ? project : quoteName(reply.authorName)
  const who = reply.authorName === null ? `The team of ${project}` : `${author} of ${project}`
  return renderMail({
    kind: 'conversation_reply',
    brand: project,
    // The same for all emails of a conversation: some mailboxes group threads by subject.
    subject: `${project}: your message #${number}`,
    preview: text.replaceAll(/\s+/g, ' ').slice(0, 140),
    title: `${who} replied to you`,
    paragraphs: [],
    strong: [],
    letter: text,
    ...(message !== '' && { quote: { intro: 'You wrote:', text: breakLinks(shortenQuote(message)) } }),
    action: { label: 'Read and reply', url: link },
    notes: [
      'Reply with the button; this inbox isn’t monitored.',
      'Don’t share this link. Anyone who has it can read this conversation and reply.',
    ],
    appUrl,
  })
}
