import { v4 as uuidV4 } from 'uuid'
import { queueInvite } from '#server/features/mail/mail.service.ts'
import type { AuthTx } from '#server/platform/database/database.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { dropUnprovenAccess, findIdentities, findUserByEmail, type User } from '../accounts/users.queries.ts'
import type { AuthParts } from '../auth-parts.ts'
import type { LinkType } from '../mailed-links/link-type.ts'
import type { SecretPurpose } from '../mailed-links/secrets.queries.ts'
import { makeSecret, sendSecret } from '../mailed-links/send-secret.ts'
import { AuthError } from '../protocol/auth-error.ts'
import type { JsonObject } from '../protocol/request-body.ts'
import { toUserJson } from '../protocol/user-json.ts'
import { auditAdmin, inOneStep, merge } from './accounts.service.ts'
import { insertAccount, updateAccount } from './admin.queries.ts'
import { startEmailChange } from './links.queries.ts'

/** The kinds of link that a program can request. */
export type RequestedLink =
  | { readonly type: 'signup'; readonly passwordHash: string; readonly metadata: JsonObject }
  | { readonly type: 'invite' | 'magiclink'; readonly metadata: JsonObject }
  | { readonly type: 'recovery' }
  | { readonly type: 'email_change_new' | 'email_change_current'; readonly newEmail: string }

interface Request {
  readonly email: string
  readonly redirectTo: string
  readonly client: Client
}

interface LinkKind {
  readonly purpose: SecretPurpose
  readonly linkType: LinkType
  readonly action: string
  readonly keepsSignUp?: boolean
}

// A sign-up or an invitation has just replaced an earlier one, and keeps what the program chose.
const links: Readonly<Record<RequestedLink['type'], LinkKind>> = {
  signup: { purpose: 'confirmation', linkType: 'signup', action: 'user_confirmation_requested', keepsSignUp: true },
  invite: { purpose: 'confirmation', linkType: 'invite', action: 'user_invited', keepsSignUp: true },
  magiclink: { purpose: 'recovery', linkType: 'magiclink', action: 'user_recovery_requested' },
  recovery: { purpose: 'recovery', linkType: 'recovery', action: 'user_recovery_requested' },
  email_change_new: { purpose: 'email_change_new', linkType: 'email_change', action: 'user_modified' },
  email_change_current: { purpose: 'email_change_current', linkType: 'email_change', action: 'user_modified' },
}

/**
 * Creates a link as in an email, for a program that sends its own emails. The link signs its holder in, so only the
 * program gets it.
 *
 * @throws AuthError `user_not_found`, `email_exists` or `validation_failed`.
 */
export function generateLink(
  parts: AuthParts,
  wanted: RequestedLink,
  request: Request,
): Promise<Record<string, unknown>> {
  return onceMoreIfTaken(() =>
    inOneStep(parts, 'admin makes a link', async (tx) => {
      const { user, type } = await findOrMakeUser(tx, wanted, request)
      const to = wanted.type === 'email_change_new' ? wanted.newEmail : request.email
      const { action, ...link } = links[type]
      const secret = { user, to, ...link }
      const made = await makeSecret(parts, tx, secret, { challenge: undefined, redirectTo: request.redirectTo })
      await auditAdmin(tx, {
        action,
        logType: action === 'user_invited' ? 'team' : 'user',
        user,
        client: request.client,
      })
      return {
        ...toUserJson(made.user, await findIdentities(tx, user.id)),
        action_link: made.link,
        email_otp: made.code,
        hashed_token: made.linkToken,
        verification_type: type,
        redirect_to: request.redirectTo,
      }
    }),
  )
}

/**
 * Invites a person by email to an account of their own; an unconfirmed account is invited again.
 *
 * @throws AuthError `email_exists` for a confirmed account, or `over_email_send_rate_limit`.
 */
export function invite(parts: AuthParts, metadata: JsonObject, request: Request): Promise<Record<string, unknown>> {
  return onceMoreIfTaken(() =>
    inOneStep(parts, 'admin invites a person', async (tx) => {
      const { user } = await findOrMakeUser(tx, { type: 'invite', metadata }, request)
      await auditAdmin(tx, { action: 'user_invited', logType: 'team', user, client: request.client })
      const { action: _, ...link } = links.invite
      const invited = await sendSecret(
        parts,
        tx,
        {
          ...link,
          user,
          to: request.email,
          action: 'user_confirmation_requested',
          queue: queueInvite,
          budget: 'member',
        },
        { challenge: undefined, redirectTo: request.redirectTo, client: request.client },
      )
      return toUserJson(invited, await findIdentities(tx, user.id))
    }),
  )
}

/** The account that the link is for, locked. A magic link for an unknown address is a sign-up. */
async function findOrMakeUser(
  tx: AuthTx,
  wanted: RequestedLink,
  { email }: Request,
): Promise<{ user: User; type: RequestedLink['type'] }> {
  const user = await findUserByEmail(tx, email, { lock: true })
  if (!user) return makeUser(tx, wanted, email)
  switch (wanted.type) {
    case 'signup':
    case 'invite':
      if (user.email_confirmed_at !== null) throw new AuthError('email_exists')
      // A stranger may have signed up with the address, and must not keep access to the account that its owner
      // confirms.
      await dropUnprovenAccess(tx, user)
      await updateAccount(tx, user.id, {
        userMetadata: merge(user.raw_user_meta_data ?? {}, wanted.metadata),
        ...(wanted.type === 'signup' ? { passwordHash: wanted.passwordHash } : { isInvited: true }),
      })
      break
    case 'email_change_new':
    case 'email_change_current':
      if (await findUserByEmail(tx, wanted.newEmail)) throw new AuthError('email_exists')
      await startEmailChange(tx, user.id, wanted.newEmail)
      break
    default:
  }
  return { user, type: wanted.type }
}

async function makeUser(
  tx: AuthTx,
  wanted: RequestedLink,
  email: string,
): Promise<{ user: User; type: RequestedLink['type'] }> {
  if (!('metadata' in wanted)) {
    throw new AuthError('user_not_found', { status: 404, message: 'User with this email not found' })
  }
  await insertAccount(tx, {
    id: uuidV4(),
    email,
    passwordHash: 'passwordHash' in wanted ? wanted.passwordHash : '',
    userMetadata: merge({}, wanted.metadata),
    appMetadata: { provider: 'email', providers: ['email'] },
    isConfirmed: false,
    isInvited: wanted.type === 'invite',
    bannedUntil: null,
  })
  const user = await findUserByEmail(tx, email, { lock: true })
  if (!user) throw new AuthError('user_not_found', { status: 404, message: 'User with this email not found' })
  return { user, type: wanted.type === 'magiclink' ? 'signup' : wanted.type }
}

/** Another request has just created the account: the second attempt finds it. */
async function onceMoreIfTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // Only a refusal by a database constraint has a cause; a refusal by our own rule is final.
    if (error instanceof AuthError && error.code === 'email_exists' && error.cause !== undefined) return work()
    throw error
  }
}
