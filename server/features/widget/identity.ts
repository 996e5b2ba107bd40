import { createHmac, timingSafeEqual } from 'node:crypto'

/** The secrets by which sites vouch for their visitors' ids. */
export interface IdentityKeys {
  /** What the site's server signs with: 64 hexadecimal characters. */
  readSecret(projectId: string, generation: number): string
  /** Whether `hash` is the HMAC-SHA256 (RFC 2104) of the id under that secret, in hexadecimal. */
  verify(project: { projectId: string; identityGeneration: number }, visitorId: string, hash: string): boolean
}

/**
 * Secrets are derived from the instance's own and never stored, so that no copy of the database gives them away.
 *
 * @param deriveKey 32 bytes that belong to a purpose alone.
 */
export function createIdentityKeys(deriveKey: (purpose: string) => Buffer): IdentityKeys {
  const master = deriveKey('visitor identity')
  const readSecret = (projectId: string, generation: number) =>
    createHmac('sha256', master).update(`${projectId.toLowerCase()} ${generation}`).digest('hex')
  return {
    readSecret,
    verify: ({ projectId, identityGeneration }, visitorId, hash) => {
      const expected = createHmac('sha256', readSecret(projectId, identityGeneration)).update(visitorId).digest()
      const given = Buffer.from(hash, 'hex')
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
