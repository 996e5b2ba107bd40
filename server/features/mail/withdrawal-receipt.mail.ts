import { type RenderedMail, renderMail } from './mail-layout.ts'
import { formatMoney } from './money.ts'
import { quoteName } from './quote-name.ts'
import { formatMoment } from './requester.ts'

export interface WithdrawalReceipt {
  readonly appUrl: string
  readonly organizationName: string
  readonly planName: string
  /** Who declared it. */
  readonly name: string
  readonly requestedAt: Date
  /** In cents of a US dollar. */
  readonly refundedCents: number
}

/** Confirms on a durable medium that someone withdrew from the contract (EU directive 2011/83, article 11a). */
export function renderWithdrawalReceipt(receipt: WithdrawalReceipt): RenderedMail {
  const organization = quoteName(receipt.organizationName)
  const person = quoteName(receipt.name)
  const when = formatMoment(receipt.requestedAt)
  const amount = formatMoney(receipt.refundedCents, 'usd')
  return renderMail({
    kind: 'withdrawal_receipt',
    subject: `You withdrew from the contract for ${organization}`,
    preview: `Received on ${when}.`,
    title: 'You withdrew from the contract',
    paragraphs: [
      `${person} withdrew from the contract for the plan ${receipt.planName} of ${organization}. We received the declaration on ${when}.`,
      `The plan has ended. ${amount} is refunded to the payment method that was charged. Banks take 5 to 10 days.`,
      'Feedback received so far can be read and exported. New feedback is stored and locked.',
    ],
    strong: [organization, when, amount],
    action: { label: 'Open billing settings', url: `${receipt.appUrl}/dashboard/settings/billing` },
    notes: ['Keep this email: it confirms your withdrawal.'],
    appUrl: receipt.appUrl,
  })
}
