import { expect } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { type GoogleAccount, type GoogleDouble, startGoogleDouble } from '#doubles/google.ts'
import { type Browser, startAuthServer, type TestAuthServer } from './auth-server.ts'

/** The auth server with Google's sign-in, and people who walk through it. */
export interface TestGoogle {
  readonly server: TestAuthServer
  readonly double: GoogleDouble
  /** The page of the app to which people come back. */
  readonly app: string
  /** A Google account that no test has used. */
  takeAccount(options?: { isVerified?: boolean }): GoogleAccount
  /** Clicks “Continue with Google”, as far as Google's page. */
  begin(browser: Browser, redirectTo?: string): Promise<Opened>
  /** All of it, up to the app's own page. */
  signIn(email: string, browser?: Browser): Promise<{ browser: Browser; target: URL }>
  stop(): Promise<void>
}

interface Opened {
  readonly status: number
  readonly location: URL
  readonly cookie: string
}

const accounts = Array.from({ length: 400 }, (_, i) => ({
  email: `google-${process.pid}-${i}@example.com`,
  name: `Person ${i}`,
  email_verified: i % 4 !== 3,
  picture: `https://lh3.googleusercontent.com/a/${i}`,
}))

/** Starts the auth server against the double. @param env further settings */
export async function startGoogleSignIn(env: Record<string, string> = {}): Promise<TestGoogle> {
  const port = await findFreePort()
  const server = await startAuthServer({ ...googleSettings(`http://localhost:${port}`), ...env })
  const double = await startGoogleDouble({ port, redirectUri: `${server.url}/auth/v1/callback`, accounts })
  const app = `${server.url}/auth/callback`
  const left = [...accounts]

  const begin: TestGoogle['begin'] = async (browser, redirectTo = app) => {
    const { data, error } = await browser.auth.signInWithOAuth({
      provider: 'google',
      options: {
        skipBrowserRedirect: true,
        redirectTo,
        scopes: 'email profile',
        queryParams: { access_type: 'offline', prompt: 'consent' },
      },
    })
    if (error) throw error
    return open(data.url)
  }

  return {
    server,
    double,
    app,
    begin,
    takeAccount({ isVerified = true } = {}) {
      const at = left.findIndex((account) => account.email_verified === isVerified)
      const [account] = left.splice(at, 1)
      if (at < 0 || !account) throw new Error('no account is left: add some above')
      return account
    },
    async signIn(email, browser = server.openBrowser()) {
      const { location } = await begin(browser)
      return { browser, target: (await open((await chooseAccount(location, email)).href)).location }
    },
    async stop() {
      await server.stop()
      await double.stop()
    },
  }
}

/** Settings for the client that the double knows, at an issuer. */
export function googleSettings(issuer: string): Record<string, string> {
  return {
    GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'on',
    GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'earshot-development.apps.googleusercontent.com',
    GOTRUE_EXTERNAL_GOOGLE_SECRET: 'GOCSPX-development',
    GOTRUE_EXTERNAL_GOOGLE_URL: issuer,
  }
}

/** Opens an address as a browser does that shows every redirect. */
export async function open(url: string, init: RequestInit = {}): Promise<Opened> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const location = response.headers.get('location')
  if (location === null) throw new Error(`${response.status} without a location: ${await response.text()}`)
  const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0])
  return { status: response.status, location: new URL(location), cookie: cookies.join('; ') }
}

/** Presses the account's button on the double's page. @returns where it leads: our own callback. */
export async function chooseAccount(page: URL, email: string): Promise<URL> {
  const html = await (await fetch(page)).text()
  const form = html.split('</form>').find((each) => each.includes(`value="${email}"`)) ?? ''
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
  const target = new URL('/o/oauth2/v2/auth/callback', page)
  return (await open(target.href, { method: 'POST', body: new URLSearchParams(fields) })).location
}

/** Exchanges the code with which the browser came back. @throws what the client library refuses with */
export async function exchange({ browser, target }: { browser: Browser; target: URL }) {
  const { data, error } = await browser.auth.exchangeCodeForSession(target.searchParams.get('code') ?? '')
  if (error || !data.session) throw error ?? new Error(`no session at ${target}`)
  return data.session
}

/** Why the browser came back with nothing. The query and the fragment have to say the same. */
export function readError(target: URL): Record<string, string | null> {
  const names = ['error', 'error_code', 'error_description'] as const
  const [query, fragment] = [target.searchParams, new URLSearchParams(target.hash.slice(1))]
  for (const name of names) expect(fragment.get(name)).toBe(query.get(name))
  expect(fragment.get('sb')).toBe('')
  return Object.fromEntries(names.map((name) => [name, query.get(name)]))
}
