import { template } from './template.ts'

const owner = 'You get this email because you own this organisation.'
const organization = { organization: 'Name of the organisation' } as const
const locked = 'Choose a plan to read it. Nothing is lost.'
const toOwners = 'Sent to the owners of an organisation'

export const trialExpiring = template('plan_warning.trial_expiring', {
  group: 'billing',
  title: 'Trial ends soon',
  sentence: `${toOwners} 7, 3 and 1 days before its trial ends.`,
  variables: {
    ...organization,
    remaining: 'The text “Within a day” or “Within days”',
    day: 'Day on which it ends, or the text “Unknown day”',
  },
  lines: {
    withinADay: { when: 'It ends within a day', words: 'within a day' },
    withinDays: { when: 'It ends later', words: 'within {{days}} days', variables: { days: 'Number of days' } },
    unknownDay: { when: 'In place of a day that is unknown', words: 'the last day' },
  },
  words: {
    subject: '{{organization}}: your trial ends {{remaining}}',
    preview: 'The trial of {{organization}} ends on {{day}}.',
    title: 'Your trial ends {{remaining}}',
    paragraphs: [
      'The trial of {{organization}} ends on {{day}}.',
      `After that, new feedback is stored, but locked. ${locked}`,
    ],
    button: 'Compare plans',
    notes: [owner],
  },
})

export const trialEnded = template('plan_warning.trial_ended', {
  group: 'billing',
  title: 'Trial ended',
  sentence: `${toOwners} whose trial has ended.`,
  variables: organization,
  words: {
    subject: '{{organization}}: your trial has ended',
    preview:
      'The trial of {{organization}} has ended. Your team can still read and export all feedback received so far.',
    title: 'Your trial has ended',
    paragraphs: [
      'The trial of {{organization}} has ended. Your team can still read and export all feedback received so far.',
      `New feedback is stored, but locked. ${locked}`,
    ],
    button: 'Compare plans',
    notes: [owner],
  },
})

interface Limit {
  readonly name: string
  readonly of: string
  readonly noun: string
  readonly after: string
}

function limitTemplate(id: string, { name, of, noun, after }: Limit, isReached: boolean) {
  const use = `{{organization}} uses {{used}} of {{limit}} ${noun} of the {{plan}} plan.`
  return template(`plan_warning.${id}`, {
    group: 'billing',
    title: isReached ? `Limit of ${name} reached` : `Limit of ${name} nearly reached`,
    sentence: `${toOwners} that uses ${isReached ? '100 %' : '80 or 90 %'} of its plan’s ${name}.`,
    variables: {
      ...organization,
      percent: 'Share of the limit that is used, without %',
      used: 'Number that is used',
      limit: 'Number that the plan includes',
      plan: 'Name of the plan, or the text “Unnamed plan”',
    },
    lines: { unnamedPlan: { when: 'In place of a plan without a name', words: 'current' } },
    words: {
      subject: isReached ? `{{organization}}: limit of ${of} reached` : `{{organization}}: {{percent}} % of ${of} used`,
      preview: use,
      title: isReached ? `Limit of ${of} reached` : `{{percent}} % of ${of} used`,
      paragraphs: [use, after],
      button: 'Compare plans',
      notes: [owner],
    },
  })
}

const items = {
  name: 'feedback items',
  of: 'feedback this month',
  noun: 'feedback items a month',
  after: 'Feedback above the limit is stored, but locked. Choose a larger plan to read it.',
}
const projects = {
  ...{ name: 'projects', of: 'projects', noun: 'projects' },
  after: 'To add projects above the limit, choose a larger plan or archive a project.',
}
const members = {
  ...{ name: 'members', of: 'members', noun: 'members' },
  after: 'To invite members above the limit, choose a larger plan. Viewers don’t count.',
}

export const limits = {
  items: { near: limitTemplate('items', items, false), reached: limitTemplate('items_reached', items, true) },
  projects: {
    near: limitTemplate('projects', projects, false),
    reached: limitTemplate('projects_reached', projects, true),
  },
  members: {
    near: limitTemplate('members', members, false),
    reached: limitTemplate('members_reached', members, true),
  },
} as const

interface PlanChange {
  readonly title: string
  readonly when: string
  readonly headline: string
}

