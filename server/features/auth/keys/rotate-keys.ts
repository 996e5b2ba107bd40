import type { JWK } from 'jose'
import { createApiKey } from './api-keys.ts'
import { createSigner, keyFilePath, readOrCreateKeyFile, replaceKeyFile } from './key-file.ts'
import { loadSigningKeys, type SigningKeyOptions } from './signing-keys.ts'

/** The result of a rotation: a written file, or a value for the operator to set, from which API keys are derived. */
export type Rotation = { readonly file: string } | { readonly value: string; readonly secretKey: string }

/**
 * Creates a new ES256 key that signs from the next start on. The others keep verifying, without their private part;
 * leaked keys are removed immediately, and the secret API key is replaced.
 *
 * @throws Error with one clear sentence when the existing keys can't be read or used.
 */
export async function rotateKeys(options: SigningKeyOptions & { leaked: boolean }): Promise<Rotation> {
  // All keys are validated before anything is changed.
  await loadSigningKeys(options)
  const signer = await createSigner()
  if (options.configuredKeys === null && options.sharedSecret === null) {
    const path = keyFilePath(options.dataDir)
    const file = await readOrCreateKeyFile(path)
    await replaceKeyFile(path, {
      ...file,
      keys: options.leaked ? [signer] : [signer, ...file.keys.map(retire)],
      ...(options.leaked && { secretKey: createApiKey('secret') }),
    })
    return { file: path }
  }
  // `loadSigningKeys` below checks each key.
  const others = JSON.parse(options.configuredKeys ?? '[]') as JWK[]
  const value = JSON.stringify(options.leaked ? [signer] : [signer, ...others.map(retire)])
  const { secretKey } = await loadSigningKeys({ ...options, configuredKeys: value, sharedSecret: null })
  return { value, secretKey }
}

/** The key for verifying only, without its private part; a shared secret has one part and stays whole. */
function retire(key: JWK): JWK {
  if (key.kty === 'oct') return { ...key, key_ops: ['verify'] }
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, oth: _oth, ...open } = key
  return { ...open, key_ops: ['verify'] }
}
