import type { SecretPurpose } from './secrets.queries.ts'

/** The purpose that a link states: `type` of `/verify`. */
export type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change'

/*
 * The secrets of each type, and the `amr` method of its PKCE session. A magic link's secret is a recovery's, or a
 * sign-up's where the account was unconfirmed.
 */
const linkTypes: Readonly<Record<LinkType, { purposes: readonly SecretPurpose[]; method: string }>> = {
  signup: { purposes: ['confirmation'], method: 'email/signup' },
  invite: { purposes: ['confirmation'], method: 'invite' },
  magiclink: { purposes: ['recovery', 'confirmation'], method: 'magiclink' },
  recovery: { purposes: ['recovery'], method: 'recovery' },
  email_change: { purposes: ['email_change_new', 'email_change_current'], method: 'email_change' },
}

/** Secrets of the type; `email` stands for sign-up and magic link alike. Undefined for an unknown type. */
export function findPurposes(type: string): readonly SecretPurpose[] | undefined {
  if (type === 'email') return ['confirmation', 'recovery']
  // Own keys of `linkTypes` are link types.
  return Object.hasOwn(linkTypes, type) ? linkTypes[type as LinkType].purposes : undefined
}

/** The `amr` method of a session from a link of that type with a code to exchange. */
export function methodOf(type: LinkType): string {
  return linkTypes[type].method
}

/** Whether this is a known link type. */
export function isLinkType(type: string): type is LinkType {
  return Object.hasOwn(linkTypes, type)
}
