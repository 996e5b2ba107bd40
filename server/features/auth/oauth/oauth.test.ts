import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, type TestAuthServer } from '#server/testing/auth-server.ts'
import {
  chooseAccount,
  exchange,
  open,
  readError,
  startGoogleSignIn,
  type TestGoogle,
} from '#server/testing/google-sign-in.ts'

let google: TestGoogle
let server: TestAuthServer

beforeAll(async () => {
  google = await startGoogleSignIn()
  server = google.server
}, 60_000)
afterAll(() => google.stop())

describe('GET /authorize', () => {
  it('redirects to Google with the scopes email and profile, offline access and consent', async () => {
    const { location } = await google.begin(server.openBrowser())
    expect(`${location.origin}${location.pathname}`).toBe(`${google.double.issuer}/o/oauth2/v2/auth`)
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      access_type: 'offline',
      prompt: 'consent',
      scope: 'openid email profile',
      response_type: 'code',
      redirect_uri: `${server.url}/auth/v1/callback`,
      code_challenge_method: 'S256',
    })
    expect(location.searchParams.has('redirect_to')).toBe(false)
  })

  it('ignores other parameters', async () => {
    const hostile = new URLSearchParams({
      provider: 'google',
      scopes: 'https://mail.google.com/',
      client_id: 'theirs',
      redirect_uri: 'https://evil.example',
      state: 'chosen',
      nonce: 'chosen',
      response_type: 'token',
      login_hint: 'me@example.com',
    })
    const { location } = await open(`${server.url}/auth/v1/authorize?${hostile}`)
    const sent = Object.fromEntries(location.searchParams)
    expect(sent).toMatchObject({
      client_id: 'earshot-development.apps.googleusercontent.com',
      redirect_uri: `${server.url}/auth/v1/callback`,
      response_type: 'code',
      scope: 'openid email profile',
      login_hint: 'me@example.com',
    })
    expect(sent.state).toMatch(/^[0-9a-f-]{36}$/)
    expect(sent.nonce).not.toBe('chosen')
  })

  it.each([
    ['provider=github', 'Unsupported provider: Provider github could not be found'],
    ['provider=__proto__', 'Unsupported provider: Provider __proto__ could not be found'],
    ['', 'Unsupported provider: Provider  could not be found'],
    ['provider=google&code_challenge=abc', 'PKCE flow requires code_challenge_method and code_challenge'],
  ])('refuses ?%s', async (query, message) => {
    expect(await server.send('GET', `/auth/v1/authorize?${query}`, { key: null })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message },
    })
  })

  const hostile = [
    '',
    '\0',
    '%00',
    'x'.repeat(6000),
    "' or 1=1--",
    '\r\nset-cookie: a=b',
    '../..',
    '\ud800',
    '{{7*7}}',
    '💥',
  ]
  it.each([
    'provider',
    'redirect_to',
    'scopes',
    'prompt',
    'login_hint',
    'code_challenge',
    'code_challenge_method',
    'invite_token',
    'state',
    'code',
    'error',
  ])('and the callback refuse a hostile %s without a server error', async (name) => {
    for (const value of hostile) {
      for (const path of ['authorize', 'callback']) {
        const query = new URLSearchParams({ provider: 'google', state: crypto.randomUUID(), code: 'x', [name]: value })
        for (const address of [`${path}?${query}`, `${path}?${query}&${name}=twice&${name}[a]=1`]) {
          const { status, headers, body } = await server.send('GET', `/auth/v1/${address}`, { key: null })
          expect(status, address).toBeLessThan(500)
          if (status === 400) expect(body.code, address).toBe('validation_failed')
          else expect([server.url, google.double.issuer]).toContain(new URL(headers.get('location') ?? '').origin)
          expect(headers.get('set-cookie') ?? '').not.toContain('a=b')
        }
      }
    }
  })

  it.each([
    ['no form', new Uint8Array([0xff, 0xfe, 0])],
    ['a large one', `state=${'x'.repeat(900_000)}`],
    ['one without end', 'x'.repeat(3_000_000)],
    ['JSON', '{"state":"x"}'],
  ])('and the callback refuse %s', async (_name, body) => {
    const { status } = await server.send('POST', '/auth/v1/callback', { key: null, body })
    expect([303, 413]).toContain(status)
  })

  it('does not answer HEAD, which would begin a sign-in', async () => {
    expect((await server.send('HEAD', '/auth/v1/authorize?provider=google', { key: null })).status).toBe(404)
    expect((await server.send('HEAD', '/auth/v1/callback?state=x', { key: null })).status).toBe(404)
  })

  it.each([
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    'https://user@evil.example',
    'data:text/html,x',
  ])('never redirects to %s', async (redirectTo) => {
    const { location } = await google.begin(server.openBrowser(), redirectTo)
    const callback = await chooseAccount(location, google.takeAccount().email)
    callback.searchParams.delete('code')
    const { location: target } = await open(callback.href)
    expect(target.origin).toBe(server.url)
    expect(readError(target).error_code).toBe('bad_oauth_callback')
  })
})

