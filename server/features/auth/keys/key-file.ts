import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import { createApiKey, deriveApiKey } from './api-keys.ts'

/** What the data folder keeps for the auth server, readable by its owner alone. */
export interface KeyFile {
  /** Private JWKs: the one that signs, and older ones that verify. */
  readonly keys: readonly JWK[]
  /** The API key of browsers. Not a secret. */
  readonly publishableKey: string
  /** The API key of the operator's own programs: it may do everything. */
  readonly secretKey: string
}

const fileName = 'auth-keys.json'

/** Where a data folder keeps its keys. */
export function keyFilePath(dataDir: string): string {
  return join(dataDir, fileName)
}

/**
 * Reads the keys of a data folder, and makes them where there are none yet. Several processes may start at once: all of
 * them end up with the same keys.
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
  await createOnce(path, format(made))
  const settled = await readKeyFile(path)
  if (!settled) throw new Error(`${path} vanished while it was being made`)
  return settled
}

async function readKeyFile(path: string): Promise<KeyFile | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`${path} can't be read: ${(error as Error).message}`)
  }
  const file = parse(text)
  if (!file) throw new Error(`${path} is damaged: restore it from a backup, or delete it, which signs everyone out`)
  if (file.secretKey !== '') return file
  const complete = { ...file, secretKey: deriveSecretKey(file.keys) }
  try {
    await replaceKeyFile(path, complete)
  } catch {
    // A folder that may only be read: the key is the same at every start all the same.
  }
  return complete
}

/** Puts other keys in the place of a data folder's. Whoever reads meanwhile finds the old ones or the new ones, whole. */
export async function replaceKeyFile(path: string, file: KeyFile): Promise<void> {
  const draft = await writeDraft(path, format(file))
  try {
    await rename(draft, path)
  } catch (error) {
    await unlink(draft)
    throw error
  }
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

// Files of earlier versions hold no secret key. Several processes may complete one at once: derived, it is the same in all.
function deriveSecretKey(keys: readonly JWK[]): string {
  const seed = keys.find(({ d }) => typeof d === 'string')?.d
  return seed === undefined ? createApiKey('secret') : deriveApiKey('secret', seed)
}

function format(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Creates the file with its whole content, or leaves alone what another process created first. */
async function createOnce(path: string, content: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  const draft = await writeDraft(path, content)
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
}

async function writeDraft(path: string, content: string): Promise<string> {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return draft
}
