import type { BilledSubscription, Billing, OwedPayment } from '#contract/billing.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { isOpen, pickSubscription } from '../stripe/subscription-states.ts'
import {
  findNamedPlan,
  findOwedInvoice,
  type ListedSubscription,
  listSubscriptions,
  type OwedInvoice,
} from './subscription.queries.ts'

const dayMs = 86_400_000
const plansReason = 'plans belong to no organisation'

/**
 * Billing of an organisation, from the mirror alone: it works while Stripe is down.
 *
 * @param withdrawalDays how long consumers can withdraw from the contract; 0: they can't.
 */
export async function readBilling(
  database: Database,
  actor: Actor,
  { organizationId, withdrawalDays }: { organizationId: string; withdrawalDays: number },
): Promise<Billing> {
  const { current, owed } = await database.withTenant(actor, async (tx) => ({
    current: findRunning(await listSubscriptions(tx, organizationId)),
    owed: await findOwedInvoice(tx, organizationId),
  }))
  const planId = current?.planId
  const plan = planId ? await database.asSystem(plansReason, (tx) => findNamedPlan(tx, planId)) : undefined
  return {
    subscription: current && plan ? toSubscription(current, plan) : null,
    owed: owed ? toOwed(owed) : null,
    withdrawableUntil: current ? findWithdrawableUntil(current, withdrawalDays) : null,
  }
}

/** Null: the time is over, or was never given. */
export function findWithdrawableUntil({ createdAt }: ListedSubscription, days: number): string | null {
  const until = new Date(createdAt.getTime() + days * dayMs)
  return until.getTime() > Date.now() ? until.toISOString() : null
}

/** The subscription that decides about the organisation, unless it has ended. */
export function findRunning(all: readonly ListedSubscription[]): ListedSubscription | undefined {
  const picked = pickSubscription(all)
  return picked && isOpen(picked) ? picked : undefined
}

function toSubscription(
  { id, interval, cents, currency, coupon, periodEnd, cancelAt, createdAt }: ListedSubscription,
  plan: BilledSubscription['plan'],
): BilledSubscription {
  return {
    id,
    plan,
    interval: interval === 'year' ? 'year' : 'month',
    cents,
    currency,
    coupon,
    startedAt: createdAt.toISOString(),
    periodEnd: periodEnd?.toISOString() ?? null,
    cancelAt: cancelAt?.toISOString() ?? null,
  }
}

function toOwed({ error, nextAttemptAt, ...invoice }: OwedInvoice): OwedPayment {
  const isAction = error === 'authentication_required'
  return {
    ...invoice,
    state: isAction ? 'action_required' : 'failed',
    error: isAction ? null : error,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  }
}
