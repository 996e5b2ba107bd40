import { ProductError } from '#server/platform/http/product-error.ts'

/** A person waits. An act of several calls may take longer than each of them. */
const deadlineMs = 8_500

/** Errors of the SDK that say nothing about the request: no connection, no answer, too many requests, a wrong key. */
const unavailable = new Set([
  'StripeConnectionError',
  'StripeAPIError',
  'StripeRateLimitError',
  'StripeAuthenticationError',
  'StripePermissionError',
])

/**
 * Runs calls of Stripe while a person waits: an answer comes within 10 s.
 *
 * @throws ProductError `payments_unavailable` when Stripe doesn't answer; `payment_failed` when the bank refused. Other errors
 * of Stripe are passed on.
 */
export async function askStripe<T>(act: () => Promise<T>): Promise<T> {
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(new ProductError('payments_unavailable')), deadlineMs)
  try {
    return await Promise.race([act(), timer.promise])
  } catch (error) {
    const type = error instanceof Error && 'type' in error ? error.type : undefined
    if (type === 'StripeCardError') throw new ProductError('payment_failed', { cause: error })
    if (typeof type === 'string' && unavailable.has(type))
      throw new ProductError('payments_unavailable', { cause: error })
    throw error
  } finally {
    clearTimeout(timeout)
  }
}
