import type { RenderedMail } from './mail-layout.ts'
import { formatMoney } from './money.ts'
import { quoteName } from './quote-name.ts'
import { formatMoment } from './requester.ts'
import { withdrawalReceipt } from './templates/billing.templates.ts'
import { openTemplate } from './templates/open-template.ts'

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
  return openTemplate(withdrawalReceipt, receipt.appUrl).render({
    ...{ appUrl: receipt.appUrl, strong: [organization, when, amount] },
    values: { organization, person, plan: receipt.planName, time: when, amount },
    action: { url: `${receipt.appUrl}/dashboard/settings/billing` },
  })
}
