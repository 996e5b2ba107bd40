import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { bundleStage } from '../../scripts/widget-build/bundle-stage.ts'

export interface BundlePage {
  /** The page, with a few elements on it and the module as `module` in the window. */
  readonly url: string
  /** Paths that arrived here, under whatever name of this machine. */
  readonly requested: string[]
  stop(): Promise<void>
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Bundles of this process by entry: two minifiers take a second or more. */
const bundles = new Map<string, Promise<string>>()

function bundleOnce(entry: string): Promise<string> {
  const bundle = bundles.get(entry) ?? bundleStage(root, entry, 'esm')
  bundles.set(entry, bundle)
  return bundle
}

/**
 * Serves one stage alone on a small page of its own, so that a scenario needs nothing of the rest.
 * @param entries modules by the name under which the page finds them in its window
 * @param paths further answers by path; each page gets the modules where it says `MODULES`
 */
export async function serveBundles(
  entries: Readonly<Record<string, string>>,
  paths: Readonly<Record<string, { body: string; headers?: Record<string, string> }>>,
): Promise<BundlePage> {
  const code = Object.fromEntries(
    await Promise.all(Object.entries(entries).map(async ([name, entry]) => [name, await bundleOnce(entry)] as const)),
  )
  // A name with a dash is a stage that another one loads.
  const imports = Object.keys(code)
    .filter((name) => !name.includes('-'))
    .map((name) => `import * as ${name} from '/${name}.js'; window.${name} = ${name};`)
  const script = `<script type="module" nonce="n">${imports.join(' ')}</script>`
  const requested: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    requested.push(pathname)
    const js = code[pathname.slice(1, -'.js'.length)]
    const path = paths[pathname]
    if (js !== undefined) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(js)
    if (!path) return response.writeHead(404).end()
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...path.headers })
      .end(path.body.replace('MODULES', () => script))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
