import type Stripe from 'stripe'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { NamedLocks } from '#server/platform/locks/named-locks.ts'
import type { Log } from '#server/platform/log/log.ts'
import { askStripe } from './ask-stripe.ts'
import { type ConvergeParts, converge } from './converge.ts'

/** What acts of owners at Stripe are made of. */
export interface BillingParts {
  readonly database: Database
  readonly locks: NamedLocks
  readonly log: Log
  readonly config: Config
  /** Null: the instance has no billing. */
  readonly findStripe: (() => Promise<Stripe>) | null
  readonly read: ConvergeParts['read']
}

/**
 * Acts at Stripe for one organisation, one act at a time, and makes the mirror equal to it afterwards: the next reader
 * sees what the act has changed.
 *
 * @throws ProductError `billing_off`, `payments_unavailable`, `payment_failed`, and what the act throws.
 */
export async function actAtStripe<T>(
  parts: BillingParts,
  organizationId: string,
  act: (stripe: Stripe) => Promise<T>,
): Promise<T> {
  const { findStripe, locks, log } = parts
  if (!findStripe) throw new ProductError('billing_off')
  return askStripe(log, async () => {
    const stripe = await findStripe()
    const release = await locks.acquire(`billing ${organizationId}`, () => {})
    let result: T
    try {
      result = await act(stripe)
    } finally {
      await release()
    }
    await converge(parts, organizationId)
    return result
  })
}
