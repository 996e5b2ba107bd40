import { createHmac, randomBytes } from 'node:crypto'
import type { Seals } from '#server/platform/secret/seals.ts'

/** Secrets of an integration, which are stored encrypted. */
export interface StoredSecrets {
  /** Secret fields of the form. */
  readonly fields: Readonly<Record<string, unknown>>
  /** What the service signs its calls with, where that is its own secret and not one of `signing`. */
  readonly hook?: string
  /** Keys that sign deliveries, in base64. */
  readonly signing?: { readonly current: string; readonly former?: string; readonly formerUntil?: string }
}

const prefix = 'whsec_'
/** Standard Webhooks takes 24 to 64, GitLab's signing tokens exactly 32. */
const keyBytes = 32

interface Place {
  readonly organizationId: string
  readonly integrationId: string
}

/** A value that was moved to another row does not open. */
const contextOf = ({ organizationId, integrationId }: Place) => `integration ${organizationId} ${integrationId}`

export function sealSecrets(seals: Seals, place: Place, secrets: StoredSecrets): string {
  return seals.seal(JSON.stringify(secrets), contextOf(place))
}

/** @throws SealError when the instance's secret has changed since: the integration must be connected again. */
export function openSecrets(seals: Seals, place: Place, sealed: string): StoredSecrets {
  // Written by `sealSecrets` above.
  return JSON.parse(seals.open(sealed, contextOf(place))) as StoredSecrets
}

export function createSigningKey(): string {
  return randomBytes(keyBytes).toString('base64')
}

/** As owners see it once, and as receivers' libraries take it (Standard Webhooks 1.0). */
export function showSigningKey(key: string): string {
  return `${prefix}${key}`
}

/** The keys that are valid now: for a while after a replacement, the former one too. */
export function listValidKeys(signing: StoredSecrets['signing']): string[] {
  if (!signing) return []
  const { current, former, formerUntil } = signing
  const isOverlapping = former !== undefined && formerUntil !== undefined && Date.parse(formerUntil) > Date.now()
  return [current, ...(isOverlapping ? [former] : [])]
}

/**
 * Signatures by every key that is valid now, space-separated (Standard Webhooks 1.0): a receiver accepts any of them, so that
 * a secret can be replaced without a gap. Empty: deliveries are not signed.
 */
export function sign(
  signing: StoredSecrets['signing'],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string {
  return listValidKeys(signing)
    .map((key) => {
      const mac = createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64')
      return `v1,${mac}`
    })
    .join(' ')
}
