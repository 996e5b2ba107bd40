import type { RenderedMail } from './mail-layout.ts'
import { breakLinks, quoteName } from './quote-name.ts'
import { shortenQuote } from './shorten-quote.ts'
import { feedbackResolved } from './templates/feedback.templates.ts'
import { openTemplate } from './templates/open-template.ts'

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
  return openTemplate(feedbackResolved, appUrl).render({
    ...{ appUrl, brand: project, action: { url: link } },
    values: { project, number: String(number) },
    ...(message !== '' && { quote: breakLinks(shortenQuote(message)) }),
  })
}
