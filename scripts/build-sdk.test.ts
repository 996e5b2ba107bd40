import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Host } from '#widget/scenarios/host.ts'
import { chromiumFlags, findChromium } from '../e2e/chromium.ts'

/*
 * The packages as a customer gets them: built, packed, installed from the tarballs, type-checked, bundled, rendered on
 * a server, opened in a browser. Other dependencies of the project are linked from here, so that no registry is needed.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const exec = promisify(execFile)
const node = (folder: string, ...args: string[]) => exec(process.execPath, args, { cwd: folder })

let folder: string
let host: Host
let browser: Browser
const servers: Server[] = []

async function install(project: string, packages: string[], links: string[]): Promise<string> {
  const path = join(folder, project)
  await mkdir(path, { recursive: true })
  await writeFile(join(path, 'package.json'), '{ "name": "customer", "private": true, "type": "module" }')
  const tarballs = (await readdir(folder)).filter((name) => packages.some((one) => name === `earshot-${one}-1.0.0.tgz`))
  const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps']
  await exec('npm', ['install', ...flags, ...tarballs.map((name) => join(folder, name))], { cwd: path })
  for (const link of links) {
    await mkdir(dirname(join(path, 'node_modules', link)), { recursive: true })
    await symlink(join(root, 'node_modules', link), join(path, 'node_modules', link))
  }
  return path
}

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves a project's files as a website. */
async function serve(path: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = join(path, pathname === '/' ? 'index.html' : pathname)
    const body = await readFile(file).catch(() => undefined)
    response.writeHead(body ? 200 : 404, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(body)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://localhost:${(server.address() as AddressInfo).port}/`
}

async function writeAll(path: string, files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-sdk-'))
  const widget = join(folder, 'built')
  await Promise.all([
    node(root, 'scripts/build-sdk.ts', '--out', join(folder, 'sdk')),
    // Another check covers its budgets.
    node(root, 'scripts/build-widget.ts', '--out', widget).catch(() => {}),
  ])
  await Promise.all(
    ['widget', 'react'].map((name) => exec('npm', ['pack', join(folder, 'sdk', name)], { cwd: folder })),
  )
  process.env.WIDGET_BUILD = widget
  const { startHost } = await import('#widget/scenarios/host.ts')
  host = await startHost()
  const executablePath = findChromium()
  browser = await chromium.launch({ args: chromiumFlags, ...(executablePath && { executablePath }) })
}, 120_000)

afterAll(async () => {
  for (const server of servers) server.close()
  await browser?.close()
  await host?.stop()
  await rm(folder, { recursive: true, force: true })
})

const tsconfig = JSON.stringify({
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'es2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    noEmit: true,
    types: [],
  },
  include: ['*.ts', '*.tsx'],
})

const app = (address: string) => `
import { Earshot, EarshotButton, EarshotInline, useEarshot, useEarshotEvent } from '@earshot/react'
import { useState } from 'react'

export function App() {
  const earshot = useEarshot()
  const [seen, setSeen] = useState<string[]>([])
  const [inline, setInline] = useState(false)
  const [there, setThere] = useState(true)
  useEarshotEvent('load', () => setSeen((list) => [...list, 'load']))
  useEarshotEvent('open', () => setSeen((list) => [...list, 'open']))
  useEarshotEvent('submit', ({ number }) => setSeen((list) => [...list, 'submit ' + number]))
  return (
    <main>
      <p id="seen">{seen.join(', ')}</p>
      {there && (
        <Earshot widgetKey="wk_AAAAAAAAAAAAAAAAAAAAAA" host="${address}" visitor={{ id: 'u_1', email: 'ada@example.com' }} metadata={{ plan: 'gold' }} theme="dark" />
      )}
      <EarshotButton prefill={{ message: 'From my own button' }} className="own">Write to us</EarshotButton>
      <button type="button" onClick={() => earshot.close()}>Close it</button>
      <button type="button" onClick={() => setInline(!inline)}>Inline</button>
      <button type="button" onClick={() => setThere(false)}>Remove</button>
      <section id="place">{inline && <EarshotInline className="mine" />}</section>
    </main>
  )
}
`

