import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createAddress,
  openLink,
  password,
  readCode,
  readLink,
  startAuthServer,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'

let server: TestAuthServer
let email: string
beforeAll(async () => {
  server = await startAuthServer()
  email = createAddress()
  await server.signUpConfirmed(email)
})
afterAll(() => server?.stop())

const verifier = 'v'.repeat(64)
const challenge = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 's256',
}

function token(grantType: string, body: unknown) {
  return server.send('POST', `/auth/v1/token?grant_type=${grantType}`, { body })
}

async function requestMail(body: object = {}): Promise<{ email: string; link: string; text: string }> {
  const address = createAddress()
  await server.send('POST', '/auth/v1/signup', { body: { email: address, password, ...challenge, ...body } })
  const { text } = await server.mails.waitForMail(address)
  return { email: address, link: readLink(text), text }
}

async function open(link: string): Promise<{ status: number; target: URL }> {
  const answer = await openLink(link)
  return { status: answer.status, target: new URL(answer.headers.get('location') ?? 'about:blank') }
}

describe('POST /token?grant_type=password', () => {
  it('signs in with any letter case of the address', async () => {
    const answer = await token('password', { email: email.toUpperCase(), password })
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'bearer', user: { email } } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('sb-auth-user-id')).toBe(answer.body.user.id)
  })

  it('answers an unknown address exactly as a wrong password', async () => {
    const wrong = await token('password', { email, password: 'wrong one' })
    const unknown = await token('password', { email: createAddress(), password: 'wrong one' })
    expect(wrong).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials', message: 'Invalid login credentials' },
    })
    expect(unknown.text).toBe(wrong.text)
    expect(unknown.status).toBe(wrong.status)
  })

  it('reveals a ban or a missing confirmation only after a correct password', async () => {
    const banned = createAddress()
    await server.signUpConfirmed(banned)
    await server.sql.query(`update auth.users set banned_until = now() + interval '1 hour' where email = $1`, [banned])
    expect((await token('password', { email: banned, password: 'wrong one' })).body.code).toBe('invalid_credentials')
    expect(await token('password', { email: banned, password })).toMatchObject({
      status: 400,
      body: { code: 'user_banned', message: 'User is banned' },
    })
    const { email: unconfirmed } = await requestMail()
    expect((await token('password', { email: unconfirmed, password: 'wrong one' })).body.code).toBe(
      'invalid_credentials',
    )
    expect((await token('password', { email: unconfirmed, password })).body.code).toBe('email_not_confirmed')
  })

  it('refuses a request without an address, and an unknown grant type', async () => {
    expect(await token('password', {})).toMatchObject({ status: 400, body: { message: 'missing email or phone' } })
    expect(await token('magic', {})).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials', message: 'unsupported_grant_type' },
    })
    expect((await server.send('POST', '/auth/v1/token', { body: {} })).status).toBe(400)
  })

  it('limits the attempts of one network address', async () => {
    const other = await startAuthServer({ GOTRUE_RATE_LIMIT_TOKEN_REFRESH: '3' })
    try {
      const attempt = () =>
        other.send('POST', '/auth/v1/token?grant_type=password', { body: { email: 'a@example.com', password } })
      for (let n = 0; n < 3; n += 1) expect((await attempt()).status).toBe(400)
      expect(await attempt()).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } })
    } finally {
      await other.stop()
    }
  })
})

