import type { AuthParts } from '../auth-parts.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { isKnownDevice } from './known-device.queries.ts'

/**
 * Limits wrong passwords for one address, from all network addresses together. A device in which the owner has signed in
 * has a limit of its own, so that a stranger's guesses slow down strangers and never lock out the owner. Addresses
 * without an account have the same limits.
 *
 * @returns reports a correct password, which does not count.
 * @throws AuthError `over_request_rate_limit`, even for a correct password.
 */
export async function countPasswordTry(
  { limits, database }: Pick<AuthParts, 'limits' | 'database'>,
  { email, device }: { email: string; device: Buffer | undefined },
): Promise<() => Promise<void>> {
  const isKnown =
    device !== undefined &&
    (await database.asAuthAdmin('password sign-in: read the device', (tx) => isKnownDevice(tx, email, device)))
  const limit = isKnown ? limits.passwordOnDevice : limits.passwordElsewhere
  const key = isKnown ? `${email} ${device.toString('hex')}` : email
  const retryAfterSeconds = await limit.take(key)
  if (retryAfterSeconds !== undefined) throw new AuthError('over_request_rate_limit', { retryAfterSeconds })
  return () => limit.giveBack(key)
}
