import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotateKeys } from './rotate-keys.ts'
import { loadSigningKeys, type SigningKeyOptions } from './signing-keys.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-keys-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function load(options: Partial<SigningKeyOptions> = {}) {
  return loadSigningKeys({ dataDir: folder, configuredKeys: null, sharedSecret: null, ...options })
}

async function makeKey(alg: string, kid: string, operations?: string[], options: object = {}): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true, ...options })
  return { ...(await exportJWK(privateKey)), kid, ...(operations && { key_ops: operations }) }
}

function toPublic({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...rest }: JWK): JWK {
  return rest
}

const path = () => join(folder, 'auth-keys.json')
const secretText = 'a secret that is long enough to be one'

describe('keys of the data folder', () => {
  it('are created once by many processes that start at the same time, readable by the owner only', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => load()))
    for (const pick of [
      (keys: (typeof all)[number]) => keys.publishableKey,
      (keys: (typeof all)[number]) => keys.secretKey,
      (keys: (typeof all)[number]) => keys.current.kid,
    ]) {
      expect(new Set(all.map(pick)).size).toBe(1)
    }
    expect((await stat(path())).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['auth-keys.json'])
    expect(all[0]?.current.algorithm).toBe('ES256')
  })

  it('include two API keys that a scanner of leaked secrets recognises', async () => {
    const keys = await load()
    expect(keys.publishableKey).toMatch(/^sb_publishable_[A-Za-z0-9_-]{22}_[A-Za-z0-9_-]{8}$/)
    expect(keys.secretKey).toMatch(/^sb_secret_[A-Za-z0-9_-]{22}_[A-Za-z0-9_-]{8}$/)
  })

  it('get a secret key where an earlier version created none, the same in every process', async () => {
    const before = await load()
    const { secretKey: _, ...earlier } = JSON.parse(await readFile(path(), 'utf8'))
    await writeFile(path(), JSON.stringify(earlier))
    const all = await Promise.all(Array.from({ length: 12 }, () => load()))
    expect(new Set(all.map(({ secretKey }) => secretKey)).size).toBe(1)
    expect(all[0]?.secretKey).toMatch(/^sb_secret_/)
    expect(all[0]).toMatchObject({ publishableKey: before.publishableKey, current: { kid: before.current.kid } })
    expect(JSON.parse(await readFile(path(), 'utf8')).secretKey).toBe(all[0]?.secretKey)
    expect((await stat(path())).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['auth-keys.json'])
  })

  it.each(['', '{"keys":', '[]', '{"keys":[],"publishableKey":"x"}', '{"keys":[1],"secretKey":"x"}'])(
    'are called damaged when the file holds %j',
    async (text) => {
      await writeFile(path(), text)
      await expect(load()).rejects.toThrow(/auth-keys\.json is damaged: restore it from a backup, or delete it/)
    },
  )
})

