import { template } from './template.ts'

const about = 'With {{product}}, a team reads and answers feedback from its website’s visitors.'
const owner = 'You get this email because you own this organisation.'
const organization = { organization: 'Name of the organisation' } as const
const integration = { ...organization, integration: 'Name of the integration', service: 'Name of its service' } as const

export const organizationInvitation = template('organization_invitation', {
  group: 'team',
  title: 'Invitation to an organisation',
  sentence: 'Sent to someone whom a member invites to an organisation.',
  variables: {
    ...organization,
    inviter: 'Name of the member, or the text “Nameless inviter”',
    role: 'Role with its article, such as “an admin”',
    email: 'The recipient’s address',
    validity: 'How long the invitation works',
  },
  lines: { namelessInviter: { when: 'In place of a member without a name', words: 'Someone on the team' } },
  words: {
    subject: 'Invitation to {{organization}} on {{product}}',
    preview: '{{inviter}} wants to work with you.',
    title: 'Join {{organization}} on {{product}}',
    paragraphs: [`{{inviter}} invited you to {{organization}} as {{role}}. ${about}`],
    button: 'Accept invitation',
    notes: [
      'The invitation works once, for {{validity}}, and for {{email}} only.',
      'Don’t know who this is from? You can ignore this email.',
    ],
  },
})

export const organizationClosed = template('organization_closed', {
  group: 'team',
  title: 'Organisation deleted',
  sentence: 'Sent to the owners of an organisation that an owner deleted.',
  variables: {
    ...organization,
    person: 'Name of the owner who deleted it',
    until: 'Until when it can be restored, in UTC',
  },
  words: {
    subject: '{{organization}} was deleted on {{product}}',
    preview: 'It can be restored until {{until}}.',
    title: '{{organization}} was deleted',
    paragraphs: [
      '{{person}} deleted {{organization}}. It is closed for all members, and its widgets show on no page.',
      'Everything in it is permanently deleted on {{until}}. Until then, an owner can restore all of it.',
    ],
    button: 'Restore organisation',
    notes: [owner],
  },
})

export const organizationSuspended = template('organization_suspended', {
  group: 'team',
  title: 'Organisation suspended',
  sentence:
    'Sent to the owners of an organisation that a superadmin suspended, with the message to its members, if there is one.',
  variables: organization,
  words: {
    subject: '{{organization}} was suspended on {{product}}',
    preview: 'Its members have no access, and its widgets show on no page.',
    title: '{{organization}} was suspended',
    paragraphs: [
      'Those who run this {{product}} instance suspended {{organization}}. Its members have no access, and its widgets show on no page.',
      'Nothing is deleted. Feedback that still arrives is stored. As an owner you can export your feedback, see your invoices, cancel your plan and delete the organisation.',
    ],
    button: 'Contact us',
    notes: [owner],
  },
})

export const suspensionLifted = template('organization_suspension_lifted', {
  group: 'team',
  title: 'Suspension lifted',
  sentence: 'Sent to the owners of an organisation when a superadmin lifts its suspension.',
  variables: organization,
  words: {
    subject: '{{organization}} is no longer suspended on {{product}}',
    preview: 'Its members have access again, and its widgets show.',
    title: '{{organization}} is no longer suspended',
    paragraphs: [
      'The suspension of {{organization}} was lifted. Its members have access again, and its widgets show.',
      'Feedback that arrived meanwhile appears in the inbox within minutes.',
    ],
    button: 'Open {{product}}',
    notes: [owner],
  },
})

export const integrationDisabled = template('integration_disabled', {
  group: 'team',
  title: 'Integration disabled',
  sentence: 'Sent to the owners of an organisation when its deliveries to a service fail for so long that they stop.',
  variables: { ...integration, cause: 'Why the deliveries failed; empty: unknown' },
  phrases: {
    reason: { when: 'the cause is known', words: 'Reason: {{cause}}' },
    withoutReason: { when: 'the cause is unknown', words: 'Nothing is delivered any more.' },
  },
  words: {
    subject: '{{product}} disabled {{integration}}',
    preview: '{{cause}}{{withoutReason}}',
    title: 'An integration was disabled',
    paragraphs: [
      '{{product}} disabled {{integration}} in {{organization}}. Nothing is delivered to {{service}} any more.',
      '{{reason}}',
      'Fix the cause, then enable the integration. Deliveries that wait are sent then, and events that it missed can be replayed.',
    ],
    button: 'View integration',
    notes: [owner],
  },
})

export const tokenEnding = template('token_ending', {
  group: 'team',
  title: 'Token of an integration expires',
  sentence: 'Sent to the owners of an organisation 30, 7 and 1 days before a token expires.',
  variables: { ...integration, day: 'Day on which it expires', remaining: 'The text “Today”, “Tomorrow” or “In days”' },
  lines: {
    today: { when: 'The token expires today', words: 'today' },
    tomorrow: { when: 'The token expires tomorrow', words: 'tomorrow' },
    inDays: { when: 'The token expires later', words: 'in {{days}} days', variables: { days: 'Number of days' } },
  },
  words: {
    subject: '{{product}}: the token of {{integration}} expires {{remaining}}',
    preview: 'Without a new token, deliveries stop on {{day}}.',
    title: 'The token expires {{remaining}}',
    paragraphs: [
      'The token that connects {{integration}} in {{organization}} expires on {{day}}. Deliveries stop without a valid token.',
      'Create a new token in {{service}} and enter it in {{product}}. Nothing else changes.',
    ],
    button: 'Enter new token',
    notes: [`${owner} It is sent 30, 7 and 1 days before a token expires.`],
  },
})

export const filesFull = template('files_full', {
  group: 'team',
  title: 'Storage is full',
  sentence: 'Sent to the owners of an organisation at most once a day, when a visitor’s file was refused.',
  variables: { place: 'Name of the project or organisation without room' },
  words: {
    subject: '{{place}}: storage for files is full',
    preview: 'Visitors’ files are refused. Text feedback still arrives.',
    title: 'Storage for files is full',
    paragraphs: [
      '{{place}} has no room for a visitor’s file, so the file was refused. Text feedback still arrives.',
      'The visitor’s browser keeps the file and tries again later. To make room, delete feedback that has large files, then empty the trash.',
    ],
    button: 'View storage',
    notes: [`${owner} It is sent at most once a day.`],
  },
})
