import type { ContactTopic } from './contact.ts'

const topics: Readonly<Record<ContactTopic, string>> = {
  question: 'A question',
  problem: 'Something does not work',
  plans: 'Plans and payment',
  privacy: 'Privacy and personal data',
  other: 'Something else',
}

/** A topic as people choose it. */
export function describeTopic(topic: ContactTopic): string {
  return topics[topic]
}
