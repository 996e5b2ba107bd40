import { template } from './template.ts'

const project = { project: 'Name of the project' } as const
const item = { number: 'Number of the item, without #' } as const
const notified = {
  actor: 'Name of the person, or the text “Unknown actor”',
  what: 'The item, as “#42”, or the text “Items”',
} as const

/** What happened, in the subject of one notification and in the list of several. */
const events = {
  assigned: {
    when: 'An item was assigned to the reader',
    words: '{{actor}} assigned {{what}} to you',
    variables: notified,
  },
  mentioned: {
    when: 'The reader was mentioned in an item',
    words: '{{actor}} mentioned you in #{{number}}',
    variables: { ...item, actor: notified.actor },
  },
  visitorReplied: {
    when: 'A visitor replied in an item of the reader',
    words: 'The visitor replied in #{{number}}',
    variables: item,
  },
  unknownActor: { when: 'In place of a person who is unknown or deleted', words: 'Someone' },
  items: {
    when: 'Several items were assigned at once',
    words: '{{itemCount}} items',
    variables: { itemCount: 'Number of items' },
  },
} as const

export const oneNotification = template('notifications.one', {
  group: 'feedback',
  title: 'One notification',
  sentence: 'Sent to a member when an item is assigned to them, they are mentioned, or a visitor replies.',
  variables: {
    ...project,
    event: 'What happened: one of the texts “Assigned”, “Mentioned” and “Visitor replied”',
    excerpt: 'Beginning of the visitor’s message, or the name of the project',
  },
  lines: events,
  words: {
    subject: '{{project}}: {{event}}',
    preview: '{{excerpt}}',
    title: '{{event}}',
    paragraphs: ['In {{project}}:'],
    button: 'Open the item',
    notes: ['You get this email because it concerns you.'],
  },
})

export const severalNotifications = template('notifications.several', {
  group: 'feedback',
  title: 'Several notifications',
  sentence: 'Sent to a member whose notifications came together, with a list of them.',
  variables: {
    organization: 'Name of the organisation',
    count: 'Number of notifications',
    event: 'The first of them: one of the texts “Assigned”, “Mentioned” and “Visitor replied”',
  },
  lines: events,
  words: {
    subject: '{{organization}}: {{count}} new notifications',
    preview: '{{event}}',
    title: '{{count}} new notifications',
    paragraphs: [],
    button: 'Open the inbox',
    notes: ['You get this email because it concerns you.'],
  },
})

const place = { place: 'Name of the project; if there are several, of the organisation' } as const
const quoted = { quote: 'Beginning of the first message; empty: emails don’t quote it' } as const
const newFeedback = {
  phrases: {
    withoutQuote: { when: 'no message is quoted', words: 'In {{place}}' },
    instantly: {
      when: 'the reader gets such emails at once',
      words: 'You get emails about new feedback instantly. Items that arrive together are grouped.',
    },
    hourly: {
      when: 'the reader gets such emails every hour',
      words: 'You get emails about new feedback every hour, if there is any.',
    },
    daily: {
      when: 'the reader gets such emails once a day',
      words: 'You get emails about unopened feedback once a day, if there is any.',
    },
  },
  lines: {
    projectCount: {
      when: 'List of the projects',
      words: '{{project}}: {{projectCount}} new',
      variables: { ...project, projectCount: 'Number of its new items' },
    },
  },
} as const
const sentence = 'Sent to members at once, every hour or once a day, as they prefer.'

export const oneNewItem = template('new_feedback.one', {
  group: 'feedback',
  title: 'One new item',
  sentence,
  variables: { ...place, ...quoted },
  phrases: newFeedback.phrases,
  lines: {
    ...newFeedback.lines,
    inboxButton: { when: 'Button when the item was deleted meanwhile', words: 'Open the inbox' },
  },
  words: {
    subject: '{{place}}: 1 new item',
    preview: '{{quote}}{{withoutQuote}}',
    title: '1 new item in {{place}}',
    button: 'Open the item',
    notes: ['{{instantly}}{{hourly}}{{daily}}'],
  },
})

export const severalNewItems = template('new_feedback.several', {
  group: 'feedback',
  title: 'Several new items',
  sentence,
  variables: { ...place, ...quoted, count: 'Number of new items' },
  ...newFeedback,
  words: {
    subject: '{{place}}: {{count}} new items',
    preview: '{{quote}}{{withoutQuote}}',
    title: '{{count}} new items in {{place}}',
    button: 'Open the inbox',
    notes: ['{{instantly}}{{hourly}}{{daily}}'],
  },
})

const monitored = 'this inbox isn’t monitored.'
const shared = 'Don’t share this link. Anyone who has it can read this conversation and reply.'
const thread = 'Mailboxes group a conversation by its subject: keep those of a reply and of resolved feedback alike.'

export const conversationReply = template('conversation_reply', {
  group: 'feedback',
  title: 'Reply to a visitor',
  sentence: `Sent to a visitor when the team replies. ${thread}`,
  variables: {
    ...{ ...project, ...item },
    sender: 'The text “Named member” or “Nameless member”',
    excerpt: 'Beginning of the reply',
  },
  lines: {
    namedMember: {
      when: 'A member with a name replied',
      words: '{{author}} of {{project}}',
      variables: { ...project, author: 'Name of the member' },
    },
    namelessMember: {
      when: 'A member without a name replied',
      words: 'The team of {{project}}',
      variables: project,
    },
  },
  words: {
    subject: '{{project}}: your message #{{number}}',
    preview: '{{excerpt}}',
    title: '{{sender}} replied to you',
    quoteIntro: 'You wrote:',
    button: 'Read and reply',
    notes: [`Reply with the button; ${monitored}`, shared],
  },
})

export const feedbackResolved = template('feedback_resolved', {
  group: 'feedback',
  title: 'Resolved feedback, to a visitor',
  sentence: `Sent to a visitor whose feedback is resolved, if the project does so. ${thread}`,
  variables: { ...project, ...item },
  words: {
    subject: '{{project}}: your message #{{number}}',
    preview: '{{project}} marked your message as resolved.',
    title: 'Your message is resolved',
    paragraphs: ['The team of {{project}} marked your message #{{number}} as resolved. Thank you for telling them.'],
    quoteIntro: 'You wrote:',
    button: 'View or reply',
    notes: [`Not solved for you? Say so with the button; ${monitored}`, shared],
  },
})

export const deliveredItem = template('delivered_item', {
  group: 'feedback',
  title: 'Integration “Email”',
  sentence: 'Sent to the addresses of an integration of the type “Email”, for each event that its rules let through.',
  variables: {
    organization: 'Name of the organisation',
    source: 'Name of the project, or of the organisation',
    event: 'What happened',
    excerpt: 'Beginning of the text; empty: there is none, or emails don’t quote it',
    integrationsUrl: 'Address of the organisation’s integrations',
  },
  phrases: { withoutText: { when: 'there is no text', words: 'In {{organization}}' } },
  lines: {
    screenshot: { when: 'Link to the screenshot', words: 'Screenshot' },
    console: { when: 'Label of an error in the console', words: 'Console' },
  },
  words: {
    subject: '{{source}}: {{event}}',
    preview: '{{excerpt}}{{withoutText}}',
    title: '{{event}}',
    button: 'Open in {{product}}',
    notes: [
      'You get this email because an owner of {{organization}} added your address to an integration.',
      'To stop these emails, ask an owner to remove it: {{integrationsUrl}}',
    ],
  },
})
