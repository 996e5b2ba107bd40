import { recentProofSeconds } from '#contract/auth.ts'
import type { Actor } from '../database/actor.ts'
import { ProductError } from './product-error.ts'

// The methods of GoTrue's `amr` that prove a password or the access to a mailbox. A provider's sign-in is none: its own
// session may be months old, and signs in without asking.
const provingMethods = new Set(['password', 'otp', 'magiclink', 'recovery', 'invite', 'email/signup'])

// A Supabase project's clock may differ from ours.
const clockSkewSeconds = 30

/**
 * Requires that the session began with a password or an emailed secret within the last 10 minutes: a token alone may
 * come from an unattended or stolen device. A refreshed token keeps the time of its session's sign-in.
 *
 * @throws ProductError `identity_proof_required`
 */
export function checkRecentProof({ claims }: Pick<Actor, 'claims'>): void {
  const now = Date.now() / 1000
  const methods: readonly unknown[] = Array.isArray(claims.amr) ? claims.amr : []
  const isProven = methods.some((each) => {
    // Another server may have made the token: both are checked below.
    const { method, timestamp } = Object(each) as { method?: unknown; timestamp?: unknown }
    if (typeof method !== 'string' || typeof timestamp !== 'number') return false
    return provingMethods.has(method) && timestamp > now - recentProofSeconds && timestamp <= now + clockSkewSeconds
  })
  if (!isProven) throw new ProductError('identity_proof_required')
}
