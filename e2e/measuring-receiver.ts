import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import type { BrowserContext, Page } from '@playwright/test'

export interface CountedEvent {
  event: string
  properties: Record<string, unknown>
}

/** What Sentry is sent: the content of each item, by its type. */
export interface Report {
  type: string
  content: string
}

/** A stand-in for PostHog, Sentry and Google Analytics. */
export interface MeasuringReceiver {
  /** The settings of a product that reports to it. */
  env: Record<string, string>
  events(): CountedEvent[]
  reports(): Report[]
  /** Calls of Google's script: its queue, in order. */
  googleCalls(): unknown[][]
  /** All that came, for words that must not. */
  everything(): string
  /** Answers Google's script and its calls in this browser, as Google's hosts are not reached from tests. */
  standInForGoogle(context: BrowserContext): Promise<void>
  stop(): void
}

/** Sends each call of the queue, those of before and those to come, as Google's script does. */
const googleScript = `
  const send = (call) => fetch('https://region1.google-analytics.com/g/collect', { method: 'POST', mode: 'no-cors', body: JSON.stringify([...call]) })
  const queue = window.dataLayer
  queue.forEach(send)
  queue.push = (...calls) => { calls.forEach(send); return Array.prototype.push.apply(queue, calls) }
`

export async function startMeasuringReceiver(): Promise<MeasuringReceiver> {
  const counted: CountedEvent[] = []
  const reports: Report[] = []
  const googleCalls: unknown[][] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const isCompressed = body[0] === 0x1f && body[1] === 0x8b
      const text = (isCompressed ? gunzipSync(body) : body).toString()
      if (request.method === 'POST') {
        bodies.push(text)
        if (request.url?.includes('/envelope/')) reports.push(...readEnvelope(text))
        // PostHog's clients send this form.
        else counted.push(...(JSON.parse(text) as { batch: CountedEvent[] }).batch)
      }
      response.writeHead(200, {
        'access-control-allow-origin': request.headers.origin ?? '*',
        'access-control-allow-headers': 'content-type',
        'access-control-allow-credentials': 'true',
        'content-type': 'application/json',
      })
      response.end('{"status":1}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    env: {
      POSTHOG_KEY: 'phc_test',
      POSTHOG_HOST: `http://127.0.0.1:${port}`,
      SENTRY_DSN: `http://public@127.0.0.1:${port}/1`,
      GA_MEASUREMENT_ID: 'G-EARSHOT',
    },
    events: () => counted,
    reports: () => reports,
    googleCalls: () => googleCalls,
    everything: () => [...bodies, JSON.stringify(googleCalls)].join('\n'),
    standInForGoogle: async (context) => {
      await context.route('https://www.googletagmanager.com/**', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: googleScript }),
      )
      await context.route('https://region1.google-analytics.com/**', async (route) => {
        // The script above sends this form.
        googleCalls.push(JSON.parse(route.request().postData() ?? '[]') as unknown[])
        await route.fulfill({ status: 204 })
      })
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A line about the envelope, then a line about each item and its content, which may take two lines. */
function readEnvelope(text: string): Report[] {
  const [, ...lines] = text.split('\n')
  const found: Report[] = []
  for (const line of lines) {
    const header = readItemHeader(line)
    const last = found.at(-1)
    if (header !== undefined) found.push({ type: header, content: '' })
    else if (last) last.content += line
  }
  return found
}

function readItemHeader(line: string): string | undefined {
  if (!/^\{[^{}]*"type":"[a-z_]+"[^{}]*\}$/.test(line) || line.length > 300) return undefined
  // Checked above.
  return (JSON.parse(line) as { type: string }).type
}

/** A browser that the services take for a person's: they count no robots. */
export async function hideRobot(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false })
    Object.defineProperty(Navigator.prototype, 'userAgent', {
      get: () => `Mozilla/5.0 Firefox/145.0 ${'x'.repeat(2000)}`,
    })
    Object.defineProperty(Navigator.prototype, 'userAgentData', { get: () => undefined })
  })
}

/** Which other origins the page asked for anything. */
export function watchOutside(page: Page, ownOrigin: string): Set<string> {
  const outside = new Set<string>()
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== ownOrigin) outside.add(origin)
  })
  return outside
}
