import { type PaymentNews, renderPaymentNews } from '../../payment.mail.ts'
import { type MailedWarning, renderPlanWarning } from '../../plan-warning.mail.ts'
import { renderSubscriptionNews, type SubscriptionNews } from '../../subscription.mail.ts'
import { renderWithdrawalReceipt } from '../../withdrawal-receipt.mail.ts'
import { type Sample, sampleDay, sampleTime } from './sample.ts'
import { frame } from './team.samples.ts'

const usage = { level: 80, used: 4000, max: 5000, planName: 'Growth', trialEndsAt: sampleDay } as const
const amount = { cents: 4900, currency: 'usd', plan: 'Growth' } as const
const price = { ...amount, interval: 'month', renewsAt: sampleDay } as const
const failure = { ...amount, kind: 'failed', error: 'Your card has insufficient funds.', attempts: 1 } as const
const page = 'https://invoice.stripe.com/i/sample'

const warn = (label: string, warning: Partial<MailedWarning> & Pick<MailedWarning, 'kind'>): Sample => ({
  label,
  render: (appUrl) => renderPlanWarning({ ...usage, ...warning }, frame(appUrl)),
})
const pay = (label: string, news: PaymentNews): Sample => ({
  label,
  render: (appUrl) => renderPaymentNews(news, frame(appUrl)),
})
const subscribe = (label: string, news: SubscriptionNews): Sample => ({
  label,
  render: (appUrl) => renderSubscriptionNews(news, frame(appUrl)),
})

export const billingSamples = {
  'plan_warning.trial_expiring': [
    warn('In some days', { kind: 'trial_expiring', level: 3 }),
    warn('Within a day, end unknown', { kind: 'trial_expiring', level: 1, trialEndsAt: null }),
  ],
  'plan_warning.trial_ended': [warn('Ended trial', { kind: 'trial_ended' })],
  'plan_warning.items': [
    warn('A named plan', { kind: 'items' }),
    warn('A plan without a name', { kind: 'items', level: 90, used: null, max: null, planName: null }),
  ],
  'plan_warning.items_reached': [
    warn('Reached limit', { kind: 'items', level: 100, used: 5000 }),
    warn('A plan without a name', { kind: 'items', level: 100, planName: null }),
  ],
  'plan_warning.projects': [
    warn('A named plan', { kind: 'projects', used: 8, max: 10 }),
    warn('A plan without a name', { kind: 'projects', planName: null }),
  ],
  'plan_warning.projects_reached': [
    warn('Reached limit', { kind: 'projects', level: 100, used: 10, max: 10 }),
    warn('A plan without a name', { kind: 'projects', level: 100, planName: null }),
  ],
  'plan_warning.members': [
    warn('A named plan', { kind: 'members', used: 12, max: 15 }),
    warn('A plan without a name', { kind: 'members', planName: null }),
  ],
  'plan_warning.members_reached': [
    warn('Reached limit', { kind: 'members', level: 120, used: 18, max: 15 }),
    warn('A plan without a name', { kind: 'members', level: 100, planName: null }),
  ],
  'subscription_news.started': [
    subscribe('Renewal known', { ...price, kind: 'started' }),
    subscribe('Renewal unknown', { ...price, kind: 'started', renewsAt: null }),
  ],
  'subscription_news.reactivated': [subscribe('Reactivated plan', { ...price, kind: 'reactivated' })],
  'subscription_news.upgraded': [subscribe('Larger plan', { ...price, kind: 'upgraded' })],
  'subscription_news.downgraded': [subscribe('Smaller plan', { ...price, kind: 'downgraded' })],
  'subscription_news.cancelled': [
    subscribe('Cancelled plan', { kind: 'cancelled', plan: 'Growth', endsAt: sampleDay }),
  ],
  'subscription_news.ended': [subscribe('Ended plan', { kind: 'ended' })],
  'payment_news.paid': [
    pay('With an invoice', { ...amount, kind: 'paid', number: 'EAR-0042', pdfUrl: page }),
    pay('Without an invoice', { ...amount, kind: 'paid', number: null, pdfUrl: null }),
  ],
  'payment_news.recovered': [
    pay('With an invoice', { ...amount, kind: 'recovered', number: 'EAR-0042', pdfUrl: page }),
    pay('Without an invoice', { ...amount, kind: 'recovered', number: null, pdfUrl: null }),
  ],
  'payment_news.failed': [
    pay('With a page to pay', { ...failure, nextAttemptAt: sampleDay, pageUrl: page }),
    pay('Without a page to pay', { ...failure, nextAttemptAt: sampleDay, pageUrl: null }),
  ],
  'payment_news.failed_again': [
    pay('With a page to pay', { ...failure, attempts: 2, nextAttemptAt: sampleDay, pageUrl: page }),
    pay('Without a page to pay', { ...failure, attempts: 2, nextAttemptAt: sampleDay, pageUrl: null }),
  ],
  'payment_news.failed_finally': [
    pay('With a page to pay', { ...failure, attempts: 4, nextAttemptAt: null, pageUrl: page }),
    pay('Without a page to pay', { ...failure, attempts: 4, nextAttemptAt: null, pageUrl: null }),
  ],
  'payment_news.action_required': [
    pay('With a page to confirm', { ...amount, kind: 'action_required', pageUrl: page }),
    pay('Without a page to confirm', { ...amount, kind: 'action_required', pageUrl: null }),
  ],
  'payment_news.refunded': [pay('Refund', { ...amount, kind: 'refunded' })],
  withdrawal_receipt: [
    {
      label: 'Withdrawal',
      render: (appUrl) =>
        renderWithdrawalReceipt({
          ...{ appUrl, organizationName: 'Engines & Co', planName: 'Growth', name: 'Ada Lovelace' },
          ...{ requestedAt: sampleTime, refundedCents: 4900 },
        }),
    },
  ],
} satisfies Record<string, readonly Sample[]>
