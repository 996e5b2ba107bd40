import { CompactSign, type CryptoKey, calculateJwkThumbprint, compactVerify, importJWK, type JWK } from 'jose'

/** The signing algorithms of access tokens. */
export type Algorithm = 'ES256' | 'RS256' | 'HS256'

/** A key as WebCrypto holds it; the bytes themselves for a shared secret. */
export type KeyMaterial = CryptoKey | Uint8Array

/** One of the operator's keys, checked and ready for use. */
export interface PreparedKey {
  readonly kid: string
  readonly algorithm: Algorithm
  readonly verifyWith: KeyMaterial
  /** Undefined for a key that only verifies. */
  readonly signWith: KeyMaterial | undefined
  /** The public half; undefined for a shared secret, which has none. */
  readonly publicJwk: JWK | undefined
  /** The private part; undefined where it was removed. */
  readonly privatePart: string | undefined
  /** RFC 7638: the same for a key with and without its private part. */
  readonly thumbprint: string
}

/** Shortest shared secret, in bytes: as long as the hash it keys (RFC 7518, section 3.2). */
export const minSecretBytes = 32
const minRsaBits = 2048

/**
 * Checks a private JWK and makes it usable.
 *
 * @param name its name in errors, e.g. `GOTRUE_JWT_KEYS: key 2`.
 * @throws Error with one sentence that names the key and the problem, without any part of the key.
 */
export async function prepareJwk(value: unknown, name: string): Promise<PreparedKey> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${name} is not an object`)
  // An object with any fields; those that matter are checked below.
  const jwk = value as JWK
  for (const part of ['kid', 'alg', 'use', 'd', 'k', 'x', 'y', 'n', 'e'] as const) {
    if (jwk[part] !== undefined && typeof jwk[part] !== 'string')
      throw new Error(`${name} has a ${part} that is not a string`)
  }
  const algorithm = findAlgorithm(jwk, name)
  if (jwk.use !== undefined && jwk.use !== 'sig') throw new Error(`${name} has a use other than signing`)
  const operations = readOperations(jwk, name)
  const privatePart = algorithm === 'HS256' ? jwk.k : jwk.d
  // Without key_ops, every key that can sign is a signing key.
  const signs = operations?.includes('sign') ?? privatePart !== undefined
  if (signs && privatePart === undefined) throw new Error(`${name} is a signing key, but lacks its private part`)
  const publicParts = pickPublicParts(jwk, algorithm)
  try {
    const verifyWith = await importJWK(publicParts, algorithm)
    const signWith = privatePart === undefined ? undefined : await importJWK(pickPrivateParts(jwk), algorithm)
    checkStrength(verifyWith, name)
    if (signWith) await checkHalves(signWith, verifyWith, algorithm)
    const thumbprint = await calculateJwkThumbprint(publicParts)
    const kid = jwk.kid ?? thumbprint
    return {
      kid,
      algorithm,
      verifyWith,
      signWith: signs ? signWith : undefined,
      publicJwk:
        algorithm === 'HS256' ? undefined : { ...publicParts, kid, alg: algorithm, use: 'sig', key_ops: ['verify'] },
      privatePart,
      thumbprint,
    }
  } catch (error) {
    if (error instanceof WeakKeyError) throw error
    throw new Error(`${name} is damaged or incomplete`, { cause: error })
  }
}

class WeakKeyError extends Error {}

function findAlgorithm(jwk: JWK, name: string): Algorithm {
  const found =
    jwk.kty === 'EC' && jwk.crv === 'P-256'
      ? 'ES256'
      : jwk.kty === 'RSA'
        ? 'RS256'
        : jwk.kty === 'oct'
          ? 'HS256'
          : undefined
  if (!found || (jwk.alg !== undefined && jwk.alg !== found)) {
    throw new Error(`${name} is neither ES256 (EC, P-256) nor RS256 (RSA) nor HS256 (oct)`)
  }
  return found
}

function readOperations(jwk: JWK, name: string): readonly string[] | undefined {
  if (jwk.key_ops === undefined) return undefined
  if (Array.isArray(jwk.key_ops) && jwk.key_ops.every((each) => each === 'sign' || each === 'verify')) {
    return jwk.key_ops
  }
  throw new Error(`${name} has key_ops other than "sign" and "verify"`)
}

// Only these are passed on: other fields of a JWK (key_ops, ext) would limit its use.
function pickPublicParts(jwk: JWK, algorithm: Algorithm): JWK {
  const { kty, crv, x, y, n, e, k } = jwk
  // A key of ES256 has these parts; JWK declares them optional.
  if (algorithm === 'ES256') return { kty, crv, x, y } as JWK
  // A key of the algorithm has its parts; JWK declares them optional.
  return (algorithm === 'RS256' ? { kty, n, e } : { kty, k }) as JWK
}

function pickPrivateParts(jwk: JWK): JWK {
  const { kid: _kid, alg: _alg, use: _use, key_ops: _operations, ext: _ext, ...parts } = jwk
  return parts
}

function checkStrength(key: KeyMaterial, name: string): void {
  if (key instanceof Uint8Array) {
    if (key.length < minSecretBytes) throw new WeakKeyError(`${name} must be at least ${minSecretBytes} bytes long`)
    return
  }
  // RSA keys have it; others give undefined.
  const bits = (key.algorithm as { modulusLength?: number }).modulusLength
  if (bits !== undefined && bits < minRsaBits) {
    throw new WeakKeyError(`${name} is an RSA key of ${bits} bits; it must have at least ${minRsaBits}`)
  }
}

/** Halves of different keys would sign unverifiable tokens, so this is checked at start. */
async function checkHalves(signWith: KeyMaterial, verifyWith: KeyMaterial, algorithm: Algorithm): Promise<void> {
  const signed = await new CompactSign(new TextEncoder().encode('halves'))
    .setProtectedHeader({ alg: algorithm })
    .sign(signWith)
  await compactVerify(signed, verifyWith, { algorithms: [algorithm] })
}
