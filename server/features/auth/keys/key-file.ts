import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { hasErrorCode, readErrorMessage } from '#server/platform/read-error.ts'
import { createSecretFile, replaceSecretFile } from '#server/platform/secret/secret-file.ts'
import { createApiKey, deriveApiKey } from './api-keys.ts'

/** The auth server's file in the data folder, readable by its owner only. */
export interface KeyFile {
  /** Private JWKs: the signing key, and older ones that verify. */
  readonly keys: readonly JWK[]
  /** The API key of browsers. Not a secret. */
  readonly publishableKey: string
  /** The API key of the operator's programs, with all permissions. */
  readonly secretKey: string
}

const fileName = 'auth-keys.json'

/** The path of a data folder's key file. */
export function keyFilePath(dataDir: string): string {
  return join(dataDir, fileName)
}

/**
 * Reads the keys of a data folder, and creates them if missing. Several processes may start at once: all of them get
 * the same keys.
 *
 * @throws Error with one clear sentence when the file can't be read or is damaged.
 */
export async function readOrCreateKeyFile(path: string): Promise<KeyFile> {
  const found = await readKeyFile(path)
  if (found) return found
  const made: KeyFile = {
    keys: [await createSigner()],
    publishableKey: createApiKey('publishable'),
    secretKey: createApiKey('secret'),
  }
  await createSecretFile(path, format(made))
  const settled = await readKeyFile(path)
  if (!settled) throw new Error(`${path} disappeared while it was being created`)
  return settled
}

async function readKeyFile(path: string): Promise<KeyFile | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw new Error(`${path} can't be read: ${readErrorMessage(error)}`)
  }
  const file = parse(text)
  if (!file) throw new Error(`${path} is damaged: restore it from a backup, or delete it, which signs everyone out`)
  if (file.secretKey !== '') return file
  const complete = { ...file, secretKey: deriveSecretKey(file.keys) }
  try {
    await replaceKeyFile(path, complete)
  } catch {
    // In a read-only folder, the derived key is still the same at every start.
  }
  return complete
}

/** Replaces the keys of a data folder atomically: a concurrent reader gets the old file or the new one, never a mix. */
export async function replaceKeyFile(path: string, file: KeyFile): Promise<void> {
  await replaceSecretFile(path, format(file))
}

/** A new ES256 key that signs. */
export async function createSigner(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { ...jwk, kid, alg: 'ES256', use: 'sig', key_ops: ['sign', 'verify'] }
}

function parse(text: string): KeyFile | undefined {
  try {
    // Our own file, maybe edited by hand: each field is checked below.
    const { keys, publishableKey, secretKey = '' } = JSON.parse(text) as Partial<KeyFile>
    const isWhole =
      Array.isArray(keys) &&
      keys.length > 0 &&
      typeof publishableKey === 'string' &&
      publishableKey !== '' &&
      typeof secretKey === 'string'
    return isWhole ? { keys, publishableKey, secretKey } : undefined
  } catch {
    return undefined
  }
}

// Files of earlier versions contain no secret key. Several processes may complete one at once: derived, it is the same
// in all.
function deriveSecretKey(keys: readonly JWK[]): string {
  const seed = keys.find(({ d }) => typeof d === 'string')?.d
  return seed === undefined ? createApiKey('secret') : deriveApiKey('secret', seed)
}

function format(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}
