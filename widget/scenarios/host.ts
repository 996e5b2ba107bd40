import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import type { OwnItem, Submission } from '#contract/widget.ts'
import { defaultWidgetSettings, type LoaderSettings, type PanelSettings } from '#contract/widget-settings.ts'
import { HostUploads } from './host-uploads.ts'

/*
 * A site and an Earshot in one small server, so that the scenarios need nothing but the built widget. The site is
 * reached as `localhost` (or any name under example.test), Earshot as 127.0.0.1: another origin, as in life.
 */

const scenarios = new URL('./', import.meta.url)
const built = process.env.WIDGET_BUILD
  ? pathToFileURL(`${process.env.WIDGET_BUILD}/`)
  : new URL('../../build/widget/', import.meta.url)

const widgetKey = 'wk_AAAAAAAAAAAAAAAAAAAAAA'

/** Answers one submission instead of the usual way, e.g. with a 503. `drop` cuts the line after reading it. */
export type Reply = { status: number; headers?: Record<string, string>; body?: unknown } | 'drop' | 'store-and-drop'

export interface Host {
  readonly port: number
  /** Address of a scenario's page on the visitor's own machine. */
  pageUrl(scenario: string, hostname?: string): string
  settings: LoaderSettings
  panelSettings: PanelSettings
  /** Own words of the project, in every language. */
  texts: Record<string, string>
  /** What the visitor's own list answers. */
  ownItems: OwnItem[]
  /** Extra headers of the site's pages. */
  pageHeaders: Record<string, string>
  /** Answers for the next submissions, in order; when empty they are stored. */
  readonly replies: Reply[]
  /** Every submission that reached the server, refused ones too. */
  readonly received: Submission[]
  /** Stored submissions, by id. */
  readonly stored: Map<string, { number: number; body: string }>
  /** Uploads, and their failures. */
  readonly uploads: HostUploads
  /** Headers of the last request for own items, and of the last submission. */
  itemsAskedWith: IncomingMessage['headers']
  submissionAskedWith: IncomingMessage['headers']
  /** Asked before each submission when no reply waits. */
  chaos: (() => Reply | undefined) | undefined
  /** Paths that browsers asked Earshot for. */
  readonly requested: string[]
  stop(): Promise<void>
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, status: number, type: string, body: string, headers = {}): void {
  response.writeHead(status, { 'content-type': type, ...headers }).end(body)
}

function pick(settings: typeof defaultWidgetSettings): Omit<PanelSettings, 'mask' | 'position' | 'offset' | 'colors'> {
  const { radius, greeting, teamPicture, types, rating, email, name, fields, consent } = settings
  const { capture, replay, ownItems, contactEmail } = settings
  const asked = { types, rating, email, name, fields, consent }
  return { radius, greeting, teamPicture, ...asked, capture, replay, ownItems, contactEmail }
}

