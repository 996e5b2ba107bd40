import { v4 as uuidV4 } from 'uuid'
import { beginEmailPause, type LinkMail } from '#server/features/mail/mail.service.ts'
import type { AuthTx } from '#server/platform/database/database.ts'
import type { User } from '../accounts/users.queries.ts'
import { type AuthParts, audit, type Client, spendMail } from '../auth-parts.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { insertFlowState } from '../sign-in/flow-states.queries.ts'
import type { CodeChallenge } from '../sign-in/pkce.ts'
import type { LinkType } from './link-type.ts'
import { methodOf } from './link-type.ts'
import { createOneTimeSecret } from './one-time-secret.ts'
import { type SecretPurpose, saveSecret } from './secrets.queries.ts'

/** The browser that asked for a mail, and where the mail's link is to lead it. */
export interface LinkRequest {
  readonly challenge: CodeChallenge | undefined
  readonly redirectTo: string
  readonly client: Client
}

/** How long the secrets of one kind work, from the moment their mail was queued. */
export const lifeMinutes: Readonly<Record<SecretPurpose, number>> = {
  confirmation: 24 * 60,
  recovery: 60,
  email_change_new: 60,
  email_change_current: 60,
  reauthentication: 10,
}

/** Names the flows of which each address may ask once in a while. */
export type PausedFlow = 'confirm_sign_up' | 'magic_link' | 'recovery' | 'email_change' | 'reauthentication'

/**
 * Begins the pause between two mails that an address can be made to get by one flow. Each flow has a pause of its own,
 * begun for every address it is given: a shared one would tell by its state what another flow found.
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
  /** The address it goes to. */
  readonly to: string
}

/** A secret in all the forms that a mail, or a program that writes its own mails, needs. */
export interface MadeSecret {
  readonly user: User
  readonly link: string
  readonly linkToken: string
  readonly code: string
}

/** Makes and stores a secret without sending it. The account has to be locked. */
export async function makeSecret(
  parts: Pick<AuthParts, 'appUrl'>,
  tx: AuthTx,
  { user, purpose, linkType, to }: Secret,
  { challenge, redirectTo }: Pick<LinkRequest, 'challenge' | 'redirectTo'>,
): Promise<MadeSecret> {
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
  }
}

/**
 * Makes a secret and queues its mail, in the caller's transaction: the one way in which a secret leaves. The pause is
 * the caller's to begin, before it looks whether there is an account.
 *
 * @param queue writes the mail; `content` holds link and code.
 * @throws AuthError `over_email_send_rate_limit` when the instance has sent its share of this hour.
 */
export async function sendSecret(
  parts: AuthParts,
  tx: AuthTx,
  secret: Secret & {
    action: string
    queue: (tx: AuthTx, content: LinkMail) => Promise<void>
  },
  request: LinkRequest,
): Promise<User> {
  await spendMail(parts, tx)
  const { user, link, code } = await makeSecret(parts, tx, secret, request)
  const { appUrl } = parts
  await secret.queue(tx, { appUrl, to: secret.to, link, code, validMinutes: lifeMinutes[secret.purpose] })
  await audit(tx, { action: secret.action, logType: 'user', user, client: request.client })
  return user
}

// The configured address, whatever host the request named: a forged one must not get the secret.
function formatLink(
  appUrl: string,
  { token, type, redirectTo }: { token: string; type: string; redirectTo: string },
): string {
  const query = new URLSearchParams({ token, type, redirect_to: redirectTo })
  return `${appUrl}/auth/v1/verify?${query}`
}
