import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, exportSPKI, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type AccessClaims, type AccessTokens, createAccessTokens } from './access-token.ts'
import { rotateKeys } from './rotate-keys.ts'
import { loadSigningKeys } from './signing-keys.ts'

const issuer = 'https://app.example.com/auth/v1'
const secret = 'the secret of a Supabase that signed by it'
const octSecret = 'the secret that stands as a key of its own'

let ec: JWK
let rsa: JWK
const oct: JWK = { kty: 'oct', k: Buffer.from(octSecret).toString('base64url'), kid: 'oct', key_ops: ['verify'] }

beforeAll(async () => {
  const make = async (alg: string, kid: string) => {
    const { privateKey } = await generateKeyPair(alg, { extractable: true })
    return { ...(await exportJWK(privateKey)), kid }
  }
  ;[ec, rsa] = await Promise.all([make('ES256', 'ec'), make('RS256', 'rsa')])
})

/** Access tokens of a server whose signer is the first key. */
async function tokensOf(keys: readonly JWK[], sharedSecret: string | null = null): Promise<AccessTokens> {
  const configured = keys.map((key, index) => ({ ...key, key_ops: index === 0 ? ['sign', 'verify'] : ['verify'] }))
  const loaded = await loadSigningKeys({
    dataDir: '/nowhere',
    configuredKeys: keys.length === 0 ? null : JSON.stringify(configured),
    sharedSecret,
  })
  return createAccessTokens(loaded, issuer)
}

function createClaims(): AccessClaims {
  return {
    sub: randomUUID(),
    aud: 'authenticated',
    role: 'authenticated',
    email: 'ada@example.com',
    phone: '',
    app_metadata: {},
    user_metadata: {},
    aal: 'aal1',
    amr: [],
    session_id: randomUUID(),
    is_anonymous: false,
  }
}

const now = () => Math.floor(Date.now() / 1000)

function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
}

