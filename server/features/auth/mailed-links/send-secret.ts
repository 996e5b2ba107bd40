import { v4 as uuidV4 } from 'uuid'
import { beginEmailPause, type LinkMail } from '#server/features/mail/mail.service.ts'
import type { AuthTx } from '#server/platform/database/database.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { dropUnprovenAccess, type User } from '../accounts/users.queries.ts'
import { type AuthParts, audit } from '../auth-parts.ts'
import { type MailPurpose, spendMail } from '../mail-budgets.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { insertFlowState } from '../sign-in/flow-states.queries.ts'
import type { CodeChallenge } from '../sign-in/pkce.ts'
import type { LinkType } from './link-type.ts'
import { methodOf } from './link-type.ts'
import { createOneTimeSecret } from './one-time-secret.ts'
import { clearSecrets, type SecretPurpose, saveSecret } from './secrets.queries.ts'

/** The browser that requested an email, and the redirect of its link. */
export interface LinkRequest {
  readonly challenge: CodeChallenge | undefined
  readonly redirectTo: string
  readonly client: Client
}

/** The validity of each kind of secret, from the moment its email was queued. */
export const lifeMinutes: Readonly<Record<SecretPurpose, number>> = {
  confirmation: 24 * 60,
  recovery: 60,
  email_change_new: 60,
  email_change_current: 60,
  reauthentication: 10,
}

/** The flows with a pause per address. */
export type PausedFlow =
  | 'confirm_sign_up'
  | 'magic_link'
  | 'recovery'
  | 'email_change'
  | 'reauthentication'
  | 'unverified_provider'

/**
 * Begins the pause between two emails of one flow to an address. Each flow has its own pause, begun for known and
 * unknown addresses: a shared one would reveal the result of another flow.
 *
 * @throws AuthError `over_email_send_rate_limit` while an earlier pause lasts.
 */
export async function beginPause(
  parts: Pick<AuthParts, 'settings'>,
  tx: AuthTx,
  flow: PausedFlow,
  email: string,
  seconds: number = parts.settings.smtpMaxFrequencySeconds,
): Promise<void> {
  const wait = await beginEmailPause(tx, flow, email, seconds)
  if (wait === 0) return
  throw new AuthError('over_email_send_rate_limit', {
    message: `For security purposes, you can only request this after ${wait} seconds.`,
    retryAfterSeconds: wait,
  })
}

export interface Secret {
  readonly user: User
  readonly purpose: SecretPurpose
  readonly linkType: LinkType
  /** The recipient. */
  readonly to: string
  /** For the sign-up's own email. Any other cancels the sign-up of an unconfirmed account. */
  readonly keepsSignUp?: boolean
}

/** A secret in all the forms that an email, or a program that sends its own emails, needs. */
export interface MadeSecret {
  readonly user: User
  readonly link: string
  readonly linkToken: string
  readonly code: string
  /** An earlier sign-up with the address was cancelled by this request. */
  readonly cancelsSignUp: boolean
}

/**
 * Creates and stores a secret without sending it. The account has to be locked.
 *
 * A secret for an unconfirmed account cancels an earlier sign-up: password, provider sign-in and emailed link. They may
 * be a stranger's, and the owner of the address may open the stranger's email after their own.
 */
export async function makeSecret(
  parts: Pick<AuthParts, 'appUrl'>,
  tx: AuthTx,
  { user, purpose, linkType, to, keepsSignUp = false }: Secret,
  { challenge, redirectTo }: Pick<LinkRequest, 'challenge' | 'redirectTo'>,
): Promise<MadeSecret> {
  const cancelsSignUp = !keepsSignUp && user.email_confirmed_at === null && hasSignedUp(user)
  if (cancelsSignUp) {
    await dropUnprovenAccess(tx, user)
    await clearSecrets(tx, user.id, ['confirmation'])
  }
  const secret = createOneTimeSecret(to, challenge !== undefined)
  const pending = await saveSecret(tx, { userId: user.id, purpose, to, ...secret })
  if (challenge) {
    await insertFlowState(tx, { id: uuidV4(), userId: user.id, challenge, method: methodOf(linkType), redirectTo })
  }
  const { linkToken, code } = secret
  return {
    user: pending,
    link: formatLink(parts.appUrl, { token: linkToken, type: linkType, redirectTo }),
    linkToken,
    code,
    cancelsSignUp,
  }
}

/** Whether the account has a way in besides emails to its address, or a sign-up email. */
function hasSignedUp(user: User): boolean {
  return (
    (user.encrypted_password ?? '') !== '' ||
    (user.confirmation_token ?? '') !== '' ||
    user.raw_app_meta_data?.provider !== 'email'
  )
}

/**
 * Creates a secret and queues its email, in the caller's transaction: the only way to send a secret. The caller begins
 * the pause, before it checks whether there is an account.
 *
 * @param queue queues the email; `content` has link and code.
 * @throws AuthError `over_email_send_rate_limit` when such emails are over their hourly limit.
 */
export async function sendSecret(
  parts: AuthParts,
  tx: AuthTx,
  secret: Secret & {
    action: string
    queue: (tx: AuthTx, content: LinkMail) => Promise<void>
    /** Default: by whether the account is confirmed. */
    budget?: MailPurpose
  },
  request: LinkRequest,
): Promise<User> {
  await spendMail(parts, tx, secret.budget ?? (secret.user.email_confirmed_at === null ? 'new' : 'member'))
  const { user, link, code, cancelsSignUp } = await makeSecret(parts, tx, secret, request)
  const { appUrl } = parts
  const validMinutes = lifeMinutes[secret.purpose]
  const requester = { at: new Date(), ...request.client }
  await secret.queue(tx, { appUrl, to: secret.to, link, code, validMinutes, requester, cancelsSignUp })
  await audit(tx, { action: secret.action, logType: 'user', user, client: request.client })
  return user
}

// The configured URL, not the request's host: a forged host must not get the secret.
function formatLink(
  appUrl: string,
  { token, type, redirectTo }: { token: string; type: string; redirectTo: string },
): string {
  const query = new URLSearchParams({ token, type, redirect_to: redirectTo })
  return `${appUrl}/auth/v1/verify?${query}`
}