describe('GOTRUE_JWT_KEYS', () => {
  it('takes ES256, RS256 and HS256; one signs, all verify, and only public halves are published', async () => {
    const oct: JWK = { kty: 'oct', k: Buffer.from(secretText).toString('base64url'), kid: 'old', key_ops: ['verify'] }
    const keys = [
      oct,
      await makeKey('RS256', 'rsa', ['sign', 'verify'], { modulusLength: 2048 }),
      await makeKey('ES256', 'ec', ['verify']),
    ]
    const loaded = await load({ configuredKeys: JSON.stringify(keys) })
    expect(loaded.current).toMatchObject({ kid: 'rsa', algorithm: 'RS256' })
    expect(loaded.verifiers.map(({ kid }) => kid)).toEqual(['rsa', 'old', 'ec'])
    expect(loaded.publicJwks.keys.map(({ kid, alg, use, key_ops }) => ({ kid, alg, use, key_ops }))).toEqual([
      { kid: 'rsa', alg: 'RS256', use: 'sig', key_ops: ['verify'] },
      { kid: 'ec', alg: 'ES256', use: 'sig', key_ops: ['verify'] },
    ])
    const published = JSON.stringify(loaded.publicJwks)
    for (const part of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(published).not.toContain(`"${part}"`)
    expect(await readdir(folder)).toEqual([])
  })

  it('lets every process derive the same API keys, which survive a rotation', async () => {
    const [old, fresh] = [await makeKey('ES256', 'old', ['sign']), await makeKey('ES256', 'new', ['sign'])]
    const before = await load({ configuredKeys: JSON.stringify([old]) })
    expect((await load({ configuredKeys: JSON.stringify([old]) })).acceptedApiKeys).toEqual(before.acceptedApiKeys)
    const rotated = await load({ configuredKeys: JSON.stringify([fresh, { ...old, key_ops: ['verify'] }]) })
    expect(rotated.publishableKey).not.toBe(before.publishableKey)
    expect(rotated.acceptedApiKeys).toEqual(expect.arrayContaining([...before.acceptedApiKeys]))
    // Without its private part, a key still derives the browsers' API key, but no longer the secret one.
    const retired = await load({ configuredKeys: JSON.stringify([fresh, { ...toPublic(old), key_ops: ['verify'] }]) })
    expect(retired.acceptedApiKeys).toContainEqual({ key: before.publishableKey, role: 'anon' })
    expect(retired.acceptedApiKeys).not.toContainEqual({ key: before.secretKey, role: 'service_role' })
  })

  it('refuses unusable keys, in one line without any part of them', async () => {
    const good = await makeKey('ES256', 'good')
    const other = await makeKey('ES256', 'other')
    const small = await makeKey('RS256', 'small', undefined, { modulusLength: 2048 })
    const cases: [string | unknown[], RegExp][] = [
      ['{', /^GOTRUE_JWT_KEYS is not valid JSON$/],
      ['{}', /must be a JSON array of private JWKs$/],
      ['[]', /must be a JSON array of private JWKs$/],
      [[null], /^GOTRUE_JWT_KEYS: key 1 is not an object$/],
      [['text'], /key 1 is not an object$/],
      [[{ kty: 'oct', k: 'AAAA' }], /key 1 must be at least 32 bytes long$/],
      [[{ ...good, kid: 7 }], /key 1 has a kid that is not a string$/],
      [[good, await makeKey('ES384', 'x')], /key 2 is neither ES256 \(EC, P-256\) nor RS256/],
      [[await makeKey('EdDSA', 'x')], /key 1 is neither/],
      [[{ ...good, alg: 'RS256' }], /key 1 is neither/],
      [[{ ...small, alg: 'PS256' }], /key 1 is neither/],
      [[{ ...good, use: 'enc' }], /key 1 has a use other than signing$/],
      [[{ ...good, key_ops: ['deriveKey'] }], /key 1 has key_ops other than "sign" and "verify"$/],
      [[{ ...toPublic(good), key_ops: ['sign'] }], /key 1 is a signing key, but lacks its private part$/],
      [[{ ...good, d: other.d }], /key 1 is damaged or incomplete$/],
      [[{ ...good, x: 'AAAA' }], /key 1 is damaged or incomplete$/],
      [[{ kty: 'EC', crv: 'P-256' }], /key 1 is damaged or incomplete$/],
      [[{ kty: 'RSA', n: small.n, e: small.e, d: small.d }], /key 1 is damaged or incomplete$/],
      [[good, { ...other, kid: 'good', key_ops: ['verify'] }], /two keys with the same kid$/],
      [[good, other], /must contain exactly one signing key \(key_ops with "sign"\), not 2$/],
      [[toPublic(good)], /must contain exactly one signing key .* not 0$/],
    ]
    for (const [value, message] of cases) {
      const configuredKeys = typeof value === 'string' ? value : JSON.stringify(value)
      const error = await load({ configuredKeys }).then(
        () => undefined,
        (thrown: Error) => thrown,
      )
      expect(error?.message, configuredKeys.slice(0, 80)).toMatch(message)
      expect(error?.message).not.toContain('\n')
      expect(error?.message).not.toContain(good.d)
    }
  })

  it('refuses an RSA key under 2048 bits', async () => {
    const { generateKeyPairSync } = await import('node:crypto')
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'weak' }
    await expect(load({ configuredKeys: JSON.stringify([jwk]) })).rejects.toThrow(
      /^GOTRUE_JWT_KEYS: key 1 is an RSA key of 1024 bits; it must have at least 2048$/,
    )
  })
})

