import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, password, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'
import { createRefreshTokenKey, formatRefreshToken, parseRefreshToken } from './refresh-token.ts'

let server: TestAuthServer
let email: string
beforeAll(async () => {
  server = await startAuthServer()
  email = createAddress()
  await server.signUpConfirmed(email)
})
afterAll(() => server?.stop())

interface SessionAnswer {
  readonly refresh_token: string
  readonly access_token: string
}

async function signIn(): Promise<SessionAnswer> {
  return (await server.send('POST', '/auth/v1/token?grant_type=password', { body: { email, password } })).body
}

function refresh(token: unknown, origin = '') {
  return server.send('POST', `${origin}/auth/v1/token?grant_type=refresh_token`, { body: { refresh_token: token } })
}

/** Lets the reuse interval pass. */
async function passReuseInterval(): Promise<void> {
  await server.sql.query(`update auth.sessions set refreshed_at = refreshed_at - interval '11 seconds'`)
}

describe('POST /token?grant_type=refresh_token', () => {
  it('replaces the token and keeps the session', async () => {
    const first = await signIn()
    const second = await refresh(first.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body).toMatchObject({ token_type: 'bearer', expires_in: 3600, user: { email } })
    expect(second.body.refresh_token).not.toBe(first.refresh_token)
    const third = await refresh(second.body.refresh_token)
    expect(third.status).toBe(200)
    expect(second.headers.get('sb-auth-session-id')).toBe(third.headers.get('sb-auth-session-id'))
  })

  it('answers the parent of the active token with the active token, however late', async () => {
    const { refresh_token: parent } = await signIn()
    const active = (await refresh(parent)).body.refresh_token
    await passReuseInterval()
    const again = await refresh(parent)
    expect(again.status).toBe(200)
    expect(again.body.refresh_token).toBe(active)
    expect((await refresh(active)).status).toBe(200)
  })

  it('answers an older token within ten seconds with the active one', async () => {
    const { refresh_token: oldest } = await signIn()
    const parent = (await refresh(oldest)).body.refresh_token
    const active = (await refresh(parent)).body.refresh_token
    const again = await refresh(oldest)
    expect(again.status).toBe(200)
    expect(again.body.refresh_token).toBe(active)
  })

  it('ends the whole session when an older token comes after ten seconds', async () => {
    const { refresh_token: oldest } = await signIn()
    const parent = (await refresh(oldest)).body.refresh_token
    const active = await refresh(parent)
    await passReuseInterval()
    const stolen = await refresh(oldest)
    expect(stolen).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_already_used', message: 'Invalid Refresh Token: Already Used' },
    })
    expect(await refresh(active.body.refresh_token)).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_not_found', message: 'Invalid Refresh Token: Refresh Token Not Found' },
    })
    const user = await server.send('GET', '/auth/v1/user', {
      headers: { authorization: `Bearer ${active.body.access_token}` },
    })
    expect(user.body.code).toBe('session_not_found')
  })

  it('creates one active token from 50 simultaneous refreshes of one token, over two servers', async () => {
    const { refresh_token: token } = await signIn()
    const second = await server.startAnother()
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => refresh(token, index % 2 ? second : '')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const tokens = new Set(answers.map(({ body }) => body.refresh_token))
    expect(tokens.size).toBe(1)
    await passReuseInterval()
    expect((await refresh([...tokens][0])).status).toBe(200)
  })

  it('ends a session once under simultaneous stolen and valid tokens, over two servers', async () => {
    const { refresh_token: oldest } = await signIn()
    const parent = (await refresh(oldest)).body.refresh_token
    const active = (await refresh(parent)).body.refresh_token
    await passReuseInterval()
    const second = await server.startAnother()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => refresh(index % 2 ? oldest : active, index % 4 < 2 ? second : '')),
    )
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
    const ended = answers.filter(({ body }) => body.code === 'refresh_token_already_used')
    // A valid token that arrived first began another ten seconds, in which the old one gets the active one.
    if (ended.length === 0) {
      await passReuseInterval()
      expect((await refresh(oldest)).body.code).toBe('refresh_token_already_used')
    }
    expect(ended.length).toBeLessThanOrEqual(1)
    for (const token of [oldest, parent, active]) {
      expect((await refresh(token)).body.code).toBe('refresh_token_not_found')
    }
  })

  it('never ends a session that several tabs refresh at once, again and again', async () => {
    let { refresh_token: token } = await signIn()
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)))
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      token = answers[0]?.body.refresh_token
    }
  })

  it('refuses a banned user', async () => {
    const other = createAddress()
    const browser = await server.signUpConfirmed(other)
    await server.sql.query(`update auth.users set banned_until = now() + interval '1 hour' where email = $1`, [other])
    const session = (await browser.auth.getSession()).data.session
    expect(await refresh(session?.refresh_token)).toMatchObject({
      status: 400,
      body: { code: 'user_banned', message: 'Invalid Refresh Token: User Banned' },
    })
  })

  it('refuses an expired session', async () => {
    const { refresh_token: token, access_token: accessToken } = await signIn()
    const { session_id: id } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())
    await server.sql.query(`update auth.sessions set not_after = now() - interval '1 second' where id = $1`, [id])
    expect((await refresh(token)).body.code).toBe('session_expired')
  })

  it.each([
    ['nothing', undefined, 'validation_failed'],
    ['empty text', '', 'validation_failed'],
    ['noise', 'not-a-token', 'validation_failed'],
    ['a number', 12, 'validation_failed'],
    ['a token of the first generation', 'abcdef123456', 'refresh_token_not_found'],
    ['endless noise', 'A'.repeat(100_000), 'validation_failed'],
  ])('refuses %s', async (_name, token, code) => {
    expect(await refresh(token)).toMatchObject({ status: 400, body: { code } })
  })

  it('refuses a token whose signature was changed', async () => {
    const { refresh_token: token } = await signIn()
    const bytes = Buffer.from(token, 'base64url')
    bytes[20] = (bytes[20] ?? 0) ^ 1
    expect((await refresh(bytes.toString('base64url'))).body.code).toBe('validation_failed')
  })

  it('refuses a token that was signed with another key, and keeps the session', async () => {
    const { refresh_token: token } = await signIn()
    const named = parseRefreshToken(token)
    if (!named) throw new Error('the server issued a token that it cannot read')
    const forged = await refresh(formatRefreshToken(named, createRefreshTokenKey()))
    expect(forged).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } })
    expect((await refresh(token)).status).toBe(200)
  })

  it('answers 409 when another transaction locks the session for too long', async () => {
    const { refresh_token: token } = await signIn()
    const holder = await server.sql.connect()
    try {
      await holder.query('begin')
      await holder.query('select from auth.sessions for update')
      expect(await refresh(token)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    expect((await refresh(token)).status).toBe(200)
  })

  it('keeps no token in the database', async () => {
    const { refresh_token: token } = await signIn()
    const { rows } = await server.sql.query('select count(*)::int as n from auth.refresh_tokens')
    expect(rows[0].n).toBe(0)
    const sessions = await server.sql.query('select to_json(s)::text as row from auth.sessions s')
    expect(sessions.rows.some(({ row }) => row.includes(token))).toBe(false)
  })
})
