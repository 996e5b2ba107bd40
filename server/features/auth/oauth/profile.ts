import { isEmailAddress } from '#server/platform/mail/address.ts'

/** A person's Google profile, with names, addresses and picture URLs cleaned. */
export interface Profile {
  /** Google's id of the account: unlike the address, it is never reassigned. */
  readonly sub: string
  readonly email: string
  readonly isEmailVerified: boolean
  /** The stored identity data, with GoTrue's names. */
  readonly identityData: Readonly<Record<string, unknown>>
}

const maxNameLength = 200
const maxPictureLength = 1000

// Control characters, including those that change the text direction.
const unwanted = /[\p{Cc}\u2028-\u202e\u2066-\u2069\ufeff]+/gu

/**
 * Reads the claims of an ID token, or of the userinfo page that has the same.
 *
 * @returns undefined without an id or a valid email address.
 */
export function readProfile(claims: Readonly<Record<string, unknown>>, issuer: string): Profile | undefined {
  const { sub, email } = claims
  if (typeof sub !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(sub)) return undefined
  if (typeof email !== 'string' || !isEmailAddress(email)) return undefined
  const address = email.toLowerCase()
  // Strictly `true`: the owner of the address gets the account here.
  const isEmailVerified = claims.email_verified === true
  const name =
    readName(claims.name) ?? readName([claims.given_name, claims.family_name].filter(Boolean).join(' ')) ?? undefined
  const picture = readPicture(claims.picture)
  const domain = readDomain(claims.hd)
  return {
    sub,
    email: address,
    isEmailVerified,
    identityData: {
      iss: issuer,
      sub,
      provider_id: sub,
      email: address,
      email_verified: isEmailVerified,
      phone_verified: false,
      ...(name !== undefined && { name, full_name: name }),
      ...(picture !== undefined && { picture, avatar_url: picture }),
      ...(domain !== undefined && { custom_claims: { hd: domain } }),
    },
  }
}

function readName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  // Cut first, so that a huge name costs nothing; then again by code points, so that no surrogate pair is split.
  const clean = value
    .slice(0, 4 * maxNameLength)
    .toWellFormed()
    .replaceAll(unwanted, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .normalize('NFC')
  return [...clean].slice(0, maxNameLength).join('').trim() || undefined
}

// It becomes an image source in other people's browsers.
function readPicture(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxPictureLength || !URL.canParse(value)) return undefined
  const url = new URL(value)
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined
  return url.href.length <= maxPictureLength ? url.href : undefined
}

/** The Google Workspace domain of the account. */
function readDomain(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 253 && /^[a-z0-9.-]+$/i.test(value) ? value : undefined
}