describe('GOTRUE_JWT_SECRET', () => {
  it('alone signs by HS256 and is not published', async () => {
    const keys = await load({ sharedSecret: secretText })
    expect(keys.current).toMatchObject({ algorithm: 'HS256', kid: '' })
    expect(keys.publicJwks).toEqual({ keys: [] })
    expect((await load({ sharedSecret: secretText })).acceptedApiKeys).toEqual(keys.acceptedApiKeys)
    expect(JSON.stringify(keys.acceptedApiKeys)).not.toContain(secretText)
    expect(await readdir(folder)).toEqual([])
  })

  it('only verifies beside keys, and keeps the API keys derived from it', async () => {
    const before = await load({ sharedSecret: secretText })
    const configuredKeys = JSON.stringify([await makeKey('ES256', 'new')])
    const keys = await load({ configuredKeys, sharedSecret: secretText })
    expect(keys.current).toMatchObject({ algorithm: 'ES256', kid: 'new' })
    expect(keys.acceptedApiKeys).toEqual(expect.arrayContaining([...before.acceptedApiKeys]))
    expect(keys.publicJwks.keys).toHaveLength(1)
  })

  it('must be long enough', async () => {
    await expect(load({ sharedSecret: 'x'.repeat(31) })).rejects.toThrow(
      /^GOTRUE_JWT_SECRET must be at least 32 bytes long$/,
    )
  })
})

describe('npm run rotate-keys', () => {
  const rotate = (options: Partial<SigningKeyOptions> & { leaked?: boolean } = {}) =>
    rotateKeys({ dataDir: folder, configuredKeys: null, sharedSecret: null, leaked: false, ...options })

  it('creates a new signing key in the data folder; the old key verifies and can no longer sign', async () => {
    const before = await load()
    expect(await rotate()).toEqual({ file: path() })
    const after = await load()
    expect(after.current.kid).not.toBe(before.current.kid)
    expect(after.verifiers.map(({ kid }) => kid)).toEqual([after.current.kid, before.current.kid])
    expect(after.publicJwks.keys.map(({ kid }) => kid)).toEqual([after.current.kid, before.current.kid])
    expect(after).toMatchObject({ publishableKey: before.publishableKey, secretKey: before.secretKey })
    const { keys } = JSON.parse(await readFile(path(), 'utf8')) as { keys: JWK[] }
    expect(keys.map(({ d }) => d !== undefined)).toEqual([true, false])
    expect((await stat(path())).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['auth-keys.json'])
  })

  it('keeps the file consistent over many rotations at once', async () => {
    await load()
    await Promise.all(Array.from({ length: 8 }, () => rotate()))
    expect((await load()).verifiers.length).toBeGreaterThan(1)
    expect(await readdir(folder)).toEqual(['auth-keys.json'])
  })

  it('removes leaked keys and the secret API key, and keeps the browsers’ one', async () => {
    const before = await load()
    await rotate({ leaked: true })
    const after = await load()
    expect(after.verifiers).toHaveLength(1)
    expect(after.current.kid).not.toBe(before.current.kid)
    expect(after.secretKey).not.toBe(before.secretKey)
    expect(after.publishableKey).toBe(before.publishableKey)
  })

  it('prints the new setting where the keys are configured, and writes nothing', async () => {
    const configuredKeys = JSON.stringify([await makeKey('RS256', 'old', ['sign'], { modulusLength: 2048 })])
    const rotation = await rotate({ configuredKeys })
    const value = 'value' in rotation ? rotation.value : ''
    expect(value).not.toContain('"p":')
    expect((await load({ configuredKeys: value })).verifiers.map(({ kid }) => kid)).toContain('old')
    const fromSecret = await rotate({ sharedSecret: secretText })
    const keys = 'value' in fromSecret ? fromSecret.value : ''
    expect((await load({ configuredKeys: keys, sharedSecret: secretText })).current.algorithm).toBe('ES256')
    expect(await readdir(folder)).toEqual([])
  })

  it('changes nothing when the existing keys are damaged', async () => {
    await writeFile(path(), 'x')
    await expect(rotate()).rejects.toThrow(/damaged/)
    expect(await readFile(path(), 'utf8')).toBe('x')
  })
})