/** A handmade token: any header, signed by HMAC with any bytes. */
function forge(header: object, key: string | Buffer, claims: object = {}): string {
  const signed = `${encode({ typ: 'JWT', ...header })}.${encode({ ...createClaims(), iss: issuer, iat: now(), exp: now() + 60, ...claims })}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

async function sign(
  key: JWK | string,
  alg: string,
  header: Record<string, unknown>,
  claims: Record<string, unknown> = {},
): Promise<string> {
  const material = typeof key === 'string' ? new TextEncoder().encode(key) : await importJWK({ ...key }, alg)
  return new SignJWT({ ...createClaims(), iss: issuer, iat: now(), exp: now() + 60, ...claims })
    .setProtectedHeader({ alg, typ: 'JWT', ...header })
    .sign(material)
}

function readHeader(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Record<string, unknown>
}

describe('access tokens', () => {
  it.each([
    ['ES256', () => [ec], null, { alg: 'ES256', kid: 'ec', typ: 'JWT' }],
    ['RS256', () => [rsa], null, { alg: 'RS256', kid: 'rsa', typ: 'JWT' }],
    ['HS256 with a key', () => [oct], null, { alg: 'HS256', kid: 'oct', typ: 'JWT' }],
    ['HS256 with a shared secret', () => [], secret, { alg: 'HS256', typ: 'JWT' }],
  ])('are signed by %s and verify', async (_name, keys, sharedSecret, header) => {
    const tokens = await tokensOf(keys(), sharedSecret)
    const claims = createClaims()
    const token = await tokens.sign(claims, now(), now() + 60)
    expect(readHeader(token)).toEqual(header)
    expect(await tokens.verify(token)).toMatchObject({ ...claims, iss: issuer })
  })

  it('survive a rotation: old ones stay valid, new ones name the new key', async () => {
    const before = await tokensOf([ec])
    const old = await before.sign(createClaims(), now(), now() + 60)
    const after = await tokensOf([rsa, ec])
    expect(await after.verify(old)).toMatchObject({ email: 'ada@example.com' })
    const fresh = await after.sign(createClaims(), now(), now() + 60)
    expect(readHeader(fresh)).toMatchObject({ alg: 'RS256', kid: 'rsa' })
    await expect(before.verify(fresh)).rejects.toMatchObject({ reason: 'invalid' })
    // Without the old key, its tokens are refused.
    await expect((await tokensOf([rsa])).verify(old)).rejects.toMatchObject({ reason: 'invalid' })
  })

  it('verify in processes that have not been restarted since, in spite of noise', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'earshot-keys-'))
    const options = { dataDir: folder, configuredKeys: null, sharedSecret: null }
    try {
      const running = createAccessTokens(await loadSigningKeys(options), issuer)
      const old = await running.sign(createClaims(), now(), now() + 60)
      await rotateKeys({ ...options, leaked: false })
      const restarted = createAccessTokens(await loadSigningKeys(options), issuer)
      const fresh = await restarted.sign(createClaims(), now(), now() + 60)
      const answers = await Promise.all(Array.from({ length: 20 }, () => running.verify(fresh)))
      expect(answers).toHaveLength(20)
      await expect(running.verify(await sign(ec, 'ES256', { kid: 'stranger' }))).rejects.toMatchObject({
        reason: 'invalid',
      })
      for (const tokens of [running, restarted]) expect(await tokens.verify(old)).toMatchObject({ iss: issuer })
      // A file that is damaged later does not affect a running process.
      await writeFile(join(folder, 'auth-keys.json'), 'x')
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
      await expect(running.verify(await sign(ec, 'ES256', { kid: 'other' }))).rejects.toMatchObject({
        reason: 'invalid',
      })
      expect(await running.verify(fresh)).toMatchObject({ iss: issuer })
    } finally {
      vi.useRealTimers()
      await rm(folder, { recursive: true })
    }
  })

  it('of a secret stay valid beside keys, with or without an unknown key id', async () => {
    const tokens = await tokensOf([ec], secret)
    expect(await tokens.verify(await sign(secret, 'HS256', {}))).toMatchObject({ email: 'ada@example.com' })
    expect(await tokens.verify(await sign(secret, 'HS256', { kid: 'legacy' }))).toMatchObject({ iss: issuer })
    await expect((await tokensOf([ec])).verify(await sign(secret, 'HS256', {}))).rejects.toMatchObject({
      reason: 'invalid',
    })
  })

  it('never verify by another algorithm than their key’s', async () => {
    const tokens = await tokensOf([ec, rsa, oct], secret)
    const pem = await exportSPKI((await importJWK({ kty: 'RSA', n: rsa.n, e: rsa.e } as JWK, 'RS256')) as CryptoKey)
    const publicJwk = JSON.stringify({ kty: ec.kty, crv: ec.crv, x: ec.x, y: ec.y })
    const bad: Record<string, string> = {
      'a public RSA key as a secret': forge({ alg: 'HS256', kid: 'rsa' }, pem),
      'the same, without its last line feed': forge({ alg: 'HS256', kid: 'rsa' }, pem.trimEnd()),
      'the modulus as a secret': forge({ alg: 'HS256', kid: 'rsa' }, Buffer.from(rsa.n ?? '', 'base64url')),
      'a public EC key as a secret': forge({ alg: 'HS256', kid: 'ec' }, publicJwk),
      'a public EC key as a secret, unnamed': forge({ alg: 'HS256' }, publicJwk),
      'the shared secret under the name of a key': forge({ alg: 'HS256', kid: 'ec' }, secret),
      'the shared secret under the name of another secret': forge({ alg: 'HS256', kid: 'oct' }, secret),
      'an HS512 by the shared secret': await sign(secret.padEnd(64, '!'), 'HS512', {}),
      'no algorithm': `${forge({ alg: 'none', kid: 'ec' }, 'x').split('.').slice(0, 2).join('.')}.`,
      'no algorithm, in capitals': `${forge({ alg: 'NONE' }, 'x').split('.').slice(0, 2).join('.')}.`,
      'no algorithm, but a signature': forge({ alg: 'none', kid: 'ec' }, secret),
      'another algorithm’s spelling': forge({ alg: 'hs256' }, secret),
      'an EC signature under RSA’s name': await sign(ec, 'ES256', { kid: 'rsa' }),
      'an RSA signature under EC’s name': await sign(rsa, 'RS256', { kid: 'ec' }),
      'PS256 by the RSA key': await sign(rsa, 'PS256', { kid: 'rsa' }),
      'RS512 by the RSA key': await sign(rsa, 'RS512', { kid: 'rsa' }),
      'an unknown key id': await sign(ec, 'ES256', { kid: 'other' }),
      'no name at all': await sign(ec, 'ES256', {}),
      'a name that is a path': forge({ alg: 'HS256', kid: '../../../../dev/null' }, ''),
      'a name that is no text': forge({ alg: 'HS256', kid: { $ne: null } }, 'x'),
      'an algorithm that is a list': forge({ alg: ['HS256'] }, secret),
    }
    for (const [name, token] of Object.entries(bad)) {
      await expect(tokens.verify(token), name).rejects.toMatchObject({ name: 'AccessTokenError', reason: 'invalid' })
    }
  })

  it('never verify by an embedded key', async () => {
    const tokens = await tokensOf([ec, rsa])
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const jwk = stranger.publicKey.export({ format: 'jwk' })
    const make = (header: Record<string, unknown>) =>
      new SignJWT({ ...createClaims(), iss: issuer, iat: now(), exp: now() + 60 })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...header })
        .sign(stranger.privateKey)
    for (const header of [
      { jwk },
      { jwk, kid: 'ec' },
      { jku: 'http://127.0.0.1:1/keys.json', kid: 'ec' },
      { x5u: 'http://127.0.0.1:1/cert.pem', kid: 'ec' },
      { x5c: ['MIIB'], kid: 'ec' },
    ]) {
      await expect(tokens.verify(await make(header)), JSON.stringify(header)).rejects.toMatchObject({
        reason: 'invalid',
      })
    }
  })

  it('are refused when issued in the future, within the difference of two clocks apart', async () => {
    const tokens = await tokensOf([ec], null)
    const issue = (aheadSeconds: number) => tokens.sign(createClaims(), now() + aheadSeconds, now() + 3600)
    await expect(tokens.verify(await issue(30))).resolves.toMatchObject({ iss: issuer })
    await expect(tokens.verify(await issue(90))).rejects.toThrow('issued in the future')
  })

  it('are refused with an unknown critical header', async () => {
    const tokens = await tokensOf([], secret)
    for (const header of [{ crit: ['exp'] }, { crit: ['b64'], b64: false }, { crit: [] }, { zip: 'DEF', typ: 'JWE' }]) {
      await expect(tokens.verify(forge({ alg: 'HS256', ...header }, secret))).rejects.toMatchObject({
        reason: 'invalid',
      })
    }
  })
})

describe('API keys in the form of tokens', () => {
  const make = (role: unknown, claims: object = {}, key = secret) => {
    const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iss: 'supabase', ref: 'abc', role, iat: now(), ...claims })}`
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
  }

  it('carry the role that they name, with any issuer', async () => {
    for (const tokens of [await tokensOf([], secret), await tokensOf([ec], secret)]) {
      expect(await tokens.findKeyRole(make('anon', { exp: now() + 1000 }))).toBe('anon')
      expect(await tokens.findKeyRole(make('service_role', { iss: 'supabase-demo' }))).toBe('service_role')
    }
    const tokens = await tokensOf([rsa, ec])
    for (const [key, alg] of [
      [rsa, 'RS256'],
      [ec, 'ES256'],
    ] as const) {
      const signed = new SignJWT({ role: 'service_role' }).setProtectedHeader({ alg, kid: key.kid ?? '' })
      expect(await tokens.findKeyRole(await signed.sign(await importJWK({ ...key }, alg)))).toBe('service_role')
    }
  })

  it('are refused when expired, forged, of another role, or a person’s token', async () => {
    const tokens = await tokensOf([ec], secret)
    for (const [name, key] of Object.entries({
      expired: make('anon', { exp: now() - 10 }),
      'not yet good': make('anon', { nbf: now() + 100 }),
      forged: make('anon', {}, 'another secret that is long enough too'),
      'of the auth server itself': make('supabase_auth_admin'),
      'of the database’s owner': make('postgres'),
      'of a person': make('authenticated'),
      'of a list': make(['service_role']),
      'with a subject': make('service_role', { sub: randomUUID() }),
      unsigned: `${encode({ alg: 'none' })}.${encode({ role: 'service_role' })}.`,
      'a person’s token': await tokens.sign(createClaims(), now(), now() + 60),
      noise: 'a.b.c',
      empty: '',
      endless: `a.b.${'c'.repeat(1_000_000)}`,
    })) {
      expect(await tokens.findKeyRole(key), name).toBeUndefined()
    }
  })

  it('are distinguished from opaque ones, of which only ours are accepted', async () => {
    const keys = await loadSigningKeys({ dataDir: '/nowhere', configuredKeys: null, sharedSecret: secret })
    const tokens = createAccessTokens(keys, issuer)
    expect(await tokens.findKeyRole(keys.publishableKey)).toBe('anon')
    expect(await tokens.findKeyRole(keys.secretKey)).toBe('service_role')
    for (const key of [
      `${keys.secretKey}x`,
      keys.secretKey.slice(0, -1),
      keys.secretKey.toUpperCase(),
      keys.publishableKey.replace('publishable', 'secret'),
      ` ${keys.secretKey}`,
    ]) {
      expect(await tokens.findKeyRole(key)).toBeUndefined()
    }
  })
})
