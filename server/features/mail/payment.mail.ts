import { type RenderedMail, renderMail } from './mail-layout.ts'
import { formatDay, formatMoney } from './money.ts'
import { quoteName } from './quote-name.ts'

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

interface Words {
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly action: { readonly label: string; readonly url: string }
}

/** Tells an owner that a payment was made, failed, waits for a confirmation or was refunded. */
export function renderPaymentNews(
  news: PaymentNews,
  { appUrl, organizationName }: { appUrl: string; organizationName: string },
): RenderedMail {
  const name = quoteName(organizationName)
  const amount = formatMoney(news.cents, news.currency)
  const settings = { label: 'Open billing settings', url: `${appUrl}/dashboard/settings/billing` }
  const { title, paragraphs, action } = wordNews(news, { name, amount, settings })
  return renderMail({
    kind: 'payment_news',
    subject: `${name}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    preview: paragraphs[0] ?? '',
    title,
    paragraphs,
    strong: [name, amount],
    action,
    notes: [
      ...(action === settings ? [] : [`Payment method and invoices: ${settings.url}`]),
      'You get this email because you own this organisation.',
    ],
    appUrl,
  })
}

interface Frame {
  readonly name: string
  readonly amount: string
  readonly settings: Words['action']
}

function wordNews(news: PaymentNews, { name, amount, settings }: Frame): Words {
  const what = `${amount} for the plan ${news.plan} of ${name}`
  switch (news.kind) {
    case 'paid':
    case 'recovered': {
      const invoice = news.number === null ? '' : ` Invoice ${news.number}.`
      return {
        title: news.kind === 'paid' ? 'Payment received' : 'Payment received, your plan continues',
        paragraphs: [
          `We received ${what}.${invoice}`,
          ...(news.kind === 'recovered' ? ['The earlier attempts had failed. Nothing else is owed.'] : []),
        ],
        action: news.pdfUrl === null ? settings : { label: 'Open the invoice', url: news.pdfUrl },
      }
    }
    case 'action_required':
      return {
        title: 'Confirm your payment',
        paragraphs: [
          `Your bank asks you to confirm the payment of ${what}.`,
          'It takes a moment on the bank’s page. Until then, the plan stays active.',
        ],
        action: news.pageUrl === null ? settings : { label: 'Confirm payment', url: news.pageUrl },
      }
    case 'refunded':
      return {
        title: 'Payment refunded',
        paragraphs: [`We refunded ${what}. Banks take 5 to 10 days to show it.`],
        action: settings,
      }
    case 'failed':
      return {
        title: findFailureTitle(news),
        paragraphs: [
          `We could not collect ${what}. The bank says: ${news.error}`,
          news.nextAttemptAt === null
            ? 'We do not try again by ourselves. Without a payment the plan ends: new feedback is then stored, but locked. Nothing is lost.'
            : `We try again on ${formatDay(news.nextAttemptAt)}. Until then, the plan stays active. Pay now, or change the payment method.`,
        ],
        action: news.pageUrl === null ? settings : { label: 'Pay now', url: news.pageUrl },
      }
  }
}

/** Firmer with each attempt. */
function findFailureTitle({ attempts, nextAttemptAt }: { attempts: number; nextAttemptAt: Date | null }): string {
  if (nextAttemptAt === null) return 'Last reminder: your plan is about to end'
  return attempts > 1 ? 'Payment failed again' : 'Payment failed'
}
