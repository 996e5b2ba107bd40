import { isDeepStrictEqual } from 'node:util'
import { v4 as uuidV4 } from 'uuid'
import type { AuthTx } from '#server/platform/database/database.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { recordAccountEvent } from '../accounts/account-events.queries.ts'
import { findIdentities, findUserByEmail, findUserById, type User } from '../accounts/users.queries.ts'
import { type AuthParts, audit, isBanned } from '../auth-parts.ts'
import { pretendToSpendMail } from '../mail-budgets.ts'
import { sendSignInLink } from '../mailed-links/request-link.service.ts'
import { beginPause } from '../mailed-links/send-secret.ts'
import { AuthError } from '../protocol/auth-error.ts'
import type { CodeChallenge } from '../sign-in/pkce.ts'
import { sendConfirmation } from '../sign-up/sign-up.service.ts'
import type { Profile } from './profile.ts'
import * as accounts from './provider-accounts.queries.ts'

type Json = Readonly<Record<string, unknown>>

/** A person with a provider profile, and their pending sign-in. */
export interface ProviderSignIn {
  readonly provider: string
  readonly profile: Profile
  readonly redirectTo: string
  readonly challenge: CodeChallenge | undefined
  /** The token of the invitation that they came from: an account created for it gets no organisation of its own. */
  readonly invitationToken: string | undefined
  readonly client: Client
}

/** A refusal is returned, not thrown, where earlier writes must be committed. */
export type Admission = { readonly userId: string } | { readonly refused: AuthError }

/**
 * Finds or creates the account of a person who has just signed in at a provider.
 *
 * The provider's id of the person decides; where it is new, an address that the provider has verified does. An
 * unverified address never links accounts: anyone could have typed it there.
 *
 * @throws AuthError `over_email_send_rate_limit` or `conflict`, with nothing written.
 */
export async function admitProviderUser(parts: AuthParts, tx: AuthTx, signIn: ProviderSignIn): Promise<Admission> {
  const { profile } = signIn
  const key = { provider: signIn.provider, providerId: profile.sub }
  await accounts.holdIdentity(tx, key)
  const identity = await accounts.findIdentity(tx, key)
  if (identity) {
    await accounts.holdUser(tx, identity.userId)
    const user = await findUserById(tx, identity.userId)
    if (!user) return { refused: new AuthError('user_not_found', { message: 'The account has been deleted' }) }
    return enterAccount(parts, tx, { ...signIn, user, earlierData: identity.data })
  }
  // From here on an account is created, or the identity is linked to one.
  parts.readOnly.requireWrites()
  const created = await createAccount(parts, tx, signIn)
  if (created) return created
  const owner = await findUserByEmail(tx, profile.email, { lock: true })
  // Created and deleted again by concurrent requests.
  if (!owner) throw new AuthError('conflict', { message: 'Please try again' })
  if (!profile.isEmailVerified) return askForAnotherWay(parts, tx, { ...signIn, user: owner })
  return enterAccount(parts, tx, { ...signIn, user: owner, earlierData: undefined })
}

/** @returns undefined when an account has the address already. */
async function createAccount(parts: AuthParts, tx: AuthTx, signIn: ProviderSignIn): Promise<Admission | undefined> {
  const { provider, profile, invitationToken, client } = signIn
  const isConfirmed = profile.isEmailVerified || parts.settings.mailerAutoconfirm
  if (parts.settings.disableSignup) {
    const isKnown = profile.isEmailVerified && (await findUserByEmail(tx, profile.email)) !== undefined
    return isKnown ? undefined : { refused: new AuthError('signup_disabled') }
  }
  const id = uuidV4()
  // A trigger reads the token and removes it.
  const metadata = {
    ...profile.identityData,
    ...(invitationToken !== undefined && { invitation_token: invitationToken }),
  }
  const isInserted = await accounts.insertProviderUser(tx, {
    id,
    email: profile.email,
    provider,
    metadata,
    isConfirmed,
  })
  if (!isInserted) return undefined
  await accounts.saveIdentity(tx, id, { provider, providerId: profile.sub, data: profile.identityData })
  const user = await findUserById(tx, id)
  if (!user) throw new AuthError('conflict', { message: 'Please try again' })
  if (!isConfirmed) return askForConfirmation(parts, tx, { ...signIn, user })
  await audit(tx, { action: 'user_signedup', logType: 'team', user, client })
  return { userId: id }
}