/** Starts the server on a free port. Throws when the widget has not been built. */
export async function startHost(): Promise<Host> {
  const manifest = JSON.parse(await readFile(new URL('manifest.json', built), 'utf8')) as Record<string, string>
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => send(response, 500, 'text/plain', String(error)))
  })

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname.startsWith('/e/')) {
      host.requested.push(`${request.method} ${pathname}`)
      return answerAsEarshot(pathname, request, response)
    }
    const name = pathname.replace(/\/$/, '/page.html').slice(1)
    const html = await readFile(new URL(name, scenarios), 'utf8').catch(() => undefined)
    if (html === undefined) return send(response, 404, 'text/plain', 'no such page')
    const page = html.replaceAll('EARSHOT', `http://127.0.0.1:${host.port}/e/${widgetKey}.js`)
    send(response, 200, name.endsWith('.css') ? 'text/css' : 'text/html; charset=utf-8', page, host.pageHeaders)
  }

  const cors = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'content-type, x-earshot-proof, x-visitor-key, x-visitor-id, x-visitor-hash',
    'access-control-expose-headers': 'retry-after, idempotent-replayed',
  }

  const answerAsEarshot = async (pathname: string, request: IncomingMessage, response: ServerResponse) => {
    if (pathname.startsWith(`/e/${widgetKey}/uploads`)) return host.uploads.answer(request, response)
    if (request.method === 'OPTIONS') return send(response, 204, 'text/plain', '', cors)
    if (pathname === `/e/${widgetKey}.js`) {
      const loader = await readFile(new URL('loader.js', built), 'utf8')
      const code = loader.replace('"__EARSHOT_SETTINGS__"', () => JSON.stringify(host.settings))
      return send(response, 200, 'text/javascript', code, cors)
    }
    const language = pathname.match(/^\/e\/[^/]+\/([a-z]{2})-v\d+\.js$/)?.[1]
    if (language) return send(response, 200, 'text/javascript', await writeTexts(language), cors)
    if (pathname.endsWith('/items')) {
      host.itemsAskedWith = request.headers
      return send(response, 200, 'application/json', JSON.stringify({ items: host.ownItems }), cors)
    }
    if (pathname.includes('/n/')) return send(response, 204, 'text/plain', '', cors)
    if (pathname.startsWith('/e/a/')) {
      const code = await readFile(new URL(pathname.slice('/e/a/'.length), built), 'utf8').catch(() => undefined)
      if (code === undefined) return send(response, 404, 'text/plain', '', cors)
      const headers = { ...cors, 'cache-control': 'public, max-age=31536000, immutable' }
      return send(response, 200, 'text/javascript', code, headers)
    }
    await answerSubmission(request, response)
  }

  const writeTexts = async (language: string) => {
    const read = async (locale: string) =>
      JSON.parse(
        await readFile(new URL(`${manifest.build}/locales/${locale}.json`, built), 'utf8').catch(() => '{}'),
      ) as Record<string, string>
    const strings = { ...(await read('en')), ...(await read(language)), ...host.texts }
    return `export const settings=${JSON.stringify(host.panelSettings)},strings=${JSON.stringify(strings)}`
  }

  const store = (body: string) => {
    const { id } = JSON.parse(body) as Submission
    const known = host.stored.get(id)
    if (!known) {
      const number = host.stored.size + 123
      host.stored.set(id, { number, body })
      return { status: 201, body: { id, number } }
    }
    if (known.body !== body) return { status: 422, body: { code: 'id_reused', title: 'This id was already used.' } }
    return { status: 200, body: { id, number: known.number } }
  }

  const answerSubmission = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request)
    // As the product does: a page without origin belongs to no site.
    if (request.headers.origin === 'null') return send(response, 403, 'application/json', '{}', cors)
    host.submissionAskedWith = request.headers
    host.received.push(JSON.parse(body) as Submission)
    const reply = host.replies.shift() ?? host.chaos?.()
    if (reply === 'store-and-drop') store(body)
    if (reply === 'drop' || reply === 'store-and-drop') return request.socket.destroy()
    const result = reply ?? store(body)
    const headers = { ...cors, ...('headers' in result ? result.headers : {}) }
    send(response, result.status, 'application/json', JSON.stringify(result.body ?? {}), headers)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const host: Host = {
    port,
    pageUrl: (scenario, hostname = 'localhost') => `http://${hostname}:${port}/${scenario}/`,
    settings: {
      key: widgetKey,
      build: manifest.build ?? '',
      version: 'v1',
      hosts: ['example.test'],
      style: 'right:16px;bottom:16px;color:#fff;background:#3056d3',
    },
    panelSettings: {
      ...pick(defaultWidgetSettings),
      types: ['bug', 'idea', 'question', 'praise', 'other'],
      mask: [],
      position: 'bottom-right',
      offset: 16,
      colors: { fill: '#3056d3', ink: '#fff', light: '#3056d3', dark: '#a4b5f0' },
    },
    texts: {},
    ownItems: [],
    pageHeaders: {},
    replies: [],
    received: [],
    stored: new Map(),
    uploads: new HostUploads(),
    itemsAskedWith: {},
    submissionAskedWith: {},
    chaos: undefined,
    requested: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return host
}
