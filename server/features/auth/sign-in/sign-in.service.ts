import type { Client } from '#server/platform/http/describe-origin.ts'
import { replacePasswordHash } from '../accounts/password.queries.ts'
import { isPasswordCorrect, renewPasswordHash } from '../accounts/password.ts'
import { findUserByEmail, lockUser } from '../accounts/users.queries.ts'
import { recordWrongProof } from '../accounts/wrong-proof.ts'
import { type AuthParts, isBanned } from '../auth-parts.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { failAtEvenPace } from '../protocol/even-pace.ts'
import { beginSession, type SessionGrant } from '../sessions/session.service.ts'
import { deleteFlow, findUserIdOfCode, lockFlowByCode } from './flow-states.queries.ts'
import { countPasswordTry } from './password-throttle.ts'
import { isVerifierCorrect } from './pkce.ts'
import { openProviderTokens, type ProviderTokens } from './provider-tokens.ts'

export interface PasswordAttempt {
  readonly email: string
  readonly password: string
  /** The hash of the browser's device cookie. */
  readonly device: Buffer | undefined
  readonly client: Client
}

// A check takes some 20 ms. This minimum hides differences from caches and row sizes; checks of imported hashes may
// take longer, and so may the decoys of unknown addresses.
const refusalPaceMs = 80

/**
 * Signs in with address and password. An unknown address and a wrong password get the same answer after the same
 * time; other reasons are shown only after a correct password.
 *
 * @throws AuthError `invalid_credentials`, `user_banned`, `email_not_confirmed`, or `over_request_rate_limit` after many
 * wrong passwords.
 */
export function signInWithPassword(parts: AuthParts, attempt: PasswordAttempt): Promise<SessionGrant> {
  return failAtEvenPace(refusalPaceMs, async () => {
    const email = attempt.email.toLowerCase()
    const uncount = await countPasswordTry(parts, { ...attempt, email })
    return tryPassword(parts, { ...attempt, email }, uncount)
  })
}

async function tryPassword(
  parts: AuthParts,
  attempt: PasswordAttempt,
  uncount: () => Promise<void>,
  isSecondTry = false,
): Promise<SessionGrant> {
  const { email, password, client } = attempt
  const found = await parts.database.asAuthAdmin('password sign-in', (tx) => findUserByEmail(tx, email))
  const presentHash = found?.encrypted_password ?? ''
  // Between two transactions: hashing is slow, and must not hold a connection.
  if (!(await isPasswordCorrect(password, presentHash, await parts.pickDecoyHash(email))) || !found) {
    // Known accounts alone have a log; the even pace hides the time that it takes.
    if (found) await recordWrongProof(parts, found.id, 'sign_in')
    throw new AuthError('invalid_credentials')
  }
  if (!isSecondTry) await uncount()
  const renewedHash = await renewPasswordHash(password, presentHash)
  const grant = await parts.database.asAuthAdmin('password sign-in', async (tx) => {
    // Locked, so that a session begins either before a change of password, which ends it, or not at all.
    const user = await findUserByEmail(tx, email, { lock: true })
    if (!user) throw new AuthError('invalid_credentials')
    if (user.encrypted_password !== presentHash) return undefined
    if (isBanned(user)) throw new AuthError('user_banned')
    if (user.email_confirmed_at === null) throw new AuthError('email_not_confirmed')
    if (renewedHash !== undefined) {
      await replacePasswordHash(tx, { userId: user.id, from: presentHash, to: renewedHash })
    }
    return beginSession(tx, { userId: user.id, method: 'password', client })
  })
  if (grant) return grant
  // Changed during the check, or only renewed by the same person's other sign-in, which must not fail.
  if (isSecondTry) throw new AuthError('invalid_credentials')
  return tryPassword(parts, attempt, uncount, true)
}

export interface ExchangedCode {
  readonly grant: SessionGrant
  /** Only after a provider sign-in. They are returned once and stored nowhere. */
  readonly providerTokens: ProviderTokens | undefined
}

/**
 * Exchanges the code of an emailed link or a provider, only for the browser that began the flow.
 *
 * @throws AuthError `validation_failed`, `flow_state_not_found`, `flow_state_expired`, `bad_code_verifier` (can be
 * retried) or `user_banned`.
 */
export async function exchangeCode(
  parts: AuthParts,
  { code, verifier, client }: { code: string; verifier: string; client: Client },
): Promise<ExchangedCode> {
  if (code === '' || verifier === '') {
    throw new AuthError('validation_failed', {
      message: 'invalid request: both auth code and code verifier should be non-empty',
    })
  }
  return parts.database.asAuthAdmin('exchange of a code', async (tx) => {
    // Locks the account before the flow, in the order of account changes, which end its flows: a session begins either
    // before such a change, and ends with it, or not at all.
    const userId = await findUserIdOfCode(tx, code)
    const user = userId === undefined ? undefined : await lockUser(tx, userId)
    const flow = await lockFlowByCode(tx, code)
    if (!user || flow?.userId !== user.id) throw new AuthError('flow_state_not_found')
    if (flow.isExpired) throw new AuthError('flow_state_expired')
    if (!flow.challenge || !isVerifierCorrect(verifier, flow.challenge)) throw new AuthError('bad_code_verifier')
    if (isBanned(user)) throw new AuthError('user_banned', { status: 403 })
    await deleteFlow(tx, flow.id)
    const sealed = flow.sealedProviderTokens
    return {
      grant: await beginSession(tx, { userId: user.id, method: flow.method, client }),
      providerTokens: sealed === null ? undefined : openProviderTokens(sealed, code),
    }
  })
}
