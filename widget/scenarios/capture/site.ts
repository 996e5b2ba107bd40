import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { PNG } from 'pngjs'

/*
 * The pages that are drawn, and the capture stage bundled for them, in one small server. Pages are asked for as
 * `localhost`; as 127.0.0.1 the same server is another origin, which allows to be read beneath /cors/ only.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = new URL('./', import.meta.url)
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Something like a photograph: hills under a sky, with grain. */
function makePhoto(): Buffer {
  const png = new PNG({ width: 320, height: 200 })
  let seed = 7
  for (let y = 0; y < png.height; y++) {
    for (let x = 0; x < png.width; x++) {
      seed = (seed * 1103515245 + 12345) % 2147483648
      const grain = (seed >> 16) % 16
      const hill = y > 120 + 30 * Math.sin(x / 40) + 12 * Math.cos(x / 17)
      const color = hill ? [60 + y / 3, 120 + x / 8, 60] : [120 + y / 2, 170 + y / 4, 235]
      png.data.set([...color.map((value) => value + grain), 255], (y * png.width + x) * 4)
    }
  }
  return PNG.sync.write(png)
}

const made: Record<string, string | Buffer> = {
  '/photo.png': makePhoto(),
  '/vector.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80" viewBox="0 0 80 80"><circle cx="40" cy="40" r="36" fill="#fb8c00"/><path d="M20 44 36 58 60 24" fill="none" stroke="#fff" stroke-width="8"/></svg>',
  '/sprite.svg':
    '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="star" viewBox="0 0 24 24"><path d="m12 2 3 7h7l-6 5 3 8-7-5-7 5 3-8-6-5h7z"/></symbol></svg>',
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2022', 'chrome100', 'firefox101', 'safari15.4'],
    logLevel: 'warning',
  })
  return outputFiles[0]?.text ?? ''
}

export interface Site {
  /** Address of a page of the corpus, by its file's name. */
  pageUrl(name: string): string
  /** Origin of the same server by its other name. */
  readonly otherOrigin: string
  /** Headers of pages, by the page's path. */
  readonly headers: Record<string, Record<string, string>>
  /** Pages of a single test, by path. */
  readonly pages: Record<string, string>
  /** Paths asked for. */
  readonly requested: string[]
  stop(): Promise<void>
}

/** Starts on a free port. */
export async function startSite(): Promise<Site> {
  const bundled: Record<string, Promise<string>> = {}
  const readPath = async (path: string): Promise<string | Buffer> => {
    if (path === '/t/html2canvas.js') return readFile(`${root}node_modules/html2canvas-pro/dist/html2canvas-pro.esm.js`)
    if (path.startsWith('/t/')) {
      const name = basename(path, '.js')
      const entries: Record<string, string> = {
        trial: 'widget/scenarios/capture/trial.ts',
        'snapdom-alone': 'node_modules/@zumer/snapdom/dist/snapdom.mjs',
      }
      bundled[name] ??= bundle(entries[name] ?? `widget/capture/${name}.ts`)
      return bundled[name]
    }
    if (path === '/inter.woff2') {
      return readFile(`${root}node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2`)
    }
    return made[path] ?? site.pages[path] ?? readFile(new URL(`.${path}`, folder))
  }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    site.requested.push(pathname)
    const path = pathname.replace(/^\/(cors|no-cors)/, '')
    try {
      let body = await readPath(path)
      if (extname(path) === '.html') body = `${body}`.replaceAll('{other}', site.otherOrigin)
      response.writeHead(200, {
        'content-type': types[extname(path)] ?? 'text/plain',
        ...(pathname.startsWith('/cors/') ? { 'access-control-allow-origin': '*' } : {}),
        'cache-control': extname(path) === '.html' ? 'no-store' : 'max-age=600',
        ...site.headers[path],
      })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const site: Site = {
    pageUrl: (name) => `http://localhost:${port}/pages/${name}.html`,
    otherOrigin: `http://127.0.0.1:${port}`,
    headers: {},
    pages: {},
    requested: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return site
}
