import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The role of an API key: a browser before sign-in, or an operator's program. */
export type KeyRole = 'anon' | 'service_role'

/** An opaque key that is accepted, and the role that it carries. */
export interface ApiKey {
  readonly key: string
  readonly role: KeyRole
}

type KeyKind = 'publishable' | 'secret'

/** A new key of its own: `sb_publishable_…` or `sb_secret_…`. */
export function createApiKey(kind: KeyKind): string {
  return formatApiKey(kind, randomBytes(17).toString('base64url').slice(0, 22))
}

/**
 * Derives the key from a secret that several servers share, so that they need no shared folder.
 *
 * @param seed the secret; the key does not reveal it.
 */
export function deriveApiKey(kind: KeyKind, seed: string): string {
  return formatApiKey(kind, createHmac('sha256', seed).update(`${kind} key`).digest('base64url').slice(0, 22))
}

// Supabase's form: 22 random characters, and a checksum that lets a scanner of leaked secrets recognise it.
function formatApiKey(kind: KeyKind, random: string): string {
  const body = `sb_${kind}_${random}`
  return `${body}_${createHash('sha256').update(body).digest('base64url').slice(0, 8)}`
}

/**
 * Makes the lookup of an opaque key's role. Every key is compared, each in constant time: the duration does not reveal
 * a near match.
 */
export function createApiKeyLookup(accepted: readonly ApiKey[]): (apiKey: string) => KeyRole | undefined {
  const known = accepted.map(({ key, role }) => ({ digest: digest(key), role }))
  return (apiKey) => {
    const given = digest(apiKey)
    return known.filter((each) => timingSafeEqual(each.digest, given)).map(({ role }) => role)[0]
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
