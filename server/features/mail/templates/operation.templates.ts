import { template } from './template.ts'

const toSuperadmins = 'You get this email because you are a superadmin of this instance.'
const backupNote = `${toSuperadmins} A failure is told once, and once more when it is over.`

interface Failure {
  readonly title: string
  readonly when: string
  readonly meaning: string
}

function failureTemplate(id: string, { title, when, meaning }: Failure) {
  return template(`backup_alert.${id}`, {
    group: 'operation',
    title,
    sentence: `Sent to superadmins when ${when}.`,
    variables: { problem: 'The error' },
    words: {
      subject: `${title} ({{host}})`,
      preview: '{{problem}}',
      title,
      paragraphs: [meaning, '{{problem}}'],
      button: 'View the doctor',
      notes: [backupNote],
    },
  })
}

function recoveryTemplate(id: string, { title, when, meaning }: Failure) {
  return template(`backup_alert.${id}`, {
    group: 'operation',
    title,
    sentence: `Sent to superadmins when ${when}.`,
    words: {
      subject: `${title} ({{host}})`,
      preview: meaning,
      title,
      paragraphs: [meaning],
      button: 'View the doctor',
      notes: [backupNote],
    },
  })
}

export const backupAlerts = {
  backup: {
    failed: failureTemplate('backup_failed', {
      title: 'The scheduled backup failed',
      when: 'the scheduled backup fails',
      meaning: 'No new backup was made. The ones before are kept.',
    }),
    works: recoveryTemplate('backup_works', {
      title: 'Scheduled backups work again',
      when: 'the scheduled backup works after it failed',
      meaning: 'A backup was made and verified.',
    }),
  },
  drill: {
    failed: failureTemplate('drill_failed', {
      title: 'The restore drill failed',
      when: 'the newest backup can’t be restored',
      meaning: 'The newest backup could not be restored into a scratch database. Do not rely on it.',
    }),
    works: recoveryTemplate('drill_works', {
      title: 'The restore drill succeeded again',
      when: 'a backup can be restored after a drill failed',
      meaning: 'The newest backup was restored into a scratch database, and all of it was compared.',
    }),
  },
} as const

const figure = {
  figure: 'Name of the figure; in subject and text, of the first',
  value: 'Its value',
  limit: 'Its threshold',
  duration: 'For how long',
} as const

const variables = {
  figure: 'Name of the figure; in subject and text, of the first',
  otherCount: 'Number of further figures',
  summary: 'The sentences about all figures',
} as const
const phrases = { others: { when: 'there are further figures', words: 'and {{otherCount}} more' } } as const
const recoveredLines = {
  notAbove: {
    when: 'A figure is no longer above its threshold',
    words: '{{figure}}: {{value}}, not above {{limit}} for {{duration}}.',
    variables: figure,
  },
  notBelow: {
    when: 'A figure is no longer below its threshold',
    words: '{{figure}}: {{value}}, not below {{limit}} for {{duration}}.',
    variables: figure,
  },
} as const
const alertNotes = [
  `${toSuperadmins} Each alert is sent once, and once more when it has recovered. You can change the thresholds in monitoring.`,
]

export const thresholdCrossed = template('monitoring_alert.crossed', {
  group: 'operation',
  title: 'Threshold crossed',
  sentence: 'Sent to superadmins when a figure of the monitoring is beyond its threshold.',
  variables,
  phrases,
  lines: {
    above: {
      when: 'A figure is above its threshold',
      words: '{{figure}}: {{value}}, above {{limit}} for {{duration}}.',
      variables: figure,
    },
    below: {
      when: 'A figure is below its threshold',
      words: '{{figure}}: {{value}}, below {{limit}} for {{duration}}.',
      variables: figure,
    },
    ...recoveredLines,
  },
  words: {
    subject: 'Alert: {{figure}} {{others}} ({{host}})',
    preview: '{{summary}}',
    title: 'A threshold was crossed',
    button: 'View monitoring',
    notes: alertNotes,
  },
})

export const thresholdRecovered = template('monitoring_alert.recovered', {
  group: 'operation',
  title: 'Back within the threshold',
  sentence: 'Sent to superadmins when a figure of the monitoring is within its threshold again.',
  variables,
  phrases,
  lines: recoveredLines,
  words: {
    subject: 'Recovered: {{figure}} {{others}} ({{host}})',
    preview: '{{summary}}',
    title: 'Back within the threshold',
    button: 'View monitoring',
    notes: alertNotes,
  },
})

export const contactMessage = template('contact_message', {
  group: 'operation',
  title: 'Message of the contact form',
  sentence: 'Sent to CONTACT_EMAIL, or to superadmins, when someone writes by the contact form.',
  variables: {
    name: 'Name that the person entered',
    topic: 'Topic that the person selected',
    excerpt: 'Beginning of the message',
  },
  lines: {
    nameLabel: { when: 'Label of the name', words: 'Name' },
    emailLabel: { when: 'Label of the address', words: 'Email' },
    topicLabel: { when: 'Label of the topic', words: 'Topic' },
  },
  words: {
    subject: '{{name}}: {{topic}}',
    preview: '{{excerpt}}',
    title: '{{name}} wrote to you',
    quoteIntro: 'By the contact form:',
    button: 'Reply by email',
    notes: [
      'The address is not confirmed. You get this email because you run this instance; the setting CONTACT_EMAIL names another address.',
    ],
  },
})
