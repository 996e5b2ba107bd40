import { type RenderedMail, renderMail } from './mail-layout.ts'
import { breakLinks, quoteName } from './quote-name.ts'

export interface ConversationReply {
  readonly appUrl: string
  /** Address of the conversation, on the instance's own origin. */
  readonly link: string
  readonly projectName: string
  /** Null: who replies has no name. */
  readonly authorName: string | null
  readonly number: number
  /** What the team wrote. */
  readonly text: string
  /** What the visitor had sent; empty when that was no text. */
  readonly message: string
}

const maxQuoteLength = 1500

/**
 * A reply to what a visitor sent. The visitor's words come back quoted and can't carry a link: anybody may have written
 * them under this address.
 */
export function renderConversationReply(reply: ConversationReply): RenderedMail {
  const { appUrl, link, number, text, message } = reply
  const project = quoteName(reply.projectName)
  const author = reply.authorName === null ? project : quoteName(reply.authorName)
  const who = reply.authorName === null ? `The team of ${project}` : `${author} of ${project}`
  return renderMail({
    kind: 'conversation_reply',
    brand: project,
    // The same for all of one conversation: some mailboxes keep threads by it.
    subject: `${project}: your message #${number}`,
    preview: text.replaceAll(/\s+/g, ' ').slice(0, 140),
    title: `${who} answered you`,
    paragraphs: [],
    strong: [],
    letter: text,
    ...(message !== '' && { quote: { intro: 'You wrote:', text: breakLinks(shorten(message)) } }),
    action: { label: 'Read and answer', url: link },
    notes: [
      'Please answer with the button: mails to this address are not read.',
      'The link is yours alone. Whoever has it can read this conversation and answer in it.',
    ],
    appUrl,
  })
}

function shorten(text: string): string {
  const characters = [...text]
  return characters.length > maxQuoteLength ? `${characters.slice(0, maxQuoteLength).join('')}…` : text
}
