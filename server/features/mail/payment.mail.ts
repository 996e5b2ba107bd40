import type { RenderedMail } from './mail-layout.ts'
import { formatDay, formatMoney } from './money.ts'
import { quoteName } from './quote-name.ts'
import {
  actionRequired,
  failed,
  failedAgain,
  failedFinally,
  paid,
  recovered,
  refunded,
} from './templates/billing.templates.ts'
import { openTemplate } from './templates/open-template.ts'

interface Amount {
  readonly cents: number
  readonly currency: string
  readonly plan: string
}

/** What happened to a payment. */
export type PaymentNews =
  | (Amount & {
      /** `recovered`: after failed attempts. */
      readonly kind: 'paid' | 'recovered'
      readonly number: string | null
      readonly pdfUrl: string | null
    })
  | (Amount & {
      readonly kind: 'failed'
      /** The bank's reason. */
      readonly error: string
      readonly attempts: number
      /** Null: it is not tried again. */
      readonly nextAttemptAt: Date | null
      /** Stripe's page, where it can be paid. */
      readonly pageUrl: string | null
    })
  | (Amount & { readonly kind: 'action_required'; readonly pageUrl: string | null })
  | (Amount & { readonly kind: 'refunded' })

/** Tells an owner that a payment was made, failed, waits for a confirmation or was refunded. */
export function renderPaymentNews(
  news: PaymentNews,
  { appUrl, organizationName }: { appUrl: string; organizationName: string },
): RenderedMail {
  const organization = quoteName(organizationName)
  const amount = formatMoney(news.cents, news.currency)
  const billingUrl = `${appUrl}/dashboard/settings/billing`
  const values = { organization, amount, plan: news.plan, billingUrl }
  const parts = { appUrl, strong: [organization, amount] }
  /** The button leads to a page outside, if there is one. */
  const lead = (url: string | null) =>
    url === null
      ? { action: { url: billingUrl, label: 'billingButton' as const }, phrases: {} }
      : { action: { url }, phrases: { billingPage: true } }
  switch (news.kind) {
    case 'paid':
    case 'recovered': {
      const { action, phrases } = lead(news.pdfUrl)
      return openTemplate(news.kind === 'paid' ? paid : recovered, appUrl).render({
        ...{ ...parts, action, phrases: { ...phrases, invoice: news.number !== null } },
        values: { ...values, invoiceNumber: news.number ?? '' },
      })
    }
    case 'action_required':
      return openTemplate(actionRequired, appUrl).render({ ...parts, values, ...lead(news.pageUrl) })
    case 'refunded':
      return openTemplate(refunded, appUrl).render({ ...parts, values, action: { url: billingUrl } })
    case 'failed':
      return openTemplate(findFailure(news), appUrl).render({
        ...{ ...parts, ...lead(news.pageUrl) },
        values: { ...values, error: news.error, day: news.nextAttemptAt === null ? '' : formatDay(news.nextAttemptAt) },
      })
  }
}

/** Firmer with each attempt. */
function findFailure({ attempts, nextAttemptAt }: { attempts: number; nextAttemptAt: Date | null }) {
  if (nextAttemptAt === null) return failedFinally
  return attempts > 1 ? failedAgain : failed
}
