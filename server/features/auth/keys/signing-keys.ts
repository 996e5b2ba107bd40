import { createHash, createHmac, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'

export const signingAlgorithm = 'ES256'

/** What the auth server signs with, and what others may know of it. */
export interface SigningKeys {
  readonly current: { readonly kid: string; readonly privateKey: CryptoKey }
  /** The public halves of every key, the current first: older ones still verify. */
  readonly publicJwks: { readonly keys: readonly JWK[] }
  /** The key a browser sends along with every call. Not a secret. */
  readonly publishableKey: string
  /** Every publishable key that is accepted; after a change of keys, older ones too. */
  readonly acceptedPublishableKeys: readonly string[]
}

interface KeyFile {
  readonly keys: readonly JWK[]
  readonly publishableKey: string
}

const fileName = 'auth-keys.json'

/**
 * Loads the keys from the configuration, or else from the data folder, where they are made at the first start.
 * Several processes may start at once: all of them end up with the same keys.
 *
 * @param options.configuredKeys JSON array of private JWKs (ES256), or null.
 * @throws Error with one clear sentence when the keys can't be read or are not usable.
 */
export async function loadSigningKeys(options: {
  dataDir: string
  configuredKeys: string | null | undefined
}): Promise<SigningKeys> {
  if (options.configuredKeys) {
    const keys = parseKeys(options.configuredKeys, 'GOTRUE_JWT_KEYS')
    return prepareKeys(keys, keys.map(derivePublishableKey), 'GOTRUE_JWT_KEYS')
  }
  const path = join(options.dataDir, fileName)
  const file = await readOrCreateKeyFile(path)
  return prepareKeys(file.keys, [file.publishableKey], path)
}

async function readOrCreateKeyFile(path: string): Promise<KeyFile> {
  const found = await readKeyFile(path)
  if (found) return found
  const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const made: KeyFile = {
    keys: [{ ...jwk, kid, alg: signingAlgorithm, use: 'sig', key_ops: ['sign', 'verify'] }],
    publishableKey: formatPublishableKey(randomBytes(17).toString('base64url').slice(0, 22)),
  }
  await createOnce(path, `${JSON.stringify(made, null, 2)}\n`)
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
  try {
    const { keys, publishableKey } = JSON.parse(text) as Partial<KeyFile>
    if (Array.isArray(keys) && typeof publishableKey === 'string' && publishableKey !== '')
      return { keys, publishableKey }
  } catch {
    // Falls through to the same complaint.
  }
  throw new Error(`${path} is damaged: restore it from a backup, or delete it, which signs everyone out`)
}

/** Creates the file with its whole content, or leaves alone what another process created first. */
async function createOnce(path: string, content: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(draft)
  }
}

function parseKeys(json: string, source: string): JWK[] {
  let keys: unknown
  try {
    keys = JSON.parse(json)
  } catch {
    throw new Error(`${source} is not valid JSON`)
  }
  if (!Array.isArray(keys) || keys.length === 0) throw new Error(`${source} must be a JSON array of private JWKs`)
  return keys as JWK[]
}

async function prepareKeys(
  keys: readonly JWK[],
  publishableKeys: readonly string[],
  source: string,
): Promise<SigningKeys> {
  const named = await Promise.all(
    keys.map(async (key) => {
      if (key.kty !== 'EC' || key.crv !== 'P-256')
        throw new Error(`${source} holds a key that is not ES256 (EC, P-256)`)
      return { ...key, kid: key.kid ?? (await calculateJwkThumbprint(key)) }
    }),
  )
  const signers = named.filter((key) => key.d !== undefined && (key.key_ops?.includes('sign') ?? true))
  const [signer] = signers
  if (!signer || signers.length !== 1) {
    throw new Error(`${source} must hold exactly one key that signs (key_ops with "sign"), not ${signers.length}`)
  }
  const index = named.indexOf(signer)
  const ordered = [signer, ...named.filter((key) => key !== signer)]
  return {
    current: {
      kid: signer.kid,
      privateKey: (await importJWK({ ...signer, key_ops: ['sign'] }, signingAlgorithm)) as CryptoKey,
    },
    publicJwks: { keys: ordered.map(toPublicJwk) },
    publishableKey: publishableKeys[index] ?? publishableKeys[0] ?? '',
    acceptedPublishableKeys: publishableKeys,
  }
}

function toPublicJwk({ kty, crv, x, y, kid }: JWK): JWK {
  return { kty, crv, x, y, kid, alg: signingAlgorithm, use: 'sig', key_ops: ['verify'] } as JWK
}

// Servers that share configured keys need no shared folder: each derives the same publishable key.
function derivePublishableKey(key: JWK): string {
  const secret = key.d ?? `${key.x}.${key.y}`
  return formatPublishableKey(createHmac('sha256', secret).update('publishable key').digest('base64url').slice(0, 22))
}

function formatPublishableKey(random: string): string {
  const body = `sb_publishable_${random}`
  return `${body}_${createHash('sha256').update(body).digest('base64url').slice(0, 8)}`
}
