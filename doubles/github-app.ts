/*
 * GitHub Apps for tests: the pages that create an App from a manifest and install it, and the part of the API by which an App
 * signs in. Everything else is passed on to the emulator of GitHub, once the token is checked.
 */
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Manifest {
  readonly name: string
  readonly url: string
  readonly public?: boolean
  readonly redirect_url: string
  readonly setup_url?: string
  readonly hook_attributes?: { readonly url: string; readonly active?: boolean }
  readonly default_permissions?: Readonly<Record<string, string>>
  readonly default_events?: readonly string[]
}

interface App {
  readonly id: number
  readonly slug: string
  readonly manifest: Manifest
  /** The organisation that owns it; undefined: the person. */
  readonly account: string | undefined
  readonly key: string
  readonly publicKey: KeyObject
  readonly hookSecret: string
  isDeleted: boolean
  installation: { id: number; isSuspended: boolean } | undefined
}

/** A running double. */
export interface GithubAppDouble {
  /** Of the pages. The API is below `/api/v3`, as an Enterprise Server's. */
  readonly url: string
  readonly apps: readonly App[]
  /** Tokens that were given to installations. */
  readonly tokens: readonly string[]
  /** Calls the App's webhook as GitHub does. */
  callHook(app: App, event: string, payload: object): Promise<Response>
  /** Ends the tokens of an installation. */
  endTokens(): void
  stop(): Promise<void>
}

export interface GithubAppOptions {
  /** The emulator of GitHub, with a token that may do everything. */
  readonly upstream: { readonly url: string; readonly token: string }
  /** In which Apps are installed: owner and name. */
  readonly repositories: readonly { readonly name: string; readonly hasIssues?: boolean }[]
}

const events = ['issues', 'issue_comment']
const maxNameLength = 34
const codeMs = 3_600_000
const tokenMs = 3_600_000
const maxJwtSeconds = 600

class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface State {
  readonly options: GithubAppOptions
  readonly apps: App[]
  readonly drafts: Map<string, { manifest: Manifest; state: string; account: string | undefined }>
  readonly codes: Map<string, { app: App; endsMs: number }>
  readonly tokens: Map<string, { app: App; endsMs: number }>
  url: string
}

