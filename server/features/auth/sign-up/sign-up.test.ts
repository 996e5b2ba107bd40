import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createAddress,
  openLink,
  password,
  readLink,
  type SendOptions,
  startAuthServer,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'

let server: TestAuthServer
beforeAll(async () => {
  server = await startAuthServer({ GOTRUE_SMTP_MAX_FREQUENCY: '60' })
})
afterAll(() => server?.stop())

const challenge = { code_challenge: 'a'.repeat(43), code_challenge_method: 's256' }

function signUp(body: unknown, options: SendOptions = {}) {
  return server.send('POST', '/auth/v1/signup', { body, ...options })
}

async function endPause(): Promise<void> {
  await server.sql.query(`update app.email_pauses set asked_at = asked_at - interval '61 seconds'`)
}

describe('POST /signup', () => {
  it.each([
    ['no address', { password }, 422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'],
    ['a phone', { phone: '+4912345', password }, 400, 'phone_provider_disabled', 'Phone signups are disabled'],
    ['no password', { email: 'a@example.com' }, 400, 'validation_failed', 'Signup requires a valid password'],
    [
      'a password of 5',
      { email: 'a@example.com', password: '12345' },
      422,
      'weak_password',
      'Password should be at least 6 characters.',
    ],
    [
      'a password of 73 bytes',
      { email: 'a@example.com', password: 'x'.repeat(73) },
      400,
      'validation_failed',
      'Password cannot be longer than 72 characters',
    ],
    [
      'a malformed address',
      { email: 'a@b', password },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      'an address of 255',
      {
        email: `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(8)}.com`,
        password,
      },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      'two addresses',
      { email: 'a@example.com,b@example.com', password },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      'half a challenge',
      { email: 'a@example.com', password, code_challenge: 'a'.repeat(43) },
      400,
      'validation_failed',
      'PKCE flow requires code_challenge_method and code_challenge',
    ],
    [
      'a short challenge',
      { email: 'a@example.com', password, code_challenge: 'a'.repeat(42), code_challenge_method: 's256' },
      400,
      'validation_failed',
      'code challenge has to be between 43 and 128 unreserved characters',
    ],
    [
      'metadata that is no object',
      { email: 'a@example.com', password, data: [1] },
      400,
      'validation_failed',
      'data must be an object',
    ],
    [
      'metadata without end',
      { email: 'a@example.com', password, data: { a: 'x'.repeat(5000) } },
      400,
      'validation_failed',
      'User metadata is limited to 4096 bytes',
    ],
    [
      'a NUL',
      { email: 'a@example.com', password, data: { a: 'x\0y' } },
      400,
      'validation_failed',
      "Text contains characters that can't be stored",
    ],
  ])('refuses %s', async (_name, body, status, code, message) => {
    const answer = await signUp(body)
    expect(answer).toMatchObject({ status, body: { code, message } })
    expect(answer.headers.get('x-sb-error-code')).toBe(code)
  })

  it('names the reasons for a weak password', async () => {
    const answer = await signUp({ email: 'a@example.com', password: '12345' })
    expect(answer.body.weak_password).toEqual({ reasons: ['length'] })
  })

  it('accepts a password of 6 characters and one of 72 bytes', async () => {
    expect((await signUp({ email: createAddress(), password: 'ääääää' })).status).toBe(200)
    expect((await signUp({ email: createAddress(), password: 'x'.repeat(72) })).status).toBe(200)
  })

  it('stores and sends nothing for a refused one', async () => {
    const email = createAddress()
    await signUp({ email, password: '12345' })
    const { rows } = await server.sql.query('select count(*)::int as n from auth.users where email = $1', [email])
    expect(rows[0].n).toBe(0)
  })

  it('creates one account from many simultaneous sign-ups with one address', async () => {
    const email = createAddress()
    const answers = await Promise.all(Array.from({ length: 8 }, () => signUp({ email, password, ...challenge })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429, 429, 429, 429, 429])
    const { rows } = await server.sql.query('select count(*)::int as n from auth.users where email = $1', [email])
    expect(rows[0].n).toBe(1)
    const queued = await server.sql.query('select count(*)::int as n from app.emails where to_address = $1', [email])
    expect(queued.rows[0].n).toBe(1)
  })

  it('sends an unconfirmed user another email after 60 seconds, and changes nothing else', async () => {
    const email = createAddress()
    const first = await signUp({ email, password, data: { full_name: 'First' } })
    const tooSoon = await signUp({ email, password: 'changed', data: { full_name: 'Second' } })
    expect(tooSoon.status).toBe(429)
    expect(tooSoon.body.code).toBe('over_email_send_rate_limit')
    expect(tooSoon.body.message).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/)
    expect(Number(tooSoon.headers.get('retry-after'))).toBeGreaterThan(50)
    await endPause()
    const later = await signUp({ email, password: 'changed', data: { full_name: 'Second' } })
    expect(later.status).toBe(200)
    expect(later.body).toMatchObject({ id: first.body.id, user_metadata: { full_name: 'First' } })
  })

  it('keeps links on the configured URL with any Host header', async () => {
    const email = createAddress()
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' }
    await signUp({ email, password }, { headers })
    const mail = await server.mails.waitForMail(email)
    expect(new URL(readLink(mail.text)).origin).toBe(server.url)
    expect(mail.html + mail.text).not.toContain('evil.example')
  })

  it('redirects to our own site when a foreign one was requested', async () => {
    const email = createAddress()
    await server.send('POST', '/auth/v1/signup?redirect_to=https%3A%2F%2Fevil.example%2F', {
      body: { email, password },
    })
    const link = new URL(readLink((await server.mails.waitForMail(email)).text))
    expect(link.searchParams.get('redirect_to')).toBe(server.url)
  })

  it('answers the older version of the protocol in its own format', async () => {
    const answer = await signUp({ email: 'a@b', password }, { headers: { 'x-supabase-api-version': '' } })
    expect(answer.body).toEqual({
      code: 400,
      error_code: 'validation_failed',
      msg: 'Unable to validate email address: invalid format',
    })
    expect(answer.headers.get('x-supabase-api-version')).toBeNull()
  })
})

