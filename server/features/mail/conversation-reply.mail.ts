import type { RenderedMail } from './mail-layout.ts'
import { breakLinks, quoteName } from './quote-name.ts'
import { shortenQuote } from './shorten-quote.ts'
import { conversationReply } from './templates/feedback.templates.ts'
import { openTemplate } from './templates/open-template.ts'

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
  const opened = openTemplate(conversationReply, appUrl)
  const sender =
    reply.authorName === null
      ? opened.say('namelessMember', { project })
      : opened.say('namedMember', { project, author: quoteName(reply.authorName) })
  const excerpt = text.replaceAll(/\s+/g, ' ').slice(0, 140)
  return opened.render({
    ...{ appUrl, brand: project, letter: text, action: { url: link } },
    values: { project, sender, excerpt, number: String(number) },
    ...(message !== '' && { quote: breakLinks(shortenQuote(message)) }),
  })
}