/** Starts it on the loopback interface. */
export async function startGithubAppDouble(options: GithubAppOptions): Promise<GithubAppDouble> {
  const given: string[] = []
  const state: State = { options, apps: [], drafts: new Map(), codes: new Map(), tokens: new Map(), url: '' }
  const server = createServer((request, response) => {
    answer(state, request, response, (token) => given.push(token)).catch((error: Error) => {
      const status = error instanceof Refusal ? error.status : 500
      sendJson(response, status, { message: error.message })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server has an address of this form.
  const { port } = server.address() as AddressInfo
  state.url = `http://127.0.0.1:${port}`
  return {
    url: state.url,
    apps: state.apps,
    tokens: given,
    callHook: ({ manifest, hookSecret }, event, payload) => {
      const body = JSON.stringify(payload)
      return fetch(manifest.hook_attributes?.url ?? '', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-github-event': event,
          'x-github-delivery': crypto.randomUUID(),
          'x-hub-signature-256': `sha256=${createHmac('sha256', hookSecret).update(body).digest('hex')}`,
        },
        body,
      })
    },
    endTokens: () => state.tokens.clear(),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  onToken: (token: string) => void,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', state.url)
  const body = await readBody(request)
  const route = `${request.method} ${pathname}`
  if (pathname.startsWith('/api/v3/')) {
    const path = pathname.slice('/api/v3'.length)
    return answerApi(
      state,
      { request, response, path, search: new URL(request.url ?? '/', state.url).search, body },
      onToken,
    )
  }
  const [, account] = /^POST \/(?:organizations\/([\w-]+)\/)?settings\/apps\/new$/.exec(route) ?? [undefined]
  if (/^POST \/(organizations\/[\w-]+\/)?settings\/apps\/new$/.test(route)) {
    const manifest = checkManifest(new URLSearchParams(body.toString()).get('manifest'))
    const draft = randomBytes(8).toString('hex')
    state.drafts.set(draft, { manifest, state: searchParams.get('state') ?? '', account })
    return sendPage(response, `Create GitHub App ${manifest.name}`, `/settings/apps/confirm?draft=${draft}`)
  }
  if (route === 'POST /settings/apps/confirm') {
    const draft = state.drafts.get(searchParams.get('draft') ?? '')
    if (!draft) throw new Refusal(404, 'Not Found')
    const app = createApp(state, draft.manifest, draft.account)
    const code = randomBytes(20).toString('hex')
    state.codes.set(code, { app, endsMs: Date.now() + codeMs })
    return redirect(response, draft.manifest.redirect_url, { code, state: draft.state })
  }
  const [, method, slug] = /^(GET|POST) \/github-apps\/([\w-]+)\/installations\/new$/.exec(route) ?? []
  const app = state.apps.find((each) => each.slug === slug && !each.isDeleted)
  if (!app) throw new Refusal(404, 'Not Found')
  if (method === 'GET') return sendPage(response, `Install ${app.manifest.name}`, pathname)
  app.installation = { id: 1_000 + app.id + Math.floor(Math.random() * 1e6), isSuspended: false }
  redirect(response, app.manifest.setup_url ?? state.url, {
    installation_id: String(app.installation.id),
    setup_action: 'install',
  })
}

/** What GitHub asks of a manifest, and what Earshot's is to contain. @throws Refusal */
function checkManifest(text: string | null): Manifest {
  // Its fields are checked below.
  const manifest = JSON.parse(text ?? 'null') as Manifest | null
  const require = (isMet: boolean | undefined, field: string) => {
    if (!isMet) throw new Refusal(422, `Invalid GitHub App configuration: ${field}`)
  }
  if (manifest === null) throw new Refusal(422, 'Invalid GitHub App configuration: manifest')
  const { name, url, redirect_url: redirectUrl, setup_url: setupUrl, hook_attributes: hook } = manifest
  require(name.length > 0 && name.length <= maxNameLength && name.trim() === name, 'name')
  require(URL.canParse(url), 'url')
  require(URL.canParse(redirectUrl), 'redirect_url')
  require(setupUrl !== undefined && URL.canParse(setupUrl), 'setup_url')
  require(hook !== undefined && URL.canParse(hook.url) && hook.active === true, 'hook_attributes')
  const { default_permissions: permissions = {}, default_events: wanted = [] } = manifest
  require(permissions.issues === 'write' && permissions.metadata === 'read', 'default_permissions')
  require(Object.keys(permissions).length === 2, 'default_permissions: more than is needed')
  require(wanted.length > 0 && wanted.every((event) => events.includes(event)), 'default_events')
  require(manifest.public === false, 'public')
  return manifest
}

function createApp(state: State, manifest: Manifest, account: string | undefined): App {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  // GitHub's keys have this form.
  const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const id = 100 + state.apps.length
  const slug = `${manifest.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${id}`
  const hookSecret = randomBytes(20).toString('hex')
  const publicKey = createPublicKey(key)
  const app = { id, slug, manifest, account, key, publicKey, hookSecret, isDeleted: false, installation: undefined }
  state.apps.push(app)
  return app
}

interface ApiCall {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly search: string
  readonly body: Buffer
}

async function answerApi(state: State, call: ApiCall, onToken: (token: string) => void): Promise<void> {
  const { request, response, path } = call
  const route = `${request.method} ${path}`
  const [, code] = /^POST \/app-manifests\/(\w+)\/conversions$/.exec(route) ?? []
  if (code !== undefined) {
    const conversion = state.codes.get(code)
    state.codes.delete(code)
    if (!conversion || conversion.endsMs < Date.now()) throw new Refusal(404, 'Not Found')
    return sendJson(response, 201, describeApp(state, conversion.app))
  }
  const [, repository] = /^GET \/repos\/([\w.-]+\/[\w.-]+)\/installation$/.exec(route) ?? []
  if (route === 'GET /app/installations' || repository !== undefined) {
    const { installation } = readJwt(state, request)
    const described = installation && {
      id: installation.id,
      suspended_at: installation.isSuspended ? new Date().toISOString() : null,
    }
    if (repository === undefined) return sendJson(response, 200, described ? [described] : [])
    if (!described || !isReached(state, repository)) throw new Refusal(404, 'Not Found')
    return sendJson(response, 200, described)
  }
  const [, installationId] = /^POST \/app\/installations\/(\d+)\/access_tokens$/.exec(route) ?? []
  if (installationId !== undefined) {
    const app = readJwt(state, request)
    if (app.installation?.id !== Number(installationId)) throw new Refusal(404, 'Not Found')
    if (app.installation.isSuspended) throw new Refusal(403, 'This installation has been suspended')
    const token = `ghs_${randomBytes(18).toString('hex')}`
    const endsMs = Date.now() + tokenMs
    state.tokens.set(token, { app, endsMs })
    onToken(token)
    return sendJson(response, 201, { token, expires_at: new Date(endsMs).toISOString() })
  }
  checkToken(state, request)
  if (route === 'GET /installation/repositories') {
    const repositories = state.options.repositories.map(({ name, hasIssues = true }) => ({
      full_name: name,
      has_issues: hasIssues,
    }))
    return sendJson(response, 200, { total_count: repositories.length, repositories })
  }
  return passOn(state, call)
}

function describeApp(state: State, { id, slug, manifest, key, hookSecret }: App): object {
  return {
    ...{ id, slug, name: manifest.name },
    html_url: `${state.url}/github-apps/${slug}`,
    client_id: `Iv23${id}`,
    client_secret: randomBytes(20).toString('hex'),
    webhook_secret: hookSecret,
    pem: key,
  }
}

/** The App whose key signed the request's token. @throws Refusal for a token that GitHub would refuse. */
function readJwt(state: State, request: IncomingMessage): App {
  const [header = '', claims = '', signature = ''] = readBearer(request).split('.')
  const parse = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}')
  const { iss, iat, exp } = parse(claims)
  const app = state.apps.find(({ id, isDeleted }) => String(id) === String(iss) && !isDeleted)
  const nowSeconds = Date.now() / 1000
  const isSigned =
    app !== undefined &&
    parse(header).alg === 'RS256' &&
    verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), app.publicKey, Buffer.from(signature, 'base64url'))
  const isTimely =
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    iat <= nowSeconds - 30 &&
    exp > nowSeconds &&
    exp <= nowSeconds + maxJwtSeconds
  if (!isSigned || !isTimely) throw new Refusal(401, 'A JSON web token could not be decoded')
  return app
}

