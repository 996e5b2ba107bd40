import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, readClaims, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

let server: TestAuthServer
let second: string
let userId: string
beforeAll(async () => {
  server = await startAuthServer()
  second = await server.startAnother()
  const browser = await server.signUpConfirmed(createAddress())
  userId = (await browser.auth.getSession()).data.session?.user.id ?? ''
})
afterAll(() => server?.stop())

const createToken = () =>
  Array.from(randomBytes(12), (byte) => 'abcdefghijklmnopqrstuvwxyz0123456789'[byte % 36]).join('')

interface Stored {
  readonly token: string
  readonly revoked: boolean
  readonly parent?: string
  readonly ageSeconds?: number
}

/** A session as Supabase's server stored it: its tokens are in the table, oldest first. */
async function importSession(tokens: readonly Stored[], { notAfter }: { notAfter?: string } = {}): Promise<string> {
  const id = randomUUID()
  await server.sql.query(
    `insert into auth.sessions (id, user_id, created_at, updated_at, aal, not_after)
     values ($1, $2, now() - interval '3 days', now() - interval '1 day', 'aal1', $3)`,
    [id, userId, notAfter ?? null],
  )
  await server.sql.query(
    `insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at)
     values ($1, 'password', now() - interval '3 days', now() - interval '3 days')`,
    [id],
  )
  for (const { token, revoked, parent, ageSeconds = 3600 } of tokens) {
    await server.sql.query(
      `insert into auth.refresh_tokens (token, user_id, revoked, parent, session_id, created_at, updated_at)
       values ($1, $2, $3, $4, $5, now() - interval '2 days', now() - make_interval(secs => $6))`,
      [token, userId, revoked, parent ?? null, id, ageSeconds],
    )
  }
  return id
}

function refresh(token: unknown, origin = '') {
  return server.send('POST', `${origin}/auth/v1/token?grant_type=refresh_token`, { body: { refresh_token: token } })
}

async function passReuseInterval(sessionId: string): Promise<void> {
  await server.sql.query(`update auth.sessions set refreshed_at = refreshed_at - interval '11 seconds' where id = $1`, [
    sessionId,
  ])
}

async function exists(sessionId: string): Promise<boolean> {
  return (await server.sql.query('select from auth.sessions where id = $1', [sessionId])).rowCount === 1
}

