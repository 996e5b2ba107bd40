import type { Client } from '#server/platform/http/describe-origin.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { type AuthParts, spendRequest } from '../auth-parts.ts'
import { spendNetwork } from '../mail-budgets.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { requestRecovery } from './request-link.service.ts'

/**
 * Emails a password reset link as if the person had requested it, under the same limits. The link works in any browser,
 * because the one that requests it is not the person's. The email names neither the address nor the browser of the
 * superadmin.
 *
 * @throws ProductError `rate_limited`.
 */
export async function sendRecovery(parts: AuthParts, email: string, client: Client): Promise<void> {
  try {
    await spendRequest(parts.limits.recover, client)
    await spendNetwork(parts, 'recover', client)
    await requestRecovery(parts, {
      email,
      challenge: undefined,
      redirectTo: parts.redirects.choose(`${parts.appUrl}/auth/callback?type=recovery`),
      client: { ip: null, userAgent: null },
    })
  } catch (error) {
    if (!(error instanceof AuthError) || error.status !== 429) throw error
    const { retryAfterSeconds } = error
    throw new ProductError('rate_limited', {
      cause: error,
      detail: 'An email was sent to this address a moment ago, or too many were requested. Try again later.',
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    })
  }
}
