/*
 * The widget's cost for a page: bytes and requests before any click, script and blocking time during the load on a slow
 * phone, and the duration of a click. Beside Sentry's feedback, loaded as its guide says (feedbackAsyncIntegration).
 * Run: npm run bench -- loader
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { build } from 'esbuild'
import { findChromium } from '../e2e/chromium.ts'
import { measuringFlags } from './harness/chromium.ts'
import { median, printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const cpuSlowdown = 4
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const root = join(import.meta.dirname, '..')
const built = mkdtempSync(join(tmpdir(), 'earshot-bench-loader-'))

/** Responses by path, each compressed once. */
const bodies = new Map<string, { type: string; body: Buffer }>()
const keep = (path: string, type: string, text: string) =>
  bodies.set(path, { type, body: brotliCompressSync(Buffer.from(text)) })

async function bundle(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"', __SENTRY_DEBUG__: 'false' },
  })
  return outputFiles[0]?.text ?? ''
}

// The build checks its budgets.
try {
  execFileSync(process.execPath, ['scripts/build-widget.ts', '--out', built], { cwd: root, stdio: 'ignore' })
} catch {}
process.env.WIDGET_BUILD = built
const { startHost } = await import('#widget/scenarios/host.ts')
const host = await startHost()
const { key } = host.settings