describe('a session imported from Supabase', () => {
  it('continues with its stored token, and keeps its id and sign-in methods', async () => {
    const token = createToken()
    const sessionId = await importSession([{ token, revoked: false }])
    const answer = await refresh(token)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('sb-auth-session-id')).toBe(sessionId)
    expect(readClaims(answer.body.access_token)).toMatchObject({ session_id: sessionId, amr: [{ method: 'password' }] })
    expect(answer.body.refresh_token.length).toBeGreaterThan(40)
    expect((await refresh(answer.body.refresh_token)).status).toBe(200)
  })

  it('answers its stored token with the signed one again while that is unused, however late', async () => {
    const token = createToken()
    const sessionId = await importSession([{ token, revoked: false }])
    const active = (await refresh(token)).body.refresh_token
    await passReuseInterval(sessionId)
    expect(await refresh(token)).toMatchObject({ status: 200, body: { refresh_token: active } })
    expect((await refresh(active)).status).toBe(200)
  })

  it('answers its stored token within ten seconds of a later refresh, and ends after that', async () => {
    const token = createToken()
    const sessionId = await importSession([{ token, revoked: false }])
    const first = (await refresh(token)).body.refresh_token
    const active = (await refresh(first)).body.refresh_token
    expect(await refresh(token)).toMatchObject({ status: 200, body: { refresh_token: active } })
    await passReuseInterval(sessionId)
    expect(await refresh(token)).toMatchObject({ status: 400, body: { code: 'refresh_token_already_used' } })
    expect(await exists(sessionId)).toBe(false)
    expect(await refresh(active)).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } })
    expect(await refresh(token)).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } })
  })

  it('answers the parent of the active stored token with that token, however late', async () => {
    const [parent, active] = [createToken(), createToken()]
    const sessionId = await importSession([
      { token: parent, revoked: true },
      { token: active, revoked: false, parent },
    ])
    expect(await refresh(parent)).toMatchObject({ status: 200, body: { refresh_token: active } })
    expect((await refresh(active)).status).toBe(200)
    expect(await exists(sessionId)).toBe(true)
  })

  it('answers a token that was revoked less than ten seconds ago with the active one', async () => {
    const [oldest, parent, active] = [createToken(), createToken(), createToken()]
    await importSession([
      { token: oldest, revoked: true, ageSeconds: 3 },
      { token: parent, revoked: true, parent: oldest, ageSeconds: 2 },
      { token: active, revoked: false, parent, ageSeconds: 2 },
    ])
    expect(await refresh(oldest)).toMatchObject({ status: 200, body: { refresh_token: active } })
  })

  it.each([
    ['before', false],
    ['after', true],
  ])('ends when a stolen token comes %s its stored token was replaced', async (_when, isReplaced) => {
    const [oldest, parent, active] = [createToken(), createToken(), createToken()]
    const sessionId = await importSession([
      { token: oldest, revoked: true },
      { token: parent, revoked: true, parent: oldest },
      { token: active, revoked: false, parent },
    ])
    if (isReplaced) await refresh(active)
    await passReuseInterval(sessionId)
    expect(await refresh(oldest)).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_already_used', message: 'Invalid Refresh Token: Already Used' },
    })
    expect(await exists(sessionId)).toBe(false)
    expect((await refresh(active)).body.code).toBe('refresh_token_not_found')
  })

  it('ends when one of its tokens is used and none is active', async () => {
    const token = createToken()
    const sessionId = await importSession([{ token, revoked: true }])
    expect((await refresh(token)).body.code).toBe('refresh_token_already_used')
    expect(await exists(sessionId)).toBe(false)
  })

  it('accepts either of two active tokens of several tabs, and replaces both by one', async () => {
    const [parent, left, right] = [createToken(), createToken(), createToken()]
    const sessionId = await importSession([
      { token: parent, revoked: true },
      { token: left, revoked: false, parent, ageSeconds: 50 },
      { token: right, revoked: false, parent, ageSeconds: 40 },
    ])
    const signed = (await refresh(left)).body.refresh_token
    await passReuseInterval(sessionId)
    expect(await refresh(right)).toMatchObject({ status: 200, body: { refresh_token: signed } })
  })

  it('creates one active token from 50 simultaneous uses of a stored one, over two servers', async () => {
    const token = createToken()
    const sessionId = await importSession([{ token, revoked: false }])
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => refresh(token, index % 2 ? second : '')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
    await passReuseInterval(sessionId)
    expect((await refresh(answers[0]?.body.refresh_token)).status).toBe(200)
  })

  it('ends once under 20 simultaneous stolen tokens', async () => {
    const [oldest, parent, active] = [createToken(), createToken(), createToken()]
    const sessionId = await importSession([
      { token: oldest, revoked: true },
      { token: parent, revoked: true, parent: oldest },
      { token: active, revoked: false, parent },
    ])
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refresh(oldest, index % 2 ? second : '')),
    )
    const codes = answers.map(({ body }) => body.code)
    expect(codes.filter((code) => code === 'refresh_token_already_used')).toHaveLength(1)
    expect(codes.filter((code) => code === 'refresh_token_not_found')).toHaveLength(19)
    expect(await exists(sessionId)).toBe(false)
  })

  it('ends at its expiry', async () => {
    const token = createToken()
    const sessionId = await importSession([{ token, revoked: false }], { notAfter: new Date(0).toISOString() })
    expect(await refresh(token)).toMatchObject({
      status: 400,
      body: { code: 'session_expired', message: 'Invalid Refresh Token: Session Expired' },
    })
    await server.sql.query(`update auth.sessions set not_after = now() + interval '1 hour' where id = $1`, [sessionId])
    expect((await refresh(token)).status).toBe(200)
  })

  it('is reported missing for a token without one', async () => {
    const token = createToken()
    await server.sql.query(`insert into auth.refresh_tokens (token, user_id, revoked) values ($1, $2, false)`, [
      token,
      userId,
    ])
    expect(await refresh(token)).toMatchObject({
      status: 400,
      body: { code: 'session_not_found', message: 'Invalid Refresh Token: No Valid Session Found' },
    })
  })
})
