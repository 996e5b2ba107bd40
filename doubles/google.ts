/*
 * Google's sign-in for development and tests: the emulator's own pages, tokens and keys, with a thin layer in front
 * that starts it at the first request, and adds the Cancel button of the real page.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { findFreePort } from './free-port.ts'

/** An account at the double. */
export interface GoogleAccount {
  readonly email: string
  readonly name: string
  /** Whether Google has verified the address. Default: true. */
  readonly email_verified?: boolean
  readonly picture?: string
}

/** A running double. */
export interface GoogleDouble {
  /** For GOTRUE_EXTERNAL_GOOGLE_URL. */
  readonly issuer: string
  /** The product's settings for it. */
  readonly settings: Readonly<Record<string, string>>
  stop(): Promise<void>
}

interface Emulator {
  readonly address: string
  close(): Promise<void>
}

const client = { id: 'earshot-development.apps.googleusercontent.com', secret: 'GOCSPX-development' }

/** The default accounts on the double's page. */
const defaultAccounts: readonly GoogleAccount[] = [
  { email: 'ada@example.com', name: 'Ada Lovelace' },
  { email: 'grace@example.com', name: 'Grace Hopper' },
  { email: 'alan@example.com', name: 'Alan Turing' },
  { email: 'unverified@example.com', name: 'Address Unverified', email_verified: false },
]

const authorizationPath = '/o/oauth2/v2/auth'

/**
 * Starts it on the loopback interface. Costs almost nothing until the first request. Its accounts get new ids at each
 * start.
 *
 * @param options.redirectUri the product's redirect URI
 * @throws Error when the port is taken
 */
export async function startGoogleDouble({
  port,
  redirectUri,
  accounts = defaultAccounts,
}: {
  port: number
  redirectUri: string
  accounts?: readonly GoogleAccount[]
}): Promise<GoogleDouble> {
  let emulator: Promise<Emulator> | undefined
  const server = createServer((request, response) => {
    emulator ??= startEmulator({ issuer, redirectUri, accounts })
    emulator
      .then(({ address }) => passOn(request, response, address))
      .catch((error: Error) => response.writeHead(502).end(`The stand-in for Google failed: ${error.message}`))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const bound = server.address()
  const issuer = `http://localhost:${typeof bound === 'object' && bound ? bound.port : port}`
  // The double must not keep a process alive.
  server.unref()
  return {
    issuer,
    settings: {
      GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'on',
      GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: client.id,
      GOTRUE_EXTERNAL_GOOGLE_SECRET: client.secret,
      GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI: redirectUri,
      GOTRUE_EXTERNAL_GOOGLE_URL: issuer,
    },
    async stop() {
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
      await (await emulator?.catch(() => undefined))?.close()
    },
  }
}

async function startEmulator({
  issuer,
  redirectUri,
  accounts,
}: {
  issuer: string
  redirectUri: string
  accounts: readonly GoogleAccount[]
}): Promise<Emulator> {
  const { createEmulator } = await import('emulate')
  const port = await findFreePort()
  const running = await createEmulator({
    service: 'google',
    port,
    baseUrl: issuer,
    seed: {
      google: {
        users: accounts,
        oauth_clients: [
          { client_id: client.id, client_secret: client.secret, name: 'Earshot', redirect_uris: [redirectUri] },
        ],
      },
    },
  })
  return { address: `http://127.0.0.1:${port}`, close: () => running.close() }
}

async function passOn(request: IncomingMessage, response: ServerResponse, address: string): Promise<void> {
  const chunks: Buffer[] = []
  // Without an encoding, a stream gives bytes.
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = new Headers()
  for (const name of ['accept', 'authorization', 'content-type']) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const url = new URL(request.url ?? '/', address)
  const answer = await fetch(url, {
    method: request.method ?? 'GET',
    headers,
    redirect: 'manual',
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  })
  const isPage = url.pathname === authorizationPath && answer.ok
  const body = isPage ? addWayBack(await answer.text(), url.searchParams) : Buffer.from(await answer.arrayBuffer())
  response.statusCode = answer.status
  for (const name of ['content-type', 'location', 'cache-control']) {
    const value = answer.headers.get(name)
    if (value !== null) response.setHeader(name, value)
  }
  response.end(body)
}

/** The emulator's page has no Cancel button. The real one's redirects back with `access_denied`. */
function addWayBack(page: string, query: URLSearchParams): string {
  const target = new URL(query.get('redirect_uri') ?? '')
  target.searchParams.set('error', 'access_denied')
  target.searchParams.set('state', query.get('state') ?? '')
  const href = target.href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const at = page.lastIndexOf('</form>') + '</form>'.length
  return `${page.slice(0, at)}\n<p style="margin-top: 8px"><a class="user-btn" href="${href}">Cancel</a></p>${page.slice(at)}`
}