const server = createServer(async (request, response) => {
  const path = request.url ?? '/'
  if (path.startsWith('/e/') && request.method === 'GET' && !bodies.has(path)) {
    const reply = await fetch(`http://127.0.0.1:${host.port}${path}`)
    keep(path, 'text/javascript', await reply.text())
  }
  const found = bodies.get(path.split('?')[0] ?? '')
  response.writeHead(found ? 200 : 204, {
    'content-type': found?.type ?? 'text/plain',
    'access-control-allow-origin': '*',
    ...(found && { 'content-encoding': 'br' }),
  })
  response.end(found?.body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const ours = `http://127.0.0.1:${port}`

const page = (script: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><h1>Shop</h1>${'<p>Beans, roasted on Tuesdays.</p>'.repeat(30)}${script}</html>`
keep('/none', 'text/html', page(''))
keep('/earshot', 'text/html', page(`<script async crossorigin src="${ours}/e/${key}.js"></script>`))
keep('/sentry', 'text/html', page('<script async src="/sentry.js"></script>'))
const asIntegration = (name: string) =>
  `import { ${name} } from '@sentry/feedback'; (window.Sentry ??= {}).${name} = ${name}`
const peer = await bundle(`
  import { init, feedbackAsyncIntegration, SDK_VERSION } from '@sentry/browser'
  window.version = SDK_VERSION
  init({ dsn: 'http://key@localhost:${port}/1', cdnBaseUrl: '${ours}', integrations: [feedbackAsyncIntegration({})] })`)
const { SDK_VERSION } = await import('@sentry/browser')
keep('/sentry.js', 'text/javascript', peer)
const modal = await bundle(asIntegration('feedbackModalIntegration'))
const screenshot = await bundle(asIntegration('feedbackScreenshotIntegration'))
keep(`/${SDK_VERSION}/feedback-modal.min.js`, 'text/javascript', modal)
keep(`/${SDK_VERSION}/feedback-screenshot.min.js`, 'text/javascript', screenshot)

const executablePath = findChromium()
const browser = await chromium.launch({ args: measuringFlags, ...(executablePath && { executablePath }) })

async function openPage(slowNetwork: boolean): Promise<{ page: Page; session: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const opened = await context.newPage()
  const session = await context.newCDPSession(opened)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  if (slowNetwork) {
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', network)
  }
  await opened.addInitScript(() => {
    const found = { blockingMs: 0, shift: 0 }
    Object.assign(window, { found })
    const observe = (type: string, note: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
    observe('longtask', ({ duration }) => {
      found.blockingMs += Math.max(0, duration - 50)
    })
    observe('layout-shift', (entry) => {
      found.shift += (entry as PerformanceEntry & { value: number }).value
    })
  })
  return { page: opened, session }
}

async function measureLoad(path: string) {
  const { page: opened, session } = await openPage(false)
  await session.send('Performance.enable')
  let requests = 0
  opened.on('request', (request) => {
    if (request.resourceType() !== 'document' && !request.url().endsWith('favicon.ico')) requests++
  })
  await opened.goto(`http://localhost:${port}${path}`, { waitUntil: 'load' })
  await opened.waitForTimeout(1500)
  const { metrics } = await session.send('Performance.getMetrics')
  const scriptMs = (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000
  const { blockingMs, shift } = await opened.evaluate<{ blockingMs: number; shift: number }>('found')
  await opened.context().close()
  return { scriptMs, blockingMs, shift, requests }
}

/** Finds the button in any shadow root, clicks it, and waits for the text field: focused, or (Sentry's) present. */
const press = `async () => {
  const roots = [...document.querySelectorAll('*')].map((element) => element.shadowRoot).filter(Boolean)
  const find = (selector) => roots.map((root) => root.querySelector(selector)).find(Boolean)
  const button = find('button')
  const start = performance.now()
  button.click()
  for (;;) {
    const field = [...document.querySelectorAll('*')].map((element) => element.shadowRoot?.querySelector('textarea')).find(Boolean)
    if (field && field.offsetHeight && (NEEDS_FOCUS ? field.getRootNode().activeElement === field : true)) return performance.now() - start
    if (performance.now() - start > 20_000) throw new Error('no text field')
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}`

async function measureClick(path: string, prefetched: boolean): Promise<number> {
  const { page: opened } = await openPage(true)
  await opened.goto(`http://localhost:${port}${path}`, { waitUntil: 'load' })
  await opened.waitForFunction(() =>
    [...document.querySelectorAll('*')].some((e) => e.shadowRoot?.querySelector('button')),
  )
  await opened.waitForTimeout(1000)
  if (prefetched) {
    const button = opened.getByRole('button').first()
    await button.hover()
    await opened.waitForTimeout(2500)
  }
  const ms = await opened.evaluate<number>(`(${press.replace('NEEDS_FOCUS', String(path === '/earshot'))})()`)
  await opened.context().close()
  return ms
}

async function repeat<Value>(measure: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = []
  for (let round = 0; round < rounds; round++) values.push(await measure())
  return values
}

const results = new Map<string, Awaited<ReturnType<typeof measureLoad>>[]>()
for (const path of ['/none', '/earshot', '/sentry']) results.set(path, [])
// In turns, so that other load on the machine affects all.
for (let round = 0; round < rounds; round++) {
  for (const [path, list] of results) list.push(await measureLoad(path))
}
const load = (path: string, name: 'scriptMs' | 'blockingMs' | 'shift' | 'requests') =>
  median((results.get(path) ?? []).map((result) => result[name]))
const own = (path: string, name: 'scriptMs' | 'blockingMs') => Math.max(0, load(path, name) - load('/none', name))
const cold = await repeat(() => measureClick('/earshot', false))
const ready = await repeat(() => measureClick('/earshot', true))
const peerCold = await repeat(() => measureClick('/sentry', false))

const bytes = (path: string) => bodies.get(path)?.body.length ?? 0
const stages = [...bodies].filter(([path]) => /\/(panel|en-v1)\.js$/.test(path))
const row = (what: string, us: number, them: number, target: string, digits = 0) => [
  what,
  us.toFixed(digits),
  them.toFixed(digits),
  us > 0 ? `${(them / us).toFixed(1)} ×` : '–',
  target,
]
printTable(
  ['', 'Earshot', `Sentry ${SDK_VERSION}`, 'ratio', 'target'],
  [
    row('bytes before a click, Brotli', bytes(`/e/${key}.js`), bytes('/sentry.js'), '2,048'),
    row(
      'bytes of the first click',
      stages.reduce((sum, [, { body }]) => sum + body.length, 0),
      brotliCompressSync(modal).length + brotliCompressSync(screenshot).length,
      '',
    ),
    row('requests before a click', load('/earshot', 'requests'), load('/sentry', 'requests'), '1'),
    row('script at load, 4× CPU, ms', own('/earshot', 'scriptMs'), own('/sentry', 'scriptMs'), '15', 1),
    row('blocking at load, 4× CPU, ms', own('/earshot', 'blockingMs'), own('/sentry', 'blockingMs'), '0', 1),
    row('layout shift', load('/earshot', 'shift'), load('/sentry', 'shift'), '0', 3),
    row('click to text field, prefetched, ms', median(ready), median(peerCold), '100'),
    row('click to text field, cold, ms', median(cold), median(peerCold), '300'),
  ],
)
await browser.close()
await host.stop()
server.closeAllConnections()
server.close()
rmSync(built, { recursive: true, force: true })
