import type Stripe from 'stripe'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { NamedLocks } from '#server/platform/locks/named-locks.ts'
import { askStripe } from './ask-stripe.ts'
import { converge } from './converge.ts'
import { readStripe } from './read-stripe.ts'
import { syncPlans } from './sync-plans.ts'

/** Stripe while a person waits. Each throws ProductError `payments_unavailable`, or `payments_not_configured` without a key. */
export interface StripeAccess {
  /** @throws ProductError `payment_failed` when the bank refused. Stripe's other errors are passed on. */
  ask<T>(act: (stripe: Stripe) => Promise<T>): Promise<T>
  /** Makes the mirror of an organisation equal to Stripe. */
  converge(organizationId: string): Promise<void>
  /** Makes products and prices equal to the plans. */
  syncPlans(): Promise<void>
}

interface Parts {
  /** Null: the instance has no key. */
  readonly findStripe: (() => Promise<Stripe>) | null
  readonly database: Database
  readonly locks: NamedLocks
}

export function createStripeAccess({ findStripe, database, locks }: Parts): StripeAccess {
  const ask: StripeAccess['ask'] = (act) => {
    if (!findStripe) throw new ProductError('payments_not_configured')
    return askStripe(async () => act(await findStripe()))
  }
  return {
    ask,
    converge: (organizationId) =>
      ask(async (stripe) => {
        await converge({ read: (...customer) => readStripe(stripe, ...customer), database, locks }, organizationId)
      }),
    syncPlans: () => ask((stripe) => syncPlans({ stripe, database, locks })),
  }
}
