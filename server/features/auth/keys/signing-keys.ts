import { errors, type JWK, type JWSHeaderParameters } from 'jose'
import { type ApiKey, deriveApiKey } from './api-keys.ts'
import { keyFilePath, readOrCreateKeyFile } from './key-file.ts'
import { type Algorithm, type KeyMaterial, minSecretBytes, type PreparedKey, prepareJwk } from './private-jwk.ts'

/** The auth server's keys and their public halves. */
export interface SigningKeys {
  readonly current: {
    /** Empty for the shared secret, whose tokens name no key. */
    readonly kid: string
    readonly algorithm: Algorithm
    readonly privateKey: KeyMaterial
  }
  /** All verifying keys, the current one first. */
  readonly verifiers: readonly Pick<PreparedKey, 'kid' | 'algorithm' | 'verifyWith'>[]
  /**
   * The verifying keys by now: the data folder's file may have changed since the start. Does not change publishing or
   * signing.
   */
  rereadVerifiers(): Promise<SigningKeys['verifiers']>
  /** Verifies HS256 tokens that name no key: those of a Supabase that signed with a secret. */
  readonly sharedSecret: Uint8Array | undefined
  /** The public halves, the current one first. Shared secrets have none. */
  readonly publicJwks: { readonly keys: readonly JWK[] }
  /** The API key of browsers. Not a secret. */
  readonly publishableKey: string
  /** The API key of the operator's programs, with all permissions. Never logged or sent. */
  readonly secretKey: string
  /** Every opaque API key that is accepted; after a change of keys, older ones too. */
  readonly acceptedApiKeys: readonly ApiKey[]
}

export interface SigningKeyOptions {
  readonly dataDir: string
  /** JSON array of private JWKs, or null. */
  readonly configuredKeys: string | null
  /** Secret shared with other HS256 signers or verifiers, or null. */
  readonly sharedSecret: string | null
}

/**
 * Loads the keys from the configuration, or else from the data folder, where they are created at the first start.
 * Several processes may start at once: all of them get the same keys. A shared secret signs only where no other keys
 * are configured; beside them it verifies.
 *
 * @throws Error with one clear sentence when the keys can't be read or are not usable.
 */
export async function loadSigningKeys(options: SigningKeyOptions): Promise<SigningKeys> {
  const sharedSecret = readSecret(options.sharedSecret)
  if (options.configuredKeys !== null) {
    const keys = await prepareKeys(parseKeys(options.configuredKeys), 'GOTRUE_JWT_KEYS')
    const apiKeys = [...keys.flatMap(deriveApiKeys), ...deriveSecretsApiKeys(options.sharedSecret)]
    return describeKeys(keys, sharedSecret, apiKeys)
  }
  if (options.sharedSecret !== null && sharedSecret) {
    return {
      current: { kid: '', algorithm: 'HS256', privateKey: sharedSecret },
      verifiers: [],
      rereadVerifiers: async () => [],
      sharedSecret,
      publicJwks: { keys: [] },
      ...nameApiKeys(deriveSecretsApiKeys(options.sharedSecret)),
    }
  }
  const path = keyFilePath(options.dataDir)
  const file = await readOrCreateKeyFile(path)
  const keys = describeKeys(await prepareKeys(file.keys, path), undefined, [
    { key: file.publishableKey, role: 'anon' },
    { key: file.secretKey, role: 'service_role' },
  ])
  return { ...keys, rereadVerifiers: async () => prepareKeys((await readOrCreateKeyFile(path)).keys, path) }
}

/**
 * The key that verifies a token with this header: the named one, if the algorithms match. Keys embedded in the header
 * are ignored.
 *
 * @throws JWKSNoMatchingKey when there is none.
 */
export function getVerificationKey(
  { verifiers, sharedSecret }: Pick<SigningKeys, 'verifiers' | 'sharedSecret'>,
  { alg, kid }: JWSHeaderParameters,
): KeyMaterial {
  const named = kid === undefined ? undefined : verifiers.find((key) => key.kid === kid)
  if (named && named.algorithm === alg) return named.verifyWith
  if (!named && alg === 'HS256' && sharedSecret) return sharedSecret
  throw new errors.JWKSNoMatchingKey()
}

function parseKeys(json: string): unknown[] {
  let keys: unknown
  try {
    keys = JSON.parse(json)
  } catch {
    // The parser's own message would repeat a part of the keys.
    throw new Error('GOTRUE_JWT_KEYS is not valid JSON')
  }
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('GOTRUE_JWT_KEYS must be a JSON array of private JWKs')
  return keys
}

/** @returns the keys, the signing one first. */
async function prepareKeys(values: readonly unknown[], source: string): Promise<PreparedKey[]> {
  const keys = await Promise.all(values.map((value, index) => prepareJwk(value, `${source}: key ${index + 1}`)))
  const repeated = keys.find(({ kid }, index) => keys.findIndex((other) => other.kid === kid) !== index)
  if (repeated) throw new Error(`${source} contains two keys with the same kid`)
  const signers = keys.filter(({ signWith }) => signWith !== undefined)
  if (signers.length !== 1) {
    throw new Error(`${source} must contain exactly one signing key (key_ops with "sign"), not ${signers.length}`)
  }
  return [...signers, ...keys.filter(({ signWith }) => signWith === undefined)]
}

function describeKeys(
  keys: readonly PreparedKey[],
  sharedSecret: Uint8Array | undefined,
  apiKeys: readonly ApiKey[],
): SigningKeys {
  const [signer] = keys
  if (!signer?.signWith) throw new Error('no key signs')
  return {
    current: { kid: signer.kid, algorithm: signer.algorithm, privateKey: signer.signWith },
    verifiers: keys,
    rereadVerifiers: async () => keys,
    sharedSecret,
    publicJwks: { keys: keys.flatMap(({ publicJwk }) => publicJwk ?? []) },
    ...nameApiKeys(apiKeys),
  }
}

function nameApiKeys(apiKeys: readonly ApiKey[]) {
  const find = (wanted: ApiKey['role']) => apiKeys.find(({ role }) => role === wanted)?.key ?? ''
  return { publishableKey: find('anon'), secretKey: find('service_role'), acceptedApiKeys: apiKeys }
}

// Servers with the same configured keys need no shared folder: each derives the same API keys.
function deriveApiKeys({ thumbprint, privatePart }: PreparedKey): ApiKey[] {
  return [
    { key: deriveApiKey('publishable', thumbprint), role: 'anon' },
    ...(privatePart === undefined ? [] : [{ key: deriveApiKey('secret', privatePart), role: 'service_role' as const }]),
  ]
}

function deriveSecretsApiKeys(secret: string | null): ApiKey[] {
  if (secret === null) return []
  return [
    { key: deriveApiKey('publishable', secret), role: 'anon' },
    { key: deriveApiKey('secret', secret), role: 'service_role' },
  ]
}

function readSecret(secret: string | null): Uint8Array | undefined {
  if (secret === null) return undefined
  const bytes = new TextEncoder().encode(secret)
  if (bytes.length < minSecretBytes) throw new Error(`GOTRUE_JWT_SECRET must be at least ${minSecretBytes} bytes long`)
  return bytes
}
