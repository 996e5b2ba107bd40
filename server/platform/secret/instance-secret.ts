import { hkdfSync, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode, readErrorMessage } from '../read-error.ts'
import { createSecretFile } from './secret-file.ts'

const fileName = 'instance-secret'
const secretBytes = 32

/** The instance's secret, for signatures and stored credentials. Never used directly: each purpose has its own derived key. */
export interface InstanceSecret {
  /** 32 bytes for this purpose only (HKDF, RFC 5869). */
  deriveKey(purpose: string): Buffer
}

/**
 * The configured secret, or the one in the data folder, created there at the first start. Several processes may start
 * at once: all of them get the same one.
 *
 * @throws Error with one clear sentence when the file can't be read or is damaged.
 */
export async function loadInstanceSecret(options: {
  dataDir: string
  configured: string | null
}): Promise<InstanceSecret> {
  return createInstanceSecret(options.configured ?? (await readOrCreate(join(options.dataDir, fileName))))
}

export function createInstanceSecret(secret: string): InstanceSecret {
  return { deriveKey: (purpose) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)) }
}

async function readOrCreate(path: string): Promise<string> {
  const found = await read(path)
  if (found !== undefined) return found
  await createSecretFile(path, `${randomBytes(secretBytes).toString('base64url')}\n`)
  const settled = await read(path)
  if (settled === undefined) throw new Error(`${path} disappeared while it was being created`)
  return settled
}

async function read(path: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    if (Buffer.from(secret, 'base64url').length < secretBytes) {
      throw new Error(
        'it is damaged. Restore it from a backup. If there is none, delete it: links to files expire, projects get new secrets for identifying visitors, and integrations must be connected again',
      )
    }
    return secret
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw new Error(`${path} can't be read: ${readErrorMessage(error)}`)
  }
}
