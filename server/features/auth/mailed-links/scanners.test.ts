import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, openLink, readLink, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

let server: TestAuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server?.stop())

const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

async function requestLink(email = createAddress()): Promise<string> {
  const { error } = await server.openBrowser({ flowType: 'implicit' }).auth.signInWithOtp({ email })
  if (error) throw error
  return readLink((await server.mails.waitForMail(email)).text)
}

/** Presses the button of the page. */
async function press(page: string) {
  const target = /<form method="post" action="([^"]+)"><button/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  return server.send('POST', target, {
    key: null,
    body: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}

describe('a link that is opened by', () => {
  it.each<[string, Record<string, string>]>([
    ['a program without a browser’s headers', {}],
    ['a script', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['a frame', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['a picture', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a prefetch', { ...navigation, 'sec-purpose': 'prefetch;prerender' }],
  ])('%s shows a page, is not used up, and works by its button', async (_what, headers) => {
    const link = await requestLink()
    for (let times = 0; times < 2; times += 1) {
      const page = await openLink(link, headers)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      expect(page.text).toContain('enter the code from the email')
    }
    const { text } = await openLink(link, headers)
    const pressed = await press(text)
    expect(pressed.status).toBe(303)
    expect(pressed.headers.get('location')).toContain('access_token=')
    expect((await press(text)).headers.get('location')).toContain('error_code=otp_expired')
  })

  it('a person is used up at once', async () => {
    const link = await requestLink()
    const first = await openLink(link, navigation)
    expect([first.status, first.headers.get('location')]).toEqual([303, expect.stringContaining('access_token=')])
    expect((await openLink(link, navigation)).headers.get('location')).toContain('error_code=otp_expired')
  })

  it('the browser of a scanning email provider shows the page', async () => {
    const link = await requestLink(`ada-${process.pid}@outlook.com`)
    const page = await openLink(link, navigation)
    expect(page.status).toBe(200)
    expect((await press(page.text)).headers.get('location')).toContain('access_token=')
  })
})

describe('the page', () => {
  it('writes nothing of its URL into the markup, and allows no script', async () => {
    const hostile = `"><script>alert(1)</script>`
    const page = await openLink(
      `${server.url}/auth/v1/verify?token=${encodeURIComponent(hostile)}&type=signup&redirect_to=${hostile.replaceAll(' ', '')}`,
      {},
    )
    expect(page.text).not.toContain('<script')
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'nonce-[^']+'; base-uri/,
    )
  })

  it('is not shown for links that are none', async () => {
    const unknownType = await openLink(`${server.url}/auth/v1/verify?token=x&type=nonsense`, {})
    expect(unknownType.headers.get('location')).toContain('error_code=otp_expired')
    expect((await openLink(`${server.url}/auth/v1/verify?type=signup`, {})).status).toBe(400)
    const empty = await server.send('POST', '/auth/v1/verify/link?type=signup', { key: null, body: '' })
    expect(empty.status).toBe(400)
  })
})
