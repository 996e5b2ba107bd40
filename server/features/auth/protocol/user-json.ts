import { v4 as uuidV4 } from 'uuid'
import type { Identity, User } from '../accounts/users.queries.ts'

/** The account as GoTrue shows it: optional times are left out, never null; `phone` is always a string. */
export function toUserJson(user: User, identities: readonly Identity[]): Record<string, unknown> {
  return {
    id: user.id,
    aud: user.aud ?? '',
    role: user.role ?? '',
    email: user.email ?? '',
    ...time('email_confirmed_at', user.email_confirmed_at),
    ...time('invited_at', user.invited_at),
    phone: user.phone ?? '',
    ...time('phone_confirmed_at', user.phone_confirmed_at),
    ...time('confirmation_sent_at', user.confirmation_sent_at),
    ...time('confirmed_at', user.confirmed_at),
    ...time('recovery_sent_at', user.recovery_sent_at),
    ...(user.email_change && { new_email: user.email_change }),
    ...time('email_change_sent_at', user.email_change_sent_at),
    ...time('reauthentication_sent_at', user.reauthentication_sent_at),
    ...time('last_sign_in_at', user.last_sign_in_at),
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    identities: identities.map(toIdentityJson),
    ...time('created_at', user.created_at),
    ...time('updated_at', user.updated_at),
    ...time('banned_until', user.banned_until),
    ...time('deleted_at', user.deleted_at),
    is_anonymous: false,
  }
}

/**
 * The answer to a sign-up with the address of a confirmed account: it looks like a new account; only the missing
 * identities let the screen show that the account exists.
 */
export function createDecoyUserJson(
  email: string,
  metadata: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const now = new Date().toISOString()
  return {
    id: uuidV4(),
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: metadata,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  }
}

function toIdentityJson(identity: Identity): Record<string, unknown> {
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    ...time('last_sign_in_at', identity.last_sign_in_at),
    ...time('created_at', identity.created_at),
    ...time('updated_at', identity.updated_at),
    ...(identity.email !== null && { email: identity.email }),
  }
}

function time(name: string, value: Date | null): Record<string, string> {
  return value ? { [name]: value.toISOString() } : {}
}