async function enterAccount(
  parts: AuthParts,
  tx: AuthTx,
  signIn: ProviderSignIn & { user: User; earlierData: Json | undefined },
): Promise<Admission> {
  const { provider, profile, user, earlierData, client } = signIn
  if (isBanned(user)) return { refused: new AuthError('user_banned', { status: 403 }) }
  if (user.email_confirmed_at === null) parts.readOnly.requireWrites()
  const ownsAddress = profile.isEmailVerified && profile.email === user.email
  if (user.email_confirmed_at === null && !ownsAddress) {
    return askForConfirmation(parts, tx, signIn)
  }
  const identity = { provider, providerId: profile.sub, data: profile.identityData }
  await accounts.saveIdentity(tx, user.id, identity)
  if (user.email_confirmed_at === null) {
    await accounts.claimUnconfirmedUser(tx, user.id, identity, {
      userMetadata: profile.identityData,
      appMetadata: { ...user.raw_app_meta_data, provider, providers: [provider] },
    })
    await audit(tx, { action: 'user_signedup', logType: 'team', user, client })
    return { userId: user.id }
  }
  const providers = [...new Set((await findIdentities(tx, user.id)).map((each) => each.provider))]
  await accounts.saveMetadata(tx, user.id, {
    userMetadata: mergeMetadata(user.raw_user_meta_data ?? {}, earlierData ?? {}, profile.identityData),
    appMetadata: { ...user.raw_app_meta_data, provider: providers[0] ?? provider, providers },
  })
  if (!earlierData) {
    await audit(tx, { action: 'identity_linked', logType: 'user', user, client })
    const event = { userId: user.id, name: 'account.identity_linked', payload: { provider } } as const
    await recordAccountEvent(tx, { ...event, isOwn: true })
  }
  return { userId: user.id }
}

/** Emails the confirmation of an account that this provider sign-in created. */
async function askForConfirmation(
  parts: AuthParts,
  tx: AuthTx,
  { user, profile, challenge, redirectTo, client }: ProviderSignIn & { user: User },
): Promise<Admission> {
  await beginPause(parts, tx, 'unverified_provider', profile.email)
  // `isNew`: without the sign-up's own pause, which is not begun for an address with another account.
  await sendConfirmation(parts, tx, { user, isNew: true, challenge, redirectTo, client })
  return { refused: new AuthError('provider_email_needs_verification') }
}

/**
 * Emails a sign-in link to the owner of an address that the provider has not verified. The answer is a new account's,
 * so that it does not reveal who has one, and true: an email was sent. It links nothing to the account.
 */
async function askForAnotherWay(
  parts: AuthParts,
  tx: AuthTx,
  { user, profile, challenge, redirectTo, client }: ProviderSignIn & { user: User },
): Promise<Admission> {
  await beginPause(parts, tx, 'unverified_provider', profile.email)
  // A new account's email would be refused, too.
  await pretendToSpendMail(parts, tx, 'new')
  await sendSignInLink(parts, tx, { user, challenge, redirectTo, client })
  return { refused: new AuthError('provider_email_needs_verification') }
}

/**
 * Takes over the provider's data, but never overwrites the person's own choice: a name or picture follows the
 * provider's only while it equals the provider's last value.
 */
function mergeMetadata(current: Json, earlier: Json, next: Json): Json {
  const merged: Record<string, unknown> = { ...current }
  for (const name of new Set([...Object.keys(earlier), ...Object.keys(next)])) {
    if (!isDeepStrictEqual(current[name], earlier[name])) continue
    if (next[name] === undefined) delete merged[name]
    else merged[name] = next[name]
  }
  return merged
}