describe('GET /verify and POST /token?grant_type=pkce', () => {
  it('exchanges the code once, only for the right verifier', async () => {
    const { target } = await open((await requestMail()).link)
    const code = target.searchParams.get('code') ?? ''
    expect(await token('pkce', { auth_code: code, code_verifier: 'w'.repeat(64) })).toMatchObject({
      status: 400,
      body: { code: 'bad_code_verifier' },
    })
    expect((await token('pkce', { auth_code: code, code_verifier: verifier })).status).toBe(200)
    expect(await token('pkce', { auth_code: code, code_verifier: verifier })).toMatchObject({
      status: 404,
      body: { code: 'flow_state_not_found', message: 'invalid flow state, no valid flow state found' },
    })
  })

  it('gives one session to many exchanges at once', async () => {
    const { target } = await open((await requestMail()).link)
    const body = { auth_code: target.searchParams.get('code'), code_verifier: verifier }
    const answers = await Promise.all(Array.from({ length: 6 }, () => token('pkce', body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('counts the five minutes of a code from the click, not from the email', async () => {
    const { email: address, link } = await requestMail()
    await server.sql.query(`update auth.flow_state set created_at = created_at - interval '20 hours'`)
    const { target } = await open(link)
    const body = { auth_code: target.searchParams.get('code'), code_verifier: verifier }
    await server.sql.query(
      `update auth.flow_state set auth_code_issued_at = now() - interval '301 seconds'
      where user_id = (select id from auth.users where email = $1)`,
      [address],
    )
    expect(await token('pkce', body)).toMatchObject({ status: 422, body: { code: 'flow_state_expired' } })
    await server.sql.query(
      `update auth.flow_state set auth_code_issued_at = now() - interval '290 seconds'
      where user_id = (select id from auth.users where email = $1)`,
      [address],
    )
    expect((await token('pkce', body)).status).toBe(200)
  })

  it('refuses an exchange without code or verifier', async () => {
    expect(await token('pkce', { auth_code: 'x' })).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  it('works once: the second click returns the error in query and fragment', async () => {
    const { link } = await requestMail()
    await open(link)
    const { status, target } = await open(link)
    expect(status).toBe(303)
    const facts = 'error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired'
    expect(target.search).toBe(`?${facts}`)
    expect(target.hash).toBe(`#${facts}`)
  })

  it('is not used up by a mail scanner’s HEAD', async () => {
    const { link } = await requestMail()
    expect((await fetch(link, { method: 'HEAD', redirect: 'manual' })).status).toBe(204)
    expect((await open(link)).target.searchParams.has('code')).toBe(true)
  })

  it('accepts one of two simultaneous clicks', async () => {
    const { link } = await requestMail()
    const targets = await Promise.all([open(link), open(link), open(link)])
    expect(targets.filter(({ target }) => target.searchParams.has('code'))).toHaveLength(1)
  })

  it('expires after 24 hours', async () => {
    const { email: address, link } = await requestMail()
    await server.sql.query(
      `update auth.users set confirmation_sent_at = now() - interval '24 hours 1 second' where email = $1`,
      [address],
    )
    expect((await open(link)).target.searchParams.get('error_code')).toBe('otp_expired')
  })

  it('refuses a banned user', async () => {
    const { email: address, link } = await requestMail()
    await server.sql.query(`update auth.users set banned_until = now() + interval '1 hour' where email = $1`, [address])
    expect((await open(link)).target.searchParams.get('error_code')).toBe('user_banned')
  })

  it('confirms the address even when the browser’s flow was pruned', async () => {
    const { email: address, link } = await requestMail()
    await server.sql.query('delete from auth.flow_state')
    expect((await open(link)).target.searchParams.get('error_code')).toBe('flow_state_not_found')
    expect((await token('password', { email: address, password })).status).toBe(200)
  })

  it('never redirects to a foreign site', async () => {
    const { link } = await requestMail()
    const bent = new URL(link)
    bent.searchParams.set('redirect_to', 'https://evil.example/')
    const { target } = await open(bent.href)
    expect(target.origin).toBe(server.url)
  })

  it('hands a session over in the fragment to a browser without PKCE', async () => {
    const address = createAddress()
    const browser = server.openBrowser({ flowType: 'implicit' })
    await browser.auth.signUp({ email: address, password })
    const { target } = await open(readLink((await server.mails.waitForMail(address)).text))
    const session = new URLSearchParams(target.hash.slice(1))
    expect([...session.keys()]).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'sb',
      'token_type',
      'type',
    ])
    expect(session.get('type')).toBe('signup')
    const { data, error } = await browser.auth.setSession({
      access_token: session.get('access_token') ?? '',
      refresh_token: session.get('refresh_token') ?? '',
    })
    expect(error).toBeNull()
    expect(data.user?.email).toBe(address)
  })

  it.each([
    ['no type', '?token=x', 'Verify requires a verification type'],
    ['no token', '?type=signup', 'Verify requires a token or a token hash'],
  ])('refuses %s', async (_name, query, message) => {
    expect(await server.send('GET', `/auth/v1/verify${query}`, { key: null })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message },
    })
  })

  it('sends a made-up token back with the reason', async () => {
    const { status, target } = await open(`${server.url}/auth/v1/verify?token=${'0'.repeat(56)}&type=signup`)
    expect(status).toBe(303)
    expect(target.hash).toBe(
      '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=',
    )
  })
})

describe('POST /verify', () => {
  it('accepts the six-digit code', async () => {
    const { email: address, text } = await requestMail()
    const { data, error } = await server
      .openBrowser()
      .auth.verifyOtp({ type: 'signup', email: address, token: readCode(text) })
    expect(error).toBeNull()
    expect(data.session?.user.email_confirmed_at).toBeTruthy()
    const again = await server.openBrowser().auth.verifyOtp({ type: 'signup', email: address, token: readCode(text) })
    expect(again.error).toMatchObject({ status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' })
  })

  it('accepts the token of the link, with or without its prefix', async () => {
    const tokenHash = new URL((await requestMail()).link).searchParams.get('token') ?? ''
    const { error } = await server
      .openBrowser()
      .auth.verifyOtp({ type: 'email', token_hash: tokenHash.replace('pkce_', '') })
    expect(error).toBeNull()
  })

  it('stops guessing after ten codes for one address, from any network address', async () => {
    const { email: address, text } = await requestMail()
    const wrong = readCode(text) === '000000' ? '000001' : '000000'
    const guess = (code: string) =>
      server.send('POST', '/auth/v1/verify', { body: { type: 'signup', email: address, token: code } })
    for (let n = 0; n < 10; n += 1) expect((await guess(wrong)).status).toBe(403)
    expect(await guess(readCode(text))).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } })
  })

  it.each([
    ['no type', { token: '123456', email: 'a@example.com' }, 400, 'validation_failed'],
    ['neither token nor hash', { type: 'signup' }, 400, 'validation_failed'],
    ['both', { type: 'signup', token: '1', token_hash: '2' }, 400, 'validation_failed'],
    ['a hash with an address', { type: 'signup', token_hash: '2', email: 'a@example.com' }, 400, 'validation_failed'],
    ['an unknown hash', { type: 'signup', token_hash: 'x' }, 403, 'otp_expired'],
    ['an unknown address', { type: 'signup', token: '123456', email: 'a@example.com' }, 403, 'otp_expired'],
    ['another type', { type: 'sms', token: '123456', email: 'a@example.com' }, 403, 'otp_expired'],
  ])('refuses %s', async (_name, body, status, code) => {
    expect(await server.send('POST', '/auth/v1/verify', { body })).toMatchObject({ status, body: { code } })
  })
})
