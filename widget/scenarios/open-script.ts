import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { build } from 'esbuild'
import type { Host } from './host.ts'

/** Bundles of this process by path. */
const bundles = new Map<string, Promise<string>>()

async function bundleScript(path: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

/** Opens `page.html` (or another page) of a scenario's folder with one of its scripts, bundled, as `script.js`. */
export async function openScript(page: Page, host: Host, folder: string, name: string, html = ''): Promise<void> {
  const path = fileURLToPath(new URL(`${folder}/${name}.ts`, import.meta.url))
  const bundle = bundles.get(path) ?? bundleScript(path)
  bundles.set(path, bundle)
  const body = await bundle
  await page.route('**/script.js', (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await page.goto(`${host.pageUrl(folder)}${html}`)
}
