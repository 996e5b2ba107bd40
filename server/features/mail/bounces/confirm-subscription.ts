import { invalid } from '#server/platform/http/invalid.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'

const timeoutMs = 10_000
const snsHost = /^sns\.[a-z0-9-]{1,40}\.amazonaws\.com(\.cn)?$/

/**
 * Confirms a subscription of Amazon SNS, which sends nothing before: opens the address that it names. Other messages are
 * left alone.
 *
 * @returns whether the message was a subscription.
 * @throws ProductError `validation_failed` for an address that isn't of SNS, or that refuses.
 */
export async function confirmSubscription(outbound: Pick<Outbound, 'request'>, message: unknown): Promise<boolean> {
  if (typeof message !== 'object' || message === null || !('Type' in message)) return false
  if (message.Type !== 'SubscriptionConfirmation') return false
  const address = 'SubscribeURL' in message ? String(message.SubscribeURL) : ''
  const url = URL.canParse(address) ? new URL(address) : null
  // Someone who knows the secret could otherwise have this server call any address.
  if (url?.protocol !== 'https:' || !snsHost.test(url.host)) {
    throw invalid('body.SubscribeURL', 'must be an address of Amazon SNS')
  }
  const { status } = await outbound.request({ url: url.href, timeoutMs, allowCut: true }).catch(() => ({ status: 0 }))
  if (status !== 200) throw invalid('body.SubscribeURL', 'could not be opened')
  return true
}
