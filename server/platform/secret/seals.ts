import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { InstanceSecret } from './instance-secret.ts'

/** Encrypts small secrets for columns of tables, such as the tokens of integrations. A copy of the database reveals none. */
export interface Seals {
  /**
   * @param context the row that the value belongs to, e.g. `integration:<organization id>:<id>`. Only the same context
   * opens it, so a value copied to another row stays closed.
   */
  seal(plain: string, context: string): string
  /** @throws SealError when the value was sealed with an unknown secret or for another context, or is damaged. */
  open(sealed: string, context: string): string
  /** Whether it was sealed with the current secret. Seal other values again, so that the previous secret can be removed. */
  isCurrent(sealed: string): boolean
  /** Whether there is a previous secret, with which values may have been sealed. */
  readonly hasPrevious: boolean
}

/** A sealed value that can't be opened. The message says what its owner or the operator can do. */
export class SealError extends Error {
  constructor(problem: string, cause?: unknown) {
    super(`The stored credentials ${problem}.`, { cause })
    this.name = 'SealError'
  }
}

const version = 'v1'
const cipher = 'aes-256-gcm'
// Random nonces of this length are safe for 2^32 values per key (NIST SP 800-38D, 8.3).
const nonceBytes = 12
const tagBytes = 16

/**
 * Seals with AES-256-GCM. A sealed value is `v1.<key id>.<base64url of nonce, ciphertext and tag>`.
 *
 * @param secrets.previous opens older values, and seals none.
 */
export function createSeals(secrets: { current: InstanceSecret; previous: InstanceSecret | null }): Seals {
  const current = deriveSealKey(secrets.current)
  const keys = [current, ...(secrets.previous ? [deriveSealKey(secrets.previous)] : [])]
  return {
    seal: (plain, context) => `${version}.${current.id}.${encrypt(current.key, plain, context).toString('base64url')}`,
    open: (sealed, context) => {
      const [foundVersion, id, content, ...rest] = sealed.split('.')
      if (foundVersion !== version || content === undefined || rest.length > 0) throw damaged()
      const found = keys.find((key) => key.id === id)
      if (!found) {
        throw new SealError(
          'were encrypted with another INSTANCE_SECRET. Set that one as INSTANCE_SECRET_PREVIOUS, or connect the integration again',
        )
      }
      return decrypt(found.key, Buffer.from(content, 'base64url'), context)
    },
    hasPrevious: secrets.previous !== null,
    isCurrent: (sealed) => sealed.startsWith(`${version}.${current.id}.`),
  }
}

/** The id tells keys apart and reveals nothing of them. */
function deriveSealKey(secret: InstanceSecret): { id: string; key: Buffer } {
  const id = secret.deriveKey('id of the key for stored credentials').subarray(0, 6).toString('base64url')
  return { id, key: secret.deriveKey('stored credentials') }
}

function encrypt(key: Buffer, plain: string, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  encryption.setAAD(Buffer.from(context))
  return Buffer.concat([nonce, encryption.update(plain, 'utf8'), encryption.final(), encryption.getAuthTag()])
}

/** @throws SealError */
function decrypt(key: Buffer, bytes: Buffer, context: string): string {
  if (bytes.length < nonceBytes + tagBytes) throw damaged()
  const decryption = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decryption.setAAD(Buffer.from(context))
  decryption.setAuthTag(bytes.subarray(-tagBytes))
  const encrypted = bytes.subarray(nonceBytes, -tagBytes)
  try {
    return Buffer.concat([decryption.update(encrypted), decryption.final()]).toString('utf8')
  } catch (error) {
    throw damaged(error)
  }
}

function damaged(cause?: unknown): SealError {
  return new SealError('are damaged, or belong to another row. Connect the integration again', cause)
}