describe('POST /resend', () => {
  const resend = (email: string) =>
    server.send('POST', '/auth/v1/resend', { body: { email, type: 'signup', ...challenge } })

  it('sends the email again, and only the latest link works', async () => {
    const email = createAddress()
    await signUp({ email, password, ...challenge })
    const first = await server.mails.waitForMail(email)
    await endPause()
    expect(await resend(email)).toMatchObject({ status: 200, body: {} })
    const second = await server.mails.waitForMail(email, { after: first })
    const open = async (text: string) => (await openLink(readLink(text))).headers.get('location')
    expect(await open(first.text)).toContain('error_code=otp_expired')
    expect(await open(second.text)).toContain('code=')
  })

  it('gives unconfirmed, confirmed and unknown addresses the same answer, before and within the pause', async () => {
    const [waiting, confirmed, unknown] = [createAddress(), createAddress(), createAddress()]
    await signUp({ email: waiting, password })
    await server.signUpConfirmed(confirmed)
    await endPause()
    const strip = ({ status, body }: { status: number; body: Record<string, unknown> }) => ({
      status,
      body: { ...body, ...(body.message !== undefined && { message: String(body.message).replace(/\d+/, 'N') }) },
    })
    for (let round = 0; round < 2; round += 1) {
      const answers = [strip(await resend(waiting)), strip(await resend(confirmed)), strip(await resend(unknown))]
      expect(answers[0]?.status).toBe(round === 0 ? 200 : 429)
      expect(answers[1]).toEqual(answers[0])
      expect(answers[2]).toEqual(answers[0])
    }
  })

  it('refuses another type and a malformed address', async () => {
    const unknownType = await server.send('POST', '/auth/v1/resend', {
      body: { email: 'a@example.com', type: 'invite' },
    })
    expect(unknownType).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect(await resend('no-address')).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })
})

describe('with other settings', () => {
  it('signs in immediately where addresses need no confirmation', async () => {
    const other = await startAuthServer({ GOTRUE_MAILER_AUTOCONFIRM: 'true' })
    try {
      const email = createAddress()
      const browser = other.openBrowser()
      const { data } = await browser.auth.signUp({ email, password })
      expect(data.session?.user).toMatchObject({ email, user_metadata: { email_verified: true } })
      const again = await other.openBrowser().auth.signUp({ email, password })
      expect(again.error).toMatchObject({
        status: 422,
        code: 'user_already_exists',
        message: 'User already registered',
      })
    } finally {
      await other.stop()
    }
  })

  it('refuses sign-ups where they are disabled, and too many of them', async () => {
    const other = await startAuthServer({ GOTRUE_DISABLE_SIGNUP: 'true', GOTRUE_RATE_LIMIT_OTP: '2' })
    try {
      const attempt = () => other.send('POST', '/auth/v1/signup', { body: { email: createAddress(), password } })
      expect(await attempt()).toMatchObject({ status: 422, body: { code: 'signup_disabled' } })
      await attempt()
      const refused = await attempt()
      expect(refused).toMatchObject({
        status: 429,
        body: { code: 'over_request_rate_limit', message: 'Request rate limit reached' },
      })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await other.stop()
    }
  })

  it('stops emails at the instance’s limit, and keeps no account whose email it refused', async () => {
    const other = await startAuthServer({ GOTRUE_RATE_LIMIT_EMAIL_SENT: '1' })
    try {
      await other.send('POST', '/auth/v1/signup', { body: { email: createAddress(), password } })
      const email = createAddress()
      const refused = await other.send('POST', '/auth/v1/signup', { body: { email, password } })
      expect(refused).toMatchObject({
        status: 429,
        body: { code: 'over_email_send_rate_limit', message: 'email rate limit exceeded' },
      })
      const { rows } = await other.sql.query('select count(*)::int as n from auth.users where email = $1', [email])
      expect(rows[0].n).toBe(0)
    } finally {
      await other.stop()
    }
  })
})
