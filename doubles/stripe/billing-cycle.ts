/*
 * What happens to subscriptions, invoices and checkout sessions when time passes: trials end, periods renew, drafts are
 * finalized after an hour, failed payments are retried, unpaid first invoices and unused sessions expire.
 */
import type Stripe from 'stripe'
import { type Account, idOf, snapshotOf } from './account.ts'
import { previewInvoice } from './invoice-preview.ts'
import { addInvoice, attemptPayment, finalizeInvoice, findSubscriptionOf, retryDays } from './invoices.ts'
import { daySeconds } from './periods.ts'
import { createPeriodLine, endOfPeriod } from './subscription-items.ts'
import { endSubscription } from './subscription-status.ts'
import { endUsedDiscounts, listDiscounts, setPeriod } from './subscriptions.ts'

/** `invoice.upcoming` comes a week before a renewal, the shortest time that Stripe offers being three days. */
const upcomingDays = 7
const trialWarningDays = 3
const incompleteSeconds = 23 * 3600
const draftSeconds = 3600

/** Something that is due at a time. */
interface Happening {
  readonly at: number
  readonly act: () => void
}

/**
 * Does everything that is due until then, in the order of its times.
 * @param clock a test clock, or null for all objects without one
 * @param setTime moves the clock to a time
 */
export function passTime(account: Account, clock: string | null, until: number, setTime: (time: number) => void): void {
  for (;;) {
    const due = listHappenings(account, clock).filter(({ at }) => at <= until)
    const [next] = due.sort((one, other) => one.at - other.at)
    if (!next) return
    setTime(Math.max(next.at, account.now(clock)))
    next.act()
  }
}

function listHappenings(account: Account, clock: string | null): Happening[] {
  const { subscriptions, invoices, checkoutSessions } = account.tables
  const isHere = ({ test_clock: own }: { test_clock: string | Stripe.TestHelpers.TestClock | null }) =>
    (idOf(own) || null) === clock
  return [
    ...subscriptions.list(isHere).flatMap((subscription) => listOfSubscription(account, subscription)),
    ...invoices.list(isHere).flatMap((invoice) => listOfInvoice(account, invoice)),
    ...checkoutSessions
      .list(({ status, customer }) => status === 'open' && clockOf(account, idOf(customer)) === clock)
      .map((session) => ({ at: session.expires_at, act: () => expireSession(account, session) })),
  ]
}

function clockOf(account: Account, customerId: string): string | null {
  const customer = account.tables.customers.find(customerId)
  return customer && !customer.deleted ? idOf(customer.test_clock) || null : null
}

/** Ends an open session. */
export function expireSession(account: Account, session: Stripe.Checkout.Session): void {
  session.status = 'expired'
  session.url = null
  account.emit('checkout.session.expired', session)
}

function listOfSubscription(account: Account, subscription: Stripe.Subscription): Happening[] {
  const { status, pending_update: pending, trial_end: trialEnd, created } = subscription
  if (status === 'incomplete')
    return [
      {
        at: created + incompleteSeconds,
        act: () => endSubscription(account, subscription, { status: 'incomplete_expired' }),
      },
    ]
  if (status === 'canceled' || status === 'incomplete_expired') return []
  const end = subscription.items.data[0]?.current_period_end ?? Number.POSITIVE_INFINITY
  const happenings: Happening[] = []
  const once = (at: number, name: string, act: () => void) => {
    const key = `${name} ${subscription.id} ${end}`
    if (account.announced.has(key) || at < created) return
    const announce = () => {
      account.announced.add(key)
      act()
    }
    happenings.push({ at, act: announce })
  }
  if (subscription.cancel_at !== null)
    happenings.push({ at: subscription.cancel_at, act: () => endSubscription(account, subscription) })
  if (pending) happenings.push({ at: pending.expires_at, act: () => dropPendingUpdate(account, subscription) })
  if (trialEnd === end)
    once(end - trialWarningDays * daySeconds, 'trial_will_end', () =>
      account.emit('customer.subscription.trial_will_end', subscription),
    )
  if (subscription.cancel_at === null || subscription.cancel_at > end) {
    once(end - upcomingDays * daySeconds, 'upcoming', () =>
      account.emit('invoice.upcoming', { ...previewInvoice(account, { subscription: subscription.id }) }),
    )
    happenings.push({ at: end, act: () => renew(account, subscription, end) })
  }
  return happenings
}

function dropPendingUpdate(account: Account, subscription: Stripe.Subscription): void {
  const before = snapshotOf(subscription)
  subscription.pending_update = null
  account.pendingUpdates.delete(subscription.id)
  account.emit('customer.subscription.pending_update_expired', subscription, before)
}

function renew(account: Account, subscription: Stripe.Subscription, at: number): void {
  const before = snapshotOf(subscription)
  const isTrialEnd = subscription.status === 'trialing'
  if (isTrialEnd) subscription.status = 'active'
  const start = subscription.items.data[0]?.current_period_start ?? at
  setPeriod(subscription, at, null)
  const lines = [
    ...(account.pendingLines.get(subscription.id) ?? []),
    ...subscription.items.data.map((item) => {
      const end = endOfPeriod(item.price, subscription.billing_cycle_anchor, at)
      return createPeriodLine(account, item, { start: at, end })
    }),
  ]
  account.pendingLines.delete(subscription.id)
  const invoice = addInvoice(account, {
    customer: account.getCustomer(idOf(subscription.customer)),
    subscription,
    lines,
    reason: 'subscription_cycle',
    period: { start, end: at },
    discounts: listDiscounts(account, subscription, at),
  })
  invoice.automatically_finalizes_at = at + draftSeconds
  invoice.next_payment_attempt = at + draftSeconds
  endUsedDiscounts(account, subscription, at)
  account.emit('customer.subscription.updated', subscription, before)
}

function listOfInvoice(account: Account, invoice: Stripe.Invoice): Happening[] {
  const { status, automatically_finalizes_at: finalizesAt, next_payment_attempt: attemptAt } = invoice
  const subscription = findSubscriptionOf(account, invoice)
  const isEnded = subscription?.status === 'canceled' || subscription?.status === 'incomplete_expired'
  if (isEnded) return []
  if (status === 'draft' && finalizesAt !== null) return [{ at: finalizesAt, act: () => collect(account, invoice) }]
  if (status === 'open' && attemptAt !== null) return [{ at: attemptAt, act: () => retry(account, invoice) }]
  return []
}

function collect(account: Account, invoice: Stripe.Invoice): void {
  finalizeInvoice(account, invoice)
  if (invoice.status === 'open') attemptPayment(account, invoice)
}

/** The last failed attempt cancels the subscription. */
function retry(account: Account, invoice: Stripe.Invoice): void {
  const result = attemptPayment(account, invoice)
  const subscription = findSubscriptionOf(account, invoice)
  if (result === 'paid' || !subscription || invoice.attempt_count <= retryDays.length) return
  invoice.auto_advance = false
  endSubscription(account, subscription, { reason: 'payment_failed' })
}
