import { createHash } from 'node:crypto'
import { v4 as uuidV4 } from 'uuid'
import { queueEmailChanged, queuePasswordChanged } from '#server/features/mail/mail.service.ts'
import type { AuthTx } from '#server/platform/database/database.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { checkMetadata } from '../accounts/account-data.ts'
import type { User } from '../accounts/users.queries.ts'
import { insertAuditEntry } from '../accounts/users.queries.ts'
import type { AuthParts } from '../auth-parts.ts'
import { clearSecrets } from '../mailed-links/secrets.queries.ts'
import { AuthError } from '../protocol/auth-error.ts'
import type { JsonObject } from '../protocol/request-body.ts'
import { deleteSessions } from '../sessions/sessions.queries.ts'
import type { AccountInput } from './account-input.ts'
import type { Account } from './admin.queries.ts'
import * as queries from './admin.queries.ts'

/** @throws AuthError `user_not_found` */
export function getAccount(parts: AuthParts, userId: string): Promise<Account> {
  return parts.database.asAuthAdmin('admin reads an account', (tx) => readAccount(tx, userId))
}

/**
 * Creates an account. Without a password, password sign-in is impossible until a recovery sets one.
 *
 * @throws AuthError `validation_failed`, `email_exists`, or `user_already_exists` for an id that is taken.
 */
export function createAccount(parts: AuthParts, input: AccountInput, client: Client): Promise<Account> {
  const { email } = input
  if (email === undefined) {
    throw new AuthError('validation_failed', { message: 'Cannot create a user without either an email or phone' })
  }
  const user = { id: input.id ?? uuidV4(), email }
  return inOneStep(parts, 'admin creates an account', async (tx) => {
    await queries.insertAccount(tx, {
      ...user,
      passwordHash: input.passwordHash ?? '',
      userMetadata: merge({}, input.userMetadata),
      appMetadata: merge({ provider: 'email', providers: ['email'] }, input.appMetadata),
      isConfirmed: input.isConfirmed,
      isInvited: false,
      bannedUntil: input.bannedUntil ?? null,
    })
    await auditAdmin(tx, { action: 'user_signedup', logType: 'team', user, client })
    return readAccount(tx, user.id)
  })
}

/**
 * Changes an account. A new password ends its sessions; a new password or address invalidates every link emailed
 * before, and the person gets an email.
 *
 * @throws AuthError `user_not_found`, `validation_failed` or `email_exists`.
 */
export function updateAccount(
  parts: AuthParts,
  { userId, input, client }: { userId: string; input: AccountInput; client: Client },
): Promise<Account> {
  return inOneStep(parts, 'admin changes an account', async (tx) => {
    const user = await queries.lockAccount(tx, userId)
    if (!user || user.deleted_at) throw new AuthError('user_not_found', notFound)
    const { passwordHash, bannedUntil } = input
    // The current address is no change and keeps its confirmation.
    const email = input.email === user.email ? undefined : input.email
    const isConfirmed = input.isConfirmed && (email !== undefined || user.email_confirmed_at === null)
    const hasNewAddress = email !== undefined || isConfirmed
    const stated = {
      ...(hasNewAddress && { email_verified: isConfirmed }),
      ...(email !== undefined && user.raw_user_meta_data?.email !== undefined && { email }),
    }
    await queries.updateAccount(tx, userId, {
      ...(email !== undefined && { email }),
      ...(passwordHash !== undefined && { passwordHash }),
      ...(isConfirmed && { isConfirmed }),
      userMetadata: merge(user.raw_user_meta_data ?? {}, { ...input.userMetadata, ...stated }),
      appMetadata: merge(user.raw_app_meta_data ?? {}, input.appMetadata),
      ...(bannedUntil !== undefined && { bannedUntil }),
    })
    const address = email ?? user.email ?? ''
    if (hasNewAddress) {
      await queries.saveEmailIdentity(tx, { userId, email: address, isVerified: isConfirmed })
    }
    if (hasNewAddress || passwordHash !== undefined) await endSecrets(tx, userId)
    if (passwordHash !== undefined) await endSessions(tx, userId)
    if (user.email_confirmed_at !== null) await notify(parts, tx, user, { ...input, email })
    await auditAdmin(tx, { action: 'user_modified', logType: 'user', user: { id: userId, email: address }, client })
    return readAccount(tx, userId)
  })
}