describe('@earshot/react', () => {
  it('works in a project with Vite and React', async () => {
    const path = await install(
      'react',
      ['widget', 'react'],
      [...['react', 'react-dom', 'vite', '@vitejs/plugin-react', '@types/react', '@types/react-dom', 'csstype']],
    )
    await writeAll(path, {
      'tsconfig.json': tsconfig,
      'app.tsx': app(`http://127.0.0.1:${host.port}`),
      'main.tsx': `
        import { StrictMode } from 'react'
        import { createRoot } from 'react-dom/client'
        import { App } from './app'
        createRoot(document.querySelector('#root') as Element).render(<StrictMode><App /></StrictMode>)`,
      'server.tsx': `
        import { renderToString } from 'react-dom/server'
        import { earshot, load } from '@earshot/widget'
        import { App } from './app'
        load({ key: 'wk_AAAAAAAAAAAAAAAAAAAAAA', host: 'https://nowhere.example' }).open()
        export const html: string = renderToString(<App />) + earshot.isOpen()`,
      'index.html':
        '<!doctype html><title>Shop</title><div id="root"></div><script type="module" src="/main.tsx"></script>',
      'vite.config.js': `import react from '@vitejs/plugin-react'\nexport default { plugins: [react()], logLevel: 'error' }`,
    })
    await node(path, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    await node(path, vite, 'build')
    await node(path, vite, 'build', '--ssr', 'server.tsx', '--outDir', 'server')

    const [bundle = ''] = (await readdir(join(path, 'server'))).filter((name) => /\.m?js$/.test(name))
    const { html } = (await import(pathToFileURL(join(path, 'server', bundle)).href)) as { html: string }
    expect(html).toContain('Write to us')
    expect(html).toMatch(/false$/)

    const page = await browser.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(await serve(join(path, 'dist')))
    const launcher = page.getByRole('button', { name: 'Feedback', exact: true })
    const panel = page.getByRole('dialog')
    await launcher.waitFor()
    await expect.poll(() => page.locator('#seen').textContent()).toMatch(/^load/)
    expect(await page.locator('script[src*=wk_]').count()).toBe(1)

    await page.getByRole('button', { name: 'Write to us' }).click()
    await expect
      .poll(() => panel.getByRole('textbox', { name: 'Your message' }).inputValue())
      .toBe('From my own button')
    await page.waitForTimeout(1100)
    await panel.getByRole('button', { name: 'Send feedback' }).click()
    await expect.poll(() => page.locator('#seen').textContent()).toContain('submit 123')
    expect(host.received[0]).toMatchObject({
      email: 'ada@example.com',
      visitor: { id: 'u_1' },
      metadata: { plan: 'gold' },
    })
    await page.getByRole('button', { name: 'Close it' }).click()
    await panel.waitFor({ state: 'detached' })

    // Strict mode mounts twice: it must end up open, and in its element.
    const message = page.getByRole('textbox', { name: 'Your message' })
    await page.getByRole('button', { name: 'Inline' }).click()
    await message.waitFor()
    expect(await page.evaluate(() => !!document.querySelector('.mine > *')?.shadowRoot)).toBe(true)
    await page.getByRole('button', { name: 'Inline' }).click()
    await message.waitFor({ state: 'detached' })
    await launcher.waitFor()

    await page.getByRole('button', { name: 'Remove' }).click()
    await launcher.waitFor({ state: 'detached' })
    expect(errors).toEqual([])
    await page.close()
  }, 90_000)
})

describe('@earshot/widget', () => {
  it('works on a page without a bundler', async () => {
    const path = await install('plain', ['widget'], [])
    await writeAll(path, {
      'tsconfig.json': tsconfig,
      // The global function is typed too, with or without the package's own.
      'globals.ts': `
        import type {} from '@earshot/widget'
        window.earshot?.('open', 'voice', { message: 'x' })
        window.earshot?.('on', 'submit', ({ number }) => number.toFixed())
        const open: boolean | undefined = window.earshot?.('isOpen')
        // @ts-expect-error there is no such mode
        window.earshot?.('open', 'telepathy')
        export { open }`,
      'index.html': `<!doctype html><title>Shop</title><p>Welcome</p>
        <script type="module">
          import { load } from './node_modules/@earshot/widget/dist/index.js'
          const options = { key: 'wk_AAAAAAAAAAAAAAAAAAAAAA', host: 'http://127.0.0.1:${host.port}/' }
          const earshot = load(options)
          load(options)
          window.seen = []
          earshot.on('load', () => seen.push('load'))
          earshot.open('text', { message: 'Asked before it was there' })
          window.api = earshot
          window.again = () => load(options)
        </script>`,
    })
    await node(path, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(await serve(path))
    const message = page.getByRole('textbox', { name: 'Your message' })
    await expect.poll(() => message.inputValue()).toBe('Asked before it was there')
    expect(await page.evaluate('[api.isOpen(), document.querySelectorAll("script[src]").length, seen]')).toEqual([
      true,
      1,
      ['load'],
    ])
    await page.evaluate('api.destroy()')
    await message.waitFor({ state: 'detached' })
    expect(await page.evaluate('[api.isOpen(), typeof window.earshot]')).toEqual([false, 'undefined'])
    await page.evaluate('again().open()')
    await message.waitFor()
    expect(errors).toEqual([])
    await page.close()
  }, 60_000)
})
