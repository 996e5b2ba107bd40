import { createHmac, timingSafeEqual } from 'node:crypto'

const prefix = 'whsec_'
/** As Standard Webhooks recommends: an older call may be a recorded one. */
const toleranceSeconds = 300

/**
 * Whether a call is signed by a secret (Standard Webhooks 1.0).
 *
 * @param secret as Earshot shows it: `whsec_` and the key in base64.
 */
export function isSigned(
  secret: string,
  headers: Readonly<Record<string, unknown>>,
  body: Uint8Array,
  nowSeconds: number = Date.now() / 1000,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false
  if (!/^\d+$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) return false
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64')
  if (key.length === 0) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',')
    const given = Buffer.from(text, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