describe('GET /settings', () => {
  it('lists Google', async () => {
    expect((await server.send('GET', '/auth/v1/settings')).body.external).toMatchObject({ google: true, email: true })
  })
})

describe('GET /callback', () => {
  it('redirects a person who cancels back, with the reason', async () => {
    const { location } = await google.begin(server.openBrowser(), `${google.app}?next=%2Fdashboard`)
    const page = await (await fetch(location)).text()
    const cancel = /href="([^"]+)">Cancel</.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const { status, location: target } = await open(cancel)
    expect(status).toBe(302)
    expect(`${target.origin}${target.pathname}`).toBe(google.app)
    expect(target.searchParams.get('next')).toBe('/dashboard')
    expect(readError(target)).toEqual({
      error: 'access_denied',
      error_code: null,
      error_description: 'The sign-in was cancelled',
    })
  })

  it('repeats no text of the URL', async () => {
    const { location } = await google.begin(server.openBrowser())
    const query = new URLSearchParams({
      state: location.searchParams.get('state') ?? '',
      error: '<b>Call +1 555 0100</b>',
      error_description: 'Your account is in danger, call +1 555 0100',
    })
    const { location: target } = await open(`${server.url}/auth/v1/callback?${query}`)
    expect(readError(target)).toEqual({
      error: 'server_error',
      error_code: null,
      error_description: 'The provider refused the sign-in',
    })
  })

  it('accepts the answer as a form as well', async () => {
    const account = google.takeAccount()
    const browser = server.openBrowser()
    const callback = await chooseAccount((await google.begin(browser)).location, account.email)
    const { status, location } = await open(`${server.url}/auth/v1/callback`, {
      method: 'POST',
      body: callback.searchParams,
    })
    expect(status).toBe(303)
    expect((await exchange({ browser, target: location })).user.email).toBe(account.email)
  })

  it.each([
    ['no state', '', 'bad_oauth_callback'],
    ['a state that is none', 'state=1', 'bad_oauth_state'],
    ['a state with a zero byte', 'state=%00', 'validation_failed'],
    ['an unknown state', 'state=00000000-0000-4000-8000-000000000000&code=x', 'bad_oauth_state'],
    ['an SQL state', "state='%20or%201=1--&code=x", 'bad_oauth_state'],
    ['two states', 'state=1&state=2', 'bad_oauth_state'],
  ])('refuses %s, at the site’s own URL', async (_name, query, code) => {
    const { location } = await open(`${server.url}/auth/v1/callback?${query}`)
    expect(location.origin).toBe(server.url)
    expect(readError(location)).toMatchObject({ error: 'invalid_request', error_code: code })
  })

  it('refuses a state that is too old', async () => {
    const { location } = await google.begin(server.openBrowser())
    const callback = await chooseAccount(location, google.takeAccount().email)
    await server.sql.query(`update auth.flow_state set created_at = now() - interval '601 seconds' where id = $1`, [
      location.searchParams.get('state'),
    ])
    expect(readError((await open(callback.href)).location)).toMatchObject({
      error_code: 'bad_oauth_state',
      error_description: 'OAuth state has expired',
    })
  })

  it('uses a state once, also with many simultaneous requests', async () => {
    const account = google.takeAccount()
    const browser = server.openBrowser()
    const callback = await chooseAccount((await google.begin(browser)).location, account.email)
    const targets = await Promise.all(Array.from({ length: 8 }, async () => (await open(callback.href)).location))
    const codes = targets.filter((target) => target.searchParams.has('code'))
    expect(codes).toHaveLength(1)
    for (const target of targets.filter((each) => !codes.includes(each))) {
      expect(readError(target).error_code).toBe('flow_state_already_used')
    }
    expect((await exchange({ browser, target: codes[0] ?? new URL(google.app) })).user.email).toBe(account.email)
  })

  it('returns a code only to the browser that began, once, and stores no equivalent', async () => {
    const account = google.takeAccount()
    const { browser, target } = await google.signIn(account.email)
    const code = target.searchParams.get('code') ?? ''
    const { rows } = await server.sql.query(`select f::text as row from auth.flow_state f`)
    const stored = rows.map(({ row }) => row).join('\n')
    expect(stored).not.toContain(code)
    expect(stored).not.toContain('google_')
    const thief = await server.send('POST', '/auth/v1/token?grant_type=pkce', {
      body: { auth_code: code, code_verifier: 'w'.repeat(64) },
    })
    expect(thief).toMatchObject({ status: 400, body: { code: 'bad_code_verifier' } })
    expect((await exchange({ browser, target })).user.email).toBe(account.email)
    const again = await server.send('POST', '/auth/v1/token?grant_type=pkce', {
      body: { auth_code: code, code_verifier: 'w'.repeat(64) },
    })
    expect(again.body.code).toBe('flow_state_not_found')
  })

  it('refuses Google’s code of another sign-in', async () => {
    const [victim, attacker] = [server.openBrowser(), server.openBrowser()]
    const stolen = await chooseAccount((await google.begin(victim)).location, google.takeAccount().email)
    const { location } = await google.begin(attacker)
    const query = new URLSearchParams({
      state: location.searchParams.get('state') ?? '',
      code: stolen.searchParams.get('code') ?? '',
    })
    const { location: target } = await open(`${server.url}/auth/v1/callback?${query}`)
    expect(readError(target)).toMatchObject({ error: 'server_error', error_code: 'unexpected_failure' })
  })
})