function planTemplate(id: string, { title, when, headline }: PlanChange) {
  const text =
    '{{organization}} has the plan {{plan}} for {{price}} a {{interval}}, before discounts and taxes. {{nextInvoice}}'
  return template(`subscription_news.${id}`, {
    group: 'billing',
    title,
    sentence: `${toOwners} ${when}.`,
    variables: {
      ...organization,
      plan: 'Name of the plan',
      price: 'Its price with the currency',
      interval: '“month” or “year”',
      day: 'Day of the next invoice; empty: unknown',
    },
    phrases: {
      nextInvoice: { when: 'the day of the next invoice is known', words: 'The next invoice follows on {{day}}.' },
    },
    words: {
      subject: `{{organization}}: ${headline.charAt(0).toLowerCase()}${headline.slice(1)}`,
      preview: text,
      title: headline,
      paragraphs: [text],
      button: 'Open billing settings',
      notes: [owner],
    },
  })
}

const changed = 'Your plan is now {{plan}}'

export const planChanges = {
  started: planTemplate('started', {
    ...{ title: 'Plan started', when: 'that chose a plan', headline: 'Your plan {{plan}} is active' },
  }),
  reactivated: planTemplate('reactivated', {
    ...{ title: 'Plan continues', when: 'that keeps a cancelled plan', headline: 'Your plan {{plan}} continues' },
  }),
  upgraded: planTemplate('upgraded', {
    ...{ title: 'Larger plan', when: 'that chose a larger plan', headline: changed },
  }),
  downgraded: planTemplate('downgraded', {
    ...{ title: 'Smaller plan', when: 'that chose a smaller plan', headline: changed },
  }),
} as const

export const planCancelled = template('subscription_news.cancelled', {
  group: 'billing',
  title: 'Plan cancelled',
  sentence: `${toOwners} whose plan was cancelled.`,
  variables: { ...organization, plan: 'Name of the plan', day: 'Last day of the plan' },
  words: {
    subject: '{{organization}}: your plan ends on {{day}}',
    preview:
      'The plan {{plan}} of {{organization}} was cancelled. You can use it until {{day}}, and nothing is charged any more.',
    title: 'Your plan ends on {{day}}',
    paragraphs: [
      'The plan {{plan}} of {{organization}} was cancelled. You can use it until {{day}}, and nothing is charged any more.',
      'After that, new feedback is stored, but locked. An owner can keep the plan until then.',
    ],
    button: 'Keep plan',
    notes: [owner],
  },
})

export const planEnded = template('subscription_news.ended', {
  group: 'billing',
  title: 'Plan ended',
  sentence: `${toOwners} whose plan has ended.`,
  variables: organization,
  words: {
    subject: '{{organization}}: your plan has ended',
    preview:
      'The plan of {{organization}} has ended. Your team can still read and export all feedback received so far.',
    title: 'Your plan has ended',
    paragraphs: [
      'The plan of {{organization}} has ended. Your team can still read and export all feedback received so far.',
      `New feedback is stored, but locked. ${locked}`,
    ],
    button: 'Choose a plan',
    notes: [owner],
  },
})

const payment = { ...organization, amount: 'Amount with the currency', plan: 'Name of the plan' } as const
const billingUrl = { billingUrl: 'Address of the billing settings' } as const
const billingPage = {
  when: 'the button leads elsewhere',
  words: 'Payment method and invoices: {{billingUrl}}',
} as const
const billingButton = { when: 'Button that leads to the billing settings', words: 'Open billing settings' } as const
const what = '{{amount}} for the plan {{plan}} of {{organization}}'

function paidTemplate(id: string, title: string, when: string, headline: string, more: readonly string[]) {
  const text = `We received ${what}. {{invoice}}`
  return template(`payment_news.${id}`, {
    group: 'billing',
    title,
    sentence: `${toOwners} ${when}.`,
    variables: { ...payment, ...billingUrl, invoiceNumber: 'Number of the invoice; empty: unknown' },
    phrases: { billingPage, invoice: { when: 'the invoice has a number', words: 'Invoice {{invoiceNumber}}.' } },
    lines: { billingButton },
    words: {
      subject: `{{organization}}: ${headline.charAt(0).toLowerCase()}${headline.slice(1)}`,
      preview: text,
      title: headline,
      paragraphs: [text, ...more],
      button: 'Open the invoice',
      notes: ['{{billingPage}}', owner],
    },
  })
}

