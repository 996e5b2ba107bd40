import type { Interval } from '../stripe/mirror.ts'

/* Random lives of subscriptions as the mirror of Stripe holds them, for tests. The same seed makes the same rows. */

export interface SubscriptionRow {
  readonly organization_id: string
  readonly id: string
  readonly status: string
  readonly ended_at: string | null
  readonly created_at: string
}

export interface PaymentRow {
  readonly organization_id: string
  readonly id: string
  readonly subscription_id: string
  readonly status: string
  readonly interval: Interval
  readonly period_start: string
  readonly period_end: string
  readonly recurring_cents: number
  readonly total_cents: number
  readonly tax_cents: number
  readonly paid_cents: number
  readonly currency: string
  readonly created_at: string
  readonly paid_at: string | null
}

export interface RefundRow {
  readonly organization_id: string
  readonly id: string
  readonly payment_id: string
  readonly status: string
  readonly cents: number
  readonly currency: string
  readonly created_at: string
}

export interface History {
  readonly subscriptions: readonly SubscriptionRow[]
  readonly payments: readonly PaymentRow[]
  readonly refunds: readonly RefundRow[]
}

const dayMs = 86_400_000
const prices = { month: [1900, 4900, 12_900], year: [19_000, 49_000, 129_000] } as const

/** Numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface GrowingHistory {
  readonly subscriptions: SubscriptionRow[]
  readonly payments: PaymentRow[]
  readonly refunds: RefundRow[]
}

interface Life {
  readonly organizationId: string
  readonly subscriptionId: string
  readonly start: number
  readonly now: number
  readonly random: () => number
}

/** @param now in milliseconds; every life begins in the 30 months before it */
export function makeHistory(
  organizationIds: readonly string[],
  { subscriptions, now, random }: { subscriptions: number; now: number; random: () => number },
): History {
  const history: GrowingHistory = { subscriptions: [], payments: [], refunds: [] }
  for (let index = 0; index < subscriptions; index += 1) {
    // Some organisations subscribe again and again, some at the same time twice.
    const organizationId = organizationIds[Math.floor(random() * organizationIds.length)] ?? ''
    const start = startOfDay(now - Math.floor(random() * 900) * dayMs, random)
    live({ organizationId, subscriptionId: `sub_${index}`, start, now, random }, history)
  }
  return history
}

/** One in five begins with a month, to the instant. */
function startOfDay(time: number, random: () => number): number {
  const date = new Date(time)
  if (random() < 0.2) return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  return Math.floor(time / 1000) * 1000 - Math.floor(random() * 86_400) * 1000
}

function live(life: Life, history: GrowingHistory) {
  const { organizationId, subscriptionId, now, random } = life
  let interval: 'month' | 'year' = random() < 0.25 ? 'year' : 'month'
  let plan = Math.floor(random() * 3)
  let discount = random() < 0.15 ? (random() < 0.1 ? 1 : 0.25) : 0
  let start = life.start
  let endedAt: number | null = null
  let isPastDue = false
  for (let number = 0; start <= now && endedAt === null; number += 1) {
    const end = addInterval(start, interval)
    let from = start
    bill(life, { number: `${number}`, interval, plan, discount, from, until: end }, history)
    if (random() < 0.06) {
      // Changed within the period: the rest of it has another price.
      from = Math.floor((start + (end - start) * random()) / 1000) * 1000
      plan = (plan + 1 + Math.floor(random() * 2)) % 3
      if (from <= now) bill(life, { number: `${number}x`, interval, plan, discount, from, until: end }, history)
    }
    if (random() < 0.05) discount = 0
    if (random() < 0.03) interval = interval === 'month' ? 'year' : 'month'
    const chance = random()
    if (chance < 0.05) endedAt = end
    else if (chance < 0.08) endedAt = Math.floor((start + (end - start) * random()) / 1000) * 1000
    else if (chance < 0.1) {
      // The renewal is not paid: Stripe tries for three weeks, and gives up.
      isPastDue = end <= now && end + 21 * dayMs > now
      if (isPastDue) break
      endedAt = end + 21 * dayMs
    }
    start = end
  }
  const hasEnded = endedAt !== null && endedAt <= now
  history.subscriptions.push({
    organization_id: organizationId,
    id: subscriptionId,
    status: hasEnded ? 'canceled' : isPastDue ? 'past_due' : 'active',
    ended_at: hasEnded && endedAt !== null ? new Date(endedAt).toISOString() : null,
    created_at: new Date(life.start).toISOString(),
  })
}

interface Bill {
  readonly number: string
  readonly interval: 'month' | 'year'
  readonly plan: number
  readonly discount: number
  readonly from: number
  readonly until: number
}

function bill(
  { organizationId, subscriptionId, now, random }: Life,
  { number, interval, plan, discount, from, until }: Bill,
  { payments, refunds }: GrowingHistory,
): void {
  const id = `in_${subscriptionId}_${number}`
  const recurring = Math.round((prices[interval][plan] ?? 0) * (1 - discount))
  const share = (until - from) / (addInterval(from, interval) - from)
  const net = Math.round(recurring * Math.min(1, share))
  const tax = random() < 0.3 ? Math.round(net * 0.19) : 0
  const chance = random()
  const status = chance < 0.01 ? 'void' : chance < 0.02 ? 'open' : chance < 0.025 ? 'uncollectible' : 'paid'
  // Paid some days late, and in part from credit, now and then.
  const paidAt = Math.min(now, from + (random() < 0.05 ? 9 * dayMs : 3_600_000))
  const paid = status === 'paid' ? (random() < 0.03 ? Math.floor((net + tax) / 2) : net + tax) : 0
  const currency = random() < 0.002 ? 'eur' : 'usd'
  payments.push({
    organization_id: organizationId,
    id,
    subscription_id: subscriptionId,
    status,
    interval,
    period_start: new Date(from).toISOString(),
    period_end: new Date(until).toISOString(),
    recurring_cents: recurring,
    total_cents: net + tax,
    tax_cents: tax,
    paid_cents: paid,
    currency,
    created_at: new Date(from).toISOString(),
    paid_at: status === 'paid' ? new Date(paidAt).toISOString() : null,
  })
  if (paid === 0 || random() > 0.04) return
  const isFull = random() < 0.5
  const parts = isFull ? [Math.floor(paid / 3), paid - Math.floor(paid / 3)] : [Math.max(1, Math.floor(paid / 4))]
  for (const [index, cents] of parts.entries()) {
    refunds.push({
      organization_id: organizationId,
      id: `re_${id}_${index}`,
      payment_id: id,
      status: random() < 0.05 ? 'failed' : 'succeeded',
      cents,
      currency,
      created_at: new Date(Math.min(now, paidAt + (index + 1) * 3 * dayMs)).toISOString(),
    })
  }
}

function addInterval(time: number, interval: 'month' | 'year'): number {
  const date = new Date(time)
  date.setUTCMonth(date.getUTCMonth() + (interval === 'month' ? 1 : 12))
  return Number(date)
}