describe('the implicit flow', () => {
  it('ends with a session in the fragment, and without the provider’s tokens', async () => {
    const account = google.takeAccount()
    const browser = server.openBrowser({ flowType: 'implicit' })
    const { location, cookie } = await google.begin(browser)
    const { location: target } = await open((await chooseAccount(location, account.email)).href, {
      headers: { cookie },
    })
    const fragment = Object.fromEntries(new URLSearchParams(target.hash.slice(1)))
    expect(Object.keys(fragment)).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'sb',
      'token_type',
    ])
    const { data } = await browser.auth.setSession({
      access_token: fragment.access_token ?? '',
      refresh_token: fragment.refresh_token ?? '',
    })
    expect(data.user?.email).toBe(account.email)
  })

  it('ends only in the browser in which it began', async () => {
    const { location, cookie } = await google.begin(server.openBrowser({ flowType: 'implicit' }))
    const other = await google.begin(server.openBrowser({ flowType: 'implicit' }))
    expect(cookie).not.toBe('')
    const callback = await chooseAccount(location, google.takeAccount().email)
    const { location: target } = await open(callback.href, { headers: { cookie: other.cookie } })
    expect(target.hash).not.toContain('access_token')
    expect(readError(target)).toMatchObject({
      error_code: 'bad_oauth_state',
      error_description: 'OAuth state belongs to another browser',
    })
  })
})

describe('manual linking', () => {
  it('is disabled, which only signed-in callers learn', async () => {
    const browser = await server.signUpConfirmed(createAddress())
    const { data } = await browser.auth.getSession()
    const headers = { authorization: `Bearer ${data.session?.access_token}` }
    for (const [method, path] of [
      ['GET', '/auth/v1/user/identities/authorize?provider=google'],
      ['DELETE', `/auth/v1/user/identities/${data.session?.user.identities?.[0]?.identity_id}`],
      ['DELETE', '/auth/v1/user/identities/x'],
    ] as const) {
      expect(await server.send(method, path, { headers })).toMatchObject({
        status: 404,
        body: { code: 'manual_linking_disabled', message: 'Manual linking is disabled' },
      })
      expect(await server.send(method, path)).toMatchObject({ status: 401, body: { code: 'no_authorization' } })
    }
    expect(
      await browser.auth.linkIdentity({ provider: 'google', options: { skipBrowserRedirect: true } }),
    ).toMatchObject({ error: { code: 'manual_linking_disabled' } })
  })
})
