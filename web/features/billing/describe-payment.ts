import type { Invoice, OwedPayment, UpcomingPayment } from '#contract/billing.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'
import { formatPrice } from './describe-plan.ts'

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** `Visa ending in 4242, expires 12/2034` */
export function describeMethod(method: NonNullable<UpcomingPayment['paymentMethod']>): string {
  const { type, brand, last4, expiresMonth, expiresYear } = method
  const name = brand === null ? sayType(type) : (brands[brand] ?? brand)
  const ending = last4 === null ? '' : ` ending in ${last4}`
  const expiry =
    expiresMonth === null || expiresYear === null
      ? ''
      : `, expires ${String(expiresMonth).padStart(2, '0')}/${expiresYear}`
  return `${name}${ending}${expiry}`
}

/** `sepa_debit` → `Sepa debit` */
function sayType(type: string): string {
  const words = type.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What an owner reads of an invoice that could not be collected, and what to press. */
export function describeOwed(
  { state, error, cents, nextAttemptAt }: OwedPayment,
  formatDay: (instant: string) => string,
): { title: string; text: string; action: string } {
  const amount = formatPrice(cents)
  const again = nextAttemptAt === null ? '' : ` We try again on ${formatDay(nextAttemptAt)}.`
  if (state === 'action_required') {
    const text = `Your bank asks you to confirm the payment of ${amount}.${again}`
    return { title: 'Confirm your payment', text, action: 'Confirm payment' }
  }
  const reason = error === null ? '' : ` ${error}`
  const end = nextAttemptAt === null ? ' Pay it to keep your plan.' : ''
  return {
    title: 'The last payment failed',
    text: `${amount} could not be collected.${reason}${again}${end}`,
    action: 'Pay now',
  }
}

const statuses: Readonly<Record<Invoice['status'], { word: string; tone: BadgeTone }>> = {
  paid: { word: 'Paid', tone: 'success' },
  open: { word: 'Open', tone: 'warning' },
  void: { word: 'Void', tone: 'neutral' },
  uncollectible: { word: 'Not collected', tone: 'danger' },
}

/** An invoice's status in a few words, and what of it was refunded. */
export function describeInvoice({ status, refundedCents, totalCents }: Invoice): { word: string; tone: BadgeTone } {
  if (refundedCents > 0 && refundedCents >= totalCents) return { word: 'Refunded', tone: 'neutral' }
  if (refundedCents > 0)
    return { word: `${statuses[status].word}, ${formatPrice(refundedCents)} refunded`, tone: 'neutral' }
  return statuses[status]
}
