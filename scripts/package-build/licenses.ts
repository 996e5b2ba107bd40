import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const licenseFile = /^(licen[cs]e|copying|notice)/i

/** What this needs of a package-lock.json. */
interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly version?: string }>>
}

/**
 * Gathers the licences of everything that is bundled, as they ask for: of all packages of production, and of those that
 * a bundle was made of besides.
 *
 * @param bundled paths of bundled files, e.g. `node_modules/preact/dist/preact.mjs`
 */
export async function gatherLicenses(root: string, bundled: readonly string[]): Promise<string> {
  // Written by npm.
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock
  const ofBundle = new Set(bundled.flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []))
  const folders = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path.startsWith('node_modules/') && (!dev || ofBundle.has(path) || widgetPackages.has(path)),
  )
  const parts = await Promise.all(
    folders.map(async ([path, { version }]) => {
      const texts = await readLicenses(join(root, path))
      return texts === '' ? '' : `${path.split('node_modules/').at(-1)} ${version}\n\n${texts}`
    }),
  )
  return `${parts.filter(Boolean).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** Built into the widget, and needed by nothing else. */
const widgetPackages = new Set(['node_modules/preact'])

async function readLicenses(folder: string): Promise<string> {
  // Packages of other platforms are in the lock file and not installed.
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => licenseFile.test(name)).sort()
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')))
  return texts.map((text) => text.trim()).join('\n\n')
}
