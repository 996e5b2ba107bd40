import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { BackupError } from '../backup-error.ts'

/** Files of the data folder by name. */
export type Secrets = Readonly<Record<string, string>>

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
// 128 MiB and half a second for each guess of a passphrase.
const cost = { N: 2 ** 17, r: 8, p: 1 }
const cipher = 'aes-256-gcm'

/** Encrypts secrets with a key that scrypt makes of the passphrase. All that opens them, but the passphrase, is in the result. */
export async function sealSecrets(secrets: Secrets, passphrase: string): Promise<Buffer> {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const encryption = createCipheriv(cipher, await deriveKey(passphrase, salt, cost), nonce)
  const content = Buffer.concat([encryption.update(JSON.stringify(secrets), 'utf8'), encryption.final()])
  const sealed = {
    kdf: 'scrypt',
    ...cost,
    salt: salt.toString('base64'),
    cipher,
    nonce: nonce.toString('base64'),
    tag: encryption.getAuthTag().toString('base64'),
    content: content.toString('base64'),
  }
  return Buffer.from(`${JSON.stringify(sealed, null, 1)}\n`)
}

/** @throws BackupError when the passphrase is another one, or the secrets are damaged. */
export async function openSecrets(sealed: Buffer, passphrase: string): Promise<Secrets> {
  try {
    // Our own format; a damaged one fails below, as a wrong passphrase does.
    const { salt, nonce, tag, content } = JSON.parse(sealed.toString('utf8')) as Record<string, string>
    const bytes = (text = '') => Buffer.from(text, 'base64')
    const decryption = createDecipheriv(cipher, await deriveKey(passphrase, bytes(salt), cost), bytes(nonce))
    decryption.setAuthTag(bytes(tag))
    const plain = Buffer.concat([decryption.update(bytes(content)), decryption.final()])
    // Sealed by the function above: the tag says that no one else wrote it.
    return JSON.parse(plain.toString('utf8')) as Secrets
  } catch {
    throw new BackupError(
      'The passphrase does not open the secrets of this archive. Use the one with which the backup was made.',
    )
  }
}

function deriveKey(passphrase: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  return derive(passphrase.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r })
}
