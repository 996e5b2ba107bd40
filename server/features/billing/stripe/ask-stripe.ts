import { setTimeout as pause } from 'node:timers/promises'
import { ProductError } from '#server/platform/http/product-error.ts'
import { LockBusyError } from '#server/platform/locks/named-locks.ts'
import type { Log } from '#server/platform/log/log.ts'

/** A person waits: several calls together take at most so long. */
const patienceMs = 8_000
const retryAfterSeconds = 30

/** Stripe's errors that say nothing about the request (https://docs.stripe.com/api/errors). */
const outages = new Set([
  'StripeConnectionError',
  'StripeAPIError',
  'StripeRateLimitError',
  'StripeAuthenticationError',
  'StripePermissionError',
])

/**
 * Asks Stripe for someone who waits.
 *
 * @param ask continues in the background when it takes too long.
 * @throws ProductError `payments_unavailable` when Stripe doesn't answer, refuses our key, or takes longer than 8 s;
 * `payment_failed` with the bank's reason when a card is declined.
 */
export async function askStripe<T>(log: Pick<Log, 'warn'>, ask: () => Promise<T>): Promise<T> {
  const asking = ask()
  try {
    return await Promise.race([
      asking,
      pause(patienceMs, undefined, { ref: false }).then(() => {
        // Its end interests no one any more.
        asking.catch(() => {})
        throw new ProductError('payments_unavailable', { retryAfterSeconds })
      }),
    ])
  } catch (error) {
    throw translate(log, error)
  }
}

function translate(log: Pick<Log, 'warn'>, error: unknown): unknown {
  if (error instanceof LockBusyError)
    return new ProductError('payments_unavailable', { retryAfterSeconds, cause: error })
  if (!(error instanceof Error) || !('type' in error)) return error
  const { type } = error
  if (type === 'StripeCardError') return new ProductError('payment_failed', { detail: error.message, cause: error })
  if (typeof type !== 'string' || !outages.has(type)) return error
  log.warn({ err: error }, 'Stripe could not be asked')
  return new ProductError('payments_unavailable', { retryAfterSeconds, cause: error })
}