/**
 * Deletes an account with its own data, or softly: then only its id stays, without personal data.
 *
 * @throws AuthError `user_not_found`, or `conflict` when an organisation would keep members and lose its only owner.
 */
export function deleteAccount(
  parts: AuthParts,
  { userId, isSoft, client }: { userId: string; isSoft: boolean; client: Client },
): Promise<void> {
  return inOneStep(parts, 'admin deletes an account', async (tx) => {
    const user = await queries.lockAccount(tx, userId)
    if (!user) throw new AuthError('user_not_found', notFound)
    await auditAdmin(tx, { action: 'user_deleted', logType: 'team', user, client })
    if (!isSoft) {
      await queries.deleteAccount(tx, userId)
    } else if (!user.deleted_at) {
      await endSessions(tx, userId)
      await endSecrets(tx, userId)
      await queries.eraseAccount(tx, userId, createPseudonym(user.id + (user.email ?? '')))
    }
  })
}

// An old link or code could undo the change.
async function endSecrets(tx: AuthTx, userId: string): Promise<void> {
  await clearSecrets(tx, userId)
  await queries.abandonFlows(tx, userId)
}

async function endSessions(tx: AuthTx, userId: string): Promise<void> {
  await deleteSessions(tx, { userId, sessionId: '', scope: 'global' })
}

/** Emails the person at the account's previous address. */
async function notify(
  { appUrl }: Pick<AuthParts, 'appUrl'>,
  tx: AuthTx,
  { email: to }: Pick<User, 'email'>,
  { email: newEmail, passwordHash }: Pick<AccountInput, 'email' | 'passwordHash'>,
): Promise<void> {
  if (!to) return
  const changedAt = new Date()
  if (passwordHash !== undefined) await queuePasswordChanged(tx, { appUrl, to, changedAt })
  if (newEmail !== undefined) await queueEmailChanged(tx, { appUrl, to, newEmail, changedAt })
}

/** Records an operator program's change to an account in the audit log. */
export async function auditAdmin(
  tx: AuthTx,
  entry: {
    action: string
    logType: 'team' | 'user'
    user: { id: string; email: string | null }
    client: Client
  },
): Promise<void> {
  const { action, logType, user, client } = entry
  const traits = { user_id: user.id, user_email: user.email ?? '', user_phone: '' }
  await insertAuditEntry(tx, { id: uuidV4(), action, logType, actor: serviceRole, ip: client.ip, traits })
}

const serviceRole = { id: '00000000-0000-0000-0000-000000000000', name: 'service_role' }

const notFound = { status: 404, message: 'User not found' } as const

async function readAccount(tx: AuthTx, userId: string): Promise<Account> {
  const account = await queries.findAccount(tx, userId)
  if (!account) throw new AuthError('user_not_found', notFound)
  return account
}

/** Runs it as one transaction, and turns refusals by database constraints into AuthErrors. */
export async function inOneStep<T>(parts: AuthParts, reason: string, work: (tx: AuthTx) => Promise<T>): Promise<T> {
  try {
    return await parts.database.asAuthAdmin(reason, work)
  } catch (error) {
    throw toRefusal(error) ?? error
  }
}

function toRefusal(cause: unknown): AuthError | undefined {
  // Errors of PostgreSQL have one; other values give undefined.
  switch ((cause as { constraint?: unknown } | undefined)?.constraint) {
    case 'users_email_partial_key':
      return new AuthError('email_exists', { cause })
    case 'users_pkey':
      return new AuthError('user_already_exists', { message: 'A user with this ID already exists', cause })
    case 'memberships_keep_one_owner':
      return new AuthError('conflict', {
        message:
          'This user is the only owner of an organisation that has other members. Make another member owner first.',
        cause,
      })
    default:
      return undefined
  }
}

/** Null removes a key. @throws AuthError `validation_failed` when it grows too large for a token. */
export function merge(present: JsonObject, changes: JsonObject): JsonObject {
  const merged = Object.fromEntries(Object.entries({ ...present, ...changes }).filter(([, value]) => value !== null))
  if (Object.keys(changes).length > 0) checkMetadata(merged)
  return merged
}

function createPseudonym(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
