import type { ContactTopic } from '#contract/contact.ts'
import { describeTopic } from '#contract/contact-words.ts'
import { type RenderedMail, renderMail } from './mail-layout.ts'
import { breakLinks, quoteName } from './quote-name.ts'

/** A message of the contact form. */
export interface SentMessage {
  readonly appUrl: string
  readonly topic: ContactTopic
  readonly name: string
  readonly email: string
  readonly message: string
}

/** Tells the operator what someone wrote. Links in it are broken: anyone can send it. */
export function renderContactMessage({ appUrl, topic, name, email, message }: SentMessage): RenderedMail {
  const who = quoteName(name)
  return renderMail({
    kind: 'contact_message',
    subject: `${who}: ${describeTopic(topic)}`,
    preview: message.replaceAll(/\s+/g, ' ').slice(0, 140),
    title: `${who} wrote to you`,
    paragraphs: [],
    strong: [],
    quote: { intro: 'By the contact form:', text: breakLinks(message) },
    facts: [
      { label: 'Name', value: who },
      { label: 'Email', value: email },
      { label: 'Topic', value: describeTopic(topic) },
    ],
    action: { label: 'Reply by email', url: `mailto:${encodeURIComponent(email).replace('%40', '@')}` },
    notes: [
      'The address is not confirmed. You get this email because you run this instance; the setting CONTACT_EMAIL names another address.',
    ],
    appUrl,
  })
}
