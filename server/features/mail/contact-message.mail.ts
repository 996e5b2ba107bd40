import type { ContactTopic } from '#contract/contact.ts'
import { describeTopic } from '#contract/contact-words.ts'
import type { RenderedMail } from './mail-layout.ts'
import { breakLinks, quoteName } from './quote-name.ts'
import { openTemplate } from './templates/open-template.ts'
import { contactMessage } from './templates/operation.templates.ts'

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
  const opened = openTemplate(contactMessage, appUrl)
  return opened.render({
    ...{ appUrl, quote: breakLinks(message) },
    values: { name: who, topic: describeTopic(topic), excerpt: message.replaceAll(/\s+/g, ' ').slice(0, 140) },
    facts: [
      { label: opened.say('nameLabel'), value: who },
      { label: opened.say('emailLabel'), value: email },
      { label: opened.say('topicLabel'), value: describeTopic(topic) },
    ],
    action: { url: `mailto:${encodeURIComponent(email).replace('%40', '@')}` },
  })
}