/** @throws Refusal for a token that has ended, or whose App was suspended or uninstalled. */
function checkToken(state: State, request: IncomingMessage): void {
  const held = state.tokens.get(readBearer(request))
  if (!held || held.endsMs < Date.now() || !held.app.installation) throw new Refusal(401, 'Bad credentials')
  if (held.app.installation.isSuspended) throw new Refusal(403, 'This installation has been suspended')
}

const readBearer = ({ headers }: IncomingMessage) => /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? ''

const isReached = ({ options }: State, name: string) => options.repositories.some((each) => each.name === name)

async function passOn(state: State, { request, response, path, search, body }: ApiCall): Promise<void> {
  const [, repository = ''] = /^\/repos\/([^/]+\/[^/]+)/.exec(path) ?? []
  if (!isReached(state, repository)) throw new Refusal(404, 'Not Found')
  const { url, token } = state.options.upstream
  const reply = await fetch(`${url}${path}${search}`, {
    method: request.method ?? 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  })
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text())
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function redirect(response: ServerResponse, to: string, query: Readonly<Record<string, string>>): void {
  const url = new URL(to)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  response.writeHead(302, { location: url.href }).end()
}

function sendPage(response: ServerResponse, label: string, action: string): void {
  const text = label.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><html lang="en"><title>GitHub</title><form method="post" action="${action}"><button>${text}</button></form></html>`,
    )
}
