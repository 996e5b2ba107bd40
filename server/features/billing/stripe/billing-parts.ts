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
 * @throws ProductError `payments_not_configured`, `payments_unavailable`, `payment_failed`, and what the act throws.
 */
export function actAtStripe<T>(
  parts: BillingParts,
  organizationId: string,
  act: (stripe: Stripe) => Promise<T>,
): Promise<T> {
  return askStripe(async () => {
    const result = await takeTurn(parts, organizationId, act)
    await converge(parts, organizationId)
    return result
  })
}

/** As {@link actAtStripe}, for acts that change nothing of the mirror. */
export function askInTurn<T>(
  parts: BillingParts,
  organizationId: string,
  act: (stripe: Stripe) => Promise<T>,
): Promise<T> {
  return askStripe(() => takeTurn(parts, organizationId, act))
}

async function takeTurn<T>(
  { findStripe, locks }: BillingParts,
  organizationId: string,
  act: (stripe: Stripe) => Promise<T>,
): Promise<T> {
  if (!findStripe) throw new ProductError('payments_not_configured')
  const stripe = await findStripe()
  const release = await locks.acquire(`billing ${organizationId}`, () => {})
  try {
    return await act(stripe)
  } finally {
    await release()
  }
}
