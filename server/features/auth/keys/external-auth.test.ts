import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '#server/platform/log/log.ts'
import { createExternalVerifier } from './external-auth.ts'

/** A project that publishes the keys of a test. */
let project: Server
let url: string
let answer: { status: number; body: string; type: string }
let fetches: number
const warnings: string[] = []
const log = createLog({
  level: 'warn',
  destination: { write: (line) => warnings.push((JSON.parse(line) as { msg: string }).msg) },
})
const secret = 'the JWT secret of a project that still has one'

beforeEach(async () => {
  fetches = 0
  warnings.length = 0
  project = createServer((request, response) => {
    fetches += 1
    const isKeys = request.url === '/auth/v1/.well-known/jwks.json'
    response.writeHead(isKeys ? answer.status : 404, { 'content-type': answer.type, location: '/elsewhere' })
    response.end(isKeys ? answer.body : '')
  })
  url = await listen(0)
})
afterEach(async () => {
  vi.useRealTimers()
  await stop()
})

async function listen(port: number): Promise<string> {
  await new Promise<void>((resolve) => project.listen(port, '127.0.0.1', resolve))
  const address = project.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

async function stop(): Promise<void> {
  if (!project.listening) return
  project.closeAllConnections()
  await new Promise((resolve) => project.close(resolve))
}

async function makeKey(alg: string, kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, kid }
}

function publish(...keys: JWK[]): void {
  const open = keys.map(({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...rest }) => ({ ...rest, use: 'sig' }))
  answer = { status: 200, body: JSON.stringify({ keys: open }), type: 'application/json' }
}

async function sign(key: JWK, claims: Record<string, unknown> = {}): Promise<string> {
  return new SignJWT({
    aud: 'authenticated',
    role: 'authenticated',
    sub: randomUUID(),
    session_id: randomUUID(),
    email: 'ada@example.com',
    iss: `${url}/auth/v1`,
    ...claims,
  })
    .setProtectedHeader({ alg: key.alg ?? '', typ: 'JWT', ...(key.kid !== undefined && { kid: key.kid }) })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(await importJWK({ ...key }, key.alg))
}

const shared: JWK = { kty: 'oct', alg: 'HS256', k: Buffer.from(secret).toString('base64url') }
const verifier = (jwtSecret: string | null = null) => createExternalVerifier({ url, jwtSecret }, log)
const refused = { name: 'AccessTokenError', reason: 'invalid' }

/** Advances the clock of this process, so that pauses and keys expire; tokens of an hour stay valid. */
function passMinutes(minutes: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
}