export const paid = paidTemplate('paid', 'Payment received', 'that paid', 'Payment received', [])
export const recovered = paidTemplate(
  'recovered',
  'Payment received after failed attempts',
  'whose payment was received after failed attempts',
  'Payment received, your plan continues',
  ['The earlier attempts had failed. Nothing else is owed.'],
)

interface Failure {
  readonly title: string
  readonly when: string
  readonly headline: string
  readonly next: string
}

/** Firmer with each attempt. */
function failedTemplate(id: string, { title, when, headline, next }: Failure) {
  const text = `We could not collect ${what}. The bank says: {{error}}`
  return template(`payment_news.${id}`, {
    group: 'billing',
    title,
    sentence: `${toOwners} ${when}.`,
    variables: {
      ...{ ...payment, ...billingUrl },
      error: 'The bank’s reason',
      day: 'Day of the next attempt; empty: there is none',
    },
    phrases: { billingPage },
    lines: { billingButton },
    words: {
      subject: `{{organization}}: ${headline.charAt(0).toLowerCase()}${headline.slice(1)}`,
      preview: text,
      title: headline,
      paragraphs: [text, next],
      button: 'Pay now',
      notes: ['{{billingPage}}', owner],
    },
  })
}

const again = 'We try again on {{day}}. Until then, the plan stays active. Pay now, or change the payment method.'

export const failed = failedTemplate('failed', {
  title: 'Payment failed',
  when: 'whose payment failed for the first time',
  headline: 'Payment failed',
  next: again,
})
export const failedAgain = failedTemplate('failed_again', {
  title: 'Payment failed again',
  when: 'whose payment failed again',
  headline: 'Payment failed again',
  next: again,
})
export const failedFinally = failedTemplate('failed_finally', {
  title: 'Payment failed for the last time',
  when: 'whose payment failed and is not tried again',
  headline: 'Last reminder: your plan is about to end',
  next: 'We do not try again by ourselves. Without a payment the plan ends: new feedback is then stored, but locked. Nothing is lost.',
})

export const actionRequired = template('payment_news.action_required', {
  group: 'billing',
  title: 'Payment waits for a confirmation',
  sentence: `${toOwners} whose bank asks to confirm a payment.`,
  variables: { ...payment, ...billingUrl },
  phrases: { billingPage },
  lines: { billingButton },
  words: {
    subject: '{{organization}}: confirm your payment',
    preview: `Your bank asks you to confirm the payment of ${what}.`,
    title: 'Confirm your payment',
    paragraphs: [
      `Your bank asks you to confirm the payment of ${what}.`,
      'It takes a moment on the bank’s page. Until then, the plan stays active.',
    ],
    button: 'Confirm payment',
    notes: ['{{billingPage}}', owner],
  },
})

export const refunded = template('payment_news.refunded', {
  group: 'billing',
  title: 'Payment refunded',
  sentence: `${toOwners} that gets a payment back.`,
  variables: payment,
  words: {
    subject: '{{organization}}: payment refunded',
    preview: `We refunded ${what}. Banks take 5 to 10 days to show it.`,
    title: 'Payment refunded',
    paragraphs: [`We refunded ${what}. Banks take 5 to 10 days to show it.`],
    button: 'Open billing settings',
    notes: [owner],
  },
})

export const withdrawalReceipt = template('withdrawal_receipt', {
  group: 'billing',
  title: 'Receipt of a withdrawal',
  sentence:
    'Sent to someone who withdraws from the contract. The law requires the person, the contract and the time in it (EU directive 2011/83, article 11a).',
  variables: {
    ...organization,
    person: 'Name of the person who withdrew',
    plan: 'Name of the plan',
    time: 'When the declaration was received, in UTC',
    amount: 'Refunded amount with the currency',
  },
  needs: ['person', 'organization', 'plan', 'time'],
  words: {
    subject: 'You withdrew from the contract for {{organization}}',
    preview: 'Received on {{time}}.',
    title: 'You withdrew from the contract',
    paragraphs: [
      '{{person}} withdrew from the contract for the plan {{plan}} of {{organization}}. We received the declaration on {{time}}.',
      'The plan has ended. {{amount}} is refunded to the payment method that was charged. Banks take 5 to 10 days.',
      'Feedback received so far can be read and exported. New feedback is stored and locked.',
    ],
    button: 'Open billing settings',
    notes: ['Keep this email: it confirms your withdrawal.'],
  },
})
