import type { History, PaymentRow } from './random-history.ts'

/*
 * Revenue recomputed from the rows alone, payment by payment, by the definitions of contract/revenue.ts: with no line in
 * common with the product's queries. For tests.
 */

/** Amounts by organisation. */
export type Amounts = Map<string, number>

interface Counted {
  readonly organizationId: string
  readonly payment: PaymentRow
  readonly startsAt: number
  readonly endsAt: number
}

const time = (text: string) => Date.parse(text)
const divisors: Readonly<Record<string, number>> = { year: 12, month: 1 }

/** What each payment counts, and from when until when. */
function listCounted({ subscriptions, payments, refunds }: History): Counted[] {
  const counted: Counted[] = []
  const refundsOf = Map.groupBy(
    refunds.filter(({ status }) => status === 'succeeded'),
    ({ payment_id: id }) => id,
  )
  const paymentsOf = Map.groupBy(
    payments.filter(({ status, currency }) => status === 'paid' && currency === 'usd'),
    ({ subscription_id: id }) => id,
  )
  for (const subscription of subscriptions) {
    const own = (paymentsOf.get(subscription.id) ?? []).toSorted(
      (a, b) => time(a.period_start) - time(b.period_start) || (a.id < b.id ? -1 : 1),
    )
    for (const [index, payment] of own.entries()) {
      const next = own[index + 1]
      const ends: number[] = []
      if (subscription.ended_at !== null) ends.push(time(subscription.ended_at))
      if (next) ends.push(time(next.period_start), time(payment.period_end))
      else if (subscription.status === 'canceled' && subscription.ended_at === null) ends.push(time(payment.period_end))
      const refunded = refundsOf.get(payment.id) ?? []
      const isRefunded = refunded.reduce((sum, { cents }) => sum + cents, 0) >= payment.paid_cents
      if (payment.paid_cents > 0 && isRefunded) ends.push(Math.max(...refunded.map((each) => time(each.created_at))))
      const startsAt = time(payment.period_start)
      counted.push({
        organizationId: payment.organization_id,
        payment,
        startsAt,
        endsAt: Math.min(Number.POSITIVE_INFINITY, ...ends),
      })
    }
  }
  return counted
}

/**
 * Makes the function that adds up the monthly recurring revenue of each organisation at an instant; without those that
 * have none.
 */
export function readRevenueAt(history: History): (instant: number) => Amounts {
  const counted = listCounted(history)
  return (instant) => {
    const amounts: Amounts = new Map()
    for (const { organizationId, payment, startsAt, endsAt } of counted) {
      if (startsAt > instant || endsAt <= instant) continue
      const cents = Math.round(payment.recurring_cents / (divisors[payment.interval] ?? 1))
      if (cents > 0) amounts.set(organizationId, (amounts.get(organizationId) ?? 0) + cents)
    }
    return amounts
  }
}

/** Organisations that had revenue at any instant until now. */
export function listPayers(history: History, now: number): Set<string> {
  return new Set(
    listCounted(history)
      .filter(({ payment, startsAt, endsAt }) => payment.recurring_cents > 0 && startsAt <= now && endsAt > startsAt)
      .map(({ organizationId }) => organizationId),
  )
}

/** Movements between the ends of two months. `earlier`: organisations that had revenue at the end of any month before. */
export function compareMonths(before: Amounts, after: Amounts, earlier: ReadonlySet<string>) {
  const moved = {
    new: new Map(),
    expansion: new Map(),
    contraction: new Map(),
    churn: new Map(),
    reactivation: new Map(),
  }
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id) ?? 0, after.get(id) ?? 0]
    if (was === 0) moved[earlier.has(id) ? 'reactivation' : 'new'].set(id, is)
    else if (is === 0) moved.churn.set(id, was)
    else if (is > was) moved.expansion.set(id, is - was)
    else if (is < was) moved.contraction.set(id, was - is)
  }
  return moved satisfies Record<string, Amounts>
}

/** Collected and refunded in a month such as `2026-01`, without tax. */
export function sumMoney({ payments, refunds }: History, month: string): { collected: Amounts; refunded: Amounts } {
  const [collected, refunded]: [Amounts, Amounts] = [new Map(), new Map()]
  const add = (amounts: Amounts, id: string, cents: number) => amounts.set(id, (amounts.get(id) ?? 0) + cents)
  const withoutTax = (cents: number, { tax_cents: tax, total_cents: total }: PaymentRow) =>
    cents - (total > 0 ? Math.round((tax * cents) / total) : 0)
  const byId = new Map(payments.map((payment) => [payment.id, payment]))
  for (const payment of payments) {
    if (payment.currency !== 'usd' || payment.paid_cents === 0 || !payment.paid_at?.startsWith(month)) continue
    add(collected, payment.organization_id, withoutTax(payment.paid_cents, payment))
  }
  for (const { currency, status, created_at: at, organization_id: id, payment_id: paymentId, cents } of refunds) {
    const payment = byId.get(paymentId)
    if (currency === 'usd' && status === 'succeeded' && at.startsWith(month) && payment)
      add(refunded, id, withoutTax(cents, payment))
  }
  return { collected, refunded }
}