describe('tokens of a Supabase project', () => {
  it('are verified by the keys that it publishes, which are fetched once', async () => {
    const keys = [await makeKey('ES256', 'a'), await makeKey('RS256', 'b'), await makeKey('EdDSA', 'c')]
    publish(...keys)
    const verify = verifier()
    for (const key of keys) expect(await verify(await sign(key))).toMatchObject({ email: 'ada@example.com' })
    expect(fetches).toBe(1)
  })

  it('are verified by its secret when one is given, beside its keys', async () => {
    const key = await makeKey('ES256', 'a')
    publish(key)
    const verify = verifier(secret)
    expect(await verify(await sign(shared))).toMatchObject({ email: 'ada@example.com' })
    expect(await verify(await sign({ ...shared, kid: 'legacy' }))).toMatchObject({ email: 'ada@example.com' })
    expect(await verify(await sign(key))).toMatchObject({ email: 'ada@example.com' })
    const wrong = { ...shared, k: Buffer.from(secret.toUpperCase()).toString('base64url') }
    await expect(verify(await sign(wrong))).rejects.toMatchObject(refused)
  })

  it('signed with an unconfigured secret are refused, and logged once', async () => {
    publish()
    const verify = verifier()
    for (let time = 0; time < 3; time += 1) await expect(verify(await sign(shared))).rejects.toMatchObject(refused)
    expect(warnings).toEqual([expect.stringContaining('SUPABASE_JWT_SECRET')])
  })

  it('must have the claims of a person’s token', async () => {
    const key = await makeKey('ES256', 'a')
    publish(key)
    const verify = verifier(secret)
    for (const by of [key, shared]) {
      for (const claims of [
        { iss: 'https://other.supabase.co/auth/v1' },
        { iss: url },
        { iss: undefined },
        { aud: 'other' },
        { role: 'service_role' },
        { role: 'anon' },
        { sub: undefined },
        { session_id: undefined },
      ]) {
        await expect(verify(await sign(by, claims)), JSON.stringify(claims)).rejects.toMatchObject(refused)
      }
      await expect(verify(await sign(by, { exp: 1 }).then((token) => `${token}x`))).rejects.toMatchObject(refused)
    }
  })

  it('are refused when signed with the published key as a secret, by either algorithm’s rules', async () => {
    const key = await makeKey('ES256', 'a')
    publish(key)
    const [, payload] = (await sign(key)).split('.')
    const body = JSON.parse(answer.body) as { keys: object[] }
    for (const text of [answer.body, JSON.stringify(body.keys[0]), 'a', '']) {
      const signed = `${Buffer.from('{"alg":"HS256","typ":"JWT","kid":"a"}').toString('base64url')}.${payload}`
      const forged = `${signed}.${createHmac('sha256', text).update(signed).digest('base64url')}`
      await expect(verifier()(forged)).rejects.toMatchObject(refused)
      await expect(verifier(secret)(forged)).rejects.toMatchObject(refused)
    }
  })

  it('follow a rotation: new keys are found when first named, old ones forgotten in time', async () => {
    const [old, fresh] = [await makeKey('ES256', 'old'), await makeKey('ES256', 'new')]
    publish(old)
    const verify = verifier()
    await verify(await sign(old))
    publish(fresh, old)
    passMinutes(1)
    expect(await verify(await sign(fresh))).toMatchObject({ email: 'ada@example.com' })
    expect(await verify(await sign(old))).toMatchObject({ email: 'ada@example.com' })
    publish(fresh)
    passMinutes(11)
    await expect(verify(await sign(old))).rejects.toMatchObject(refused)
  })

  it('cannot cause unlimited requests', async () => {
    publish(await makeKey('ES256', 'a'))
    const stranger = await makeKey('ES256', 'x')
    const verify = verifier()
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, index) => sign({ ...stranger, kid: `x${index}` })))
    const outcomes = await Promise.allSettled(tokens.map((token) => verify(token)))
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(fetches).toBeLessThanOrEqual(2)
  })

  it.each<[string, Partial<typeof answer>]>([
    ['fails', { status: 500 }],
    ['redirects', { status: 302 }],
    ['has moved', { status: 404 }],
    ['answers a page', { body: '<html>', type: 'text/html' }],
    ['answers something else', { body: '{"keys": 7}' }],
  ])('are not called invalid when it %s', async (_what, change) => {
    const key = await makeKey('ES256', 'a')
    publish(key)
    answer = { ...answer, ...change }
    const verify = verifier(secret)
    const error = await verify(await sign(key)).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    expect(error).toBeInstanceOf(Error)
    expect(error?.name).not.toBe('AccessTokenError')
    // Tokens signed with its secret need no request.
    expect(await verify(await sign(shared))).toMatchObject({ email: 'ada@example.com' })
    publish(key)
    expect(await verify(await sign(key))).toMatchObject({ email: 'ada@example.com' })
  })

  it('stay valid during an outage with the known keys, for an hour', async () => {
    const [key, stranger] = [await makeKey('ES256', 'a'), await makeKey('ES256', 'b')]
    publish(key)
    const verify = verifier()
    const token = await sign(key)
    await verify(token)
    const port = Number(new URL(url).port)
    await stop()
    passMinutes(15)
    expect(await verify(token)).toMatchObject({ email: 'ada@example.com' })
    expect(await verify(token)).toMatchObject({ email: 'ada@example.com' })
    const error = await verify(await sign(stranger)).catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toMatchObject(refused)
    expect(warnings).toEqual(['couldn’t fetch the keys of the Supabase project'])
    passMinutes(90)
    const late = await verify(await sign(key)).catch((thrown: Error) => thrown)
    expect(late).toBeInstanceOf(Error)
    expect(late).not.toMatchObject(refused)
    await listen(port)
    passMinutes(1)
    expect(await verify(await sign(key))).toMatchObject({ email: 'ada@example.com' })
  })

  it('need a long enough secret', () => {
    expect(() => verifier('short')).toThrow(/^SUPABASE_JWT_SECRET must be at least 32 bytes long$/)
  })
})
