import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lock } from './lock.ts'

const licenseFile = /^(licen[cs]e|copying|notice)/i

/**
 * Gathers the licences of packages, as they ask for.
 *
 * @param places of the packages in the clone, as the lock file has them
 */
export async function gatherLicenses(root: string, lock: Lock, places: readonly string[]): Promise<string> {
  const parts = await Promise.all(
    places.map(async (path) => {
      const texts = await readLicenses(join(root, path))
      return texts === '' ? '' : `${path.split('node_modules/').at(-1)} ${lock.packages[path]?.version}\n\n${texts}`
    }),
  )
  return `${parts.filter(Boolean).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

async function readLicenses(folder: string): Promise<string> {
  // Packages of other platforms are in the lock file and not installed.
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => licenseFile.test(name)).sort()
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')))
  return texts.map((text) => text.trim()).join('\n\n')
}
