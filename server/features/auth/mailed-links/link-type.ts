import type { SecretPurpose } from './secrets.queries.ts'

/** What a link says it is for: `type` of `/verify`. */
export type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change'

/*
 * Which secrets a type may name, and what `amr` says of the session that comes of it over PKCE. A magic link's secret is
 * a recovery's; a sign-up's may be one, where somebody asked for a magic link to an account that was never confirmed.
 */
const linkTypes: Readonly<Record<LinkType, { purposes: readonly SecretPurpose[]; method: string }>> = {
  signup: { purposes: ['confirmation', 'recovery'], method: 'email/signup' },
  invite: { purposes: ['confirmation'], method: 'invite' },
  magiclink: { purposes: ['recovery', 'confirmation'], method: 'magiclink' },
  recovery: { purposes: ['recovery'], method: 'recovery' },
  email_change: { purposes: ['email_change_new', 'email_change_current'], method: 'email_change' },
}

/** Secrets of the type; `email` stands for sign-up and magic link alike. Undefined for a type that is none. */
export function findPurposes(type: string): readonly SecretPurpose[] | undefined {
  if (type === 'email') return ['confirmation', 'recovery']
  return Object.hasOwn(linkTypes, type) ? linkTypes[type as LinkType].purposes : undefined
}

/** How somebody signs in who comes by a link of that type with a code to exchange. */
export function methodOf(type: LinkType): string {
  return linkTypes[type].method
}

/** Whether a link may say that it is of this type. */
export function isLinkType(type: string): type is LinkType {
  return Object.hasOwn(linkTypes, type)
}
