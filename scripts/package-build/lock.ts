import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** What this needs of a package-lock.json; the rest of each entry is kept as it is. */
export interface Lock {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, LockedPackage>>
}

export async function readLock(root: string): Promise<Lock> {
  // Written by npm.
  return JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock
}

/** Built into the widget, and needed by nothing else. */
const widgetPackages = new Set(['node_modules/preact'])

/**
 * The places of all packages of which the npm package has code: those of production, and those that a bundle was made of
 * besides.
 *
 * @param bundled paths of bundled files, e.g. `node_modules/preact/dist/preact.mjs`
 */
export function listShipped(lock: Lock, bundled: readonly string[]): string[] {
  const ofBundle = new Set(bundled.flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []))
  return Object.entries(lock.packages).flatMap(([path, { dev }]) =>
    path.startsWith('node_modules/') && (!dev || ofBundle.has(path) || widgetPackages.has(path)) ? [path] : [],
  )
}

/**
 * The lock file of the npm package: the packages that are installed beside it and all that these need, on every platform, at
 * the versions that were tested.
 *
 * @param described the package.json of the npm package, with its dependencies
 */
export function cutLock(lock: Lock, described: { readonly name: string; readonly version: string } & LockedPackage) {
  const places = new Set<string>()
  const add = (from: string, needed: LockedPackage) => {
    for (const name of Object.keys({ ...needed.dependencies, ...needed.optionalDependencies })) {
      const place = resolvePlace(lock, from, name)
      const found = place === undefined ? undefined : lock.packages[place]
      if (place === undefined || found === undefined) throw new Error(`${name} is not in package-lock.json.`)
      if (places.has(place)) continue
      places.add(place)
      add(place, found)
    }
  }
  add('', described)
  const packages = [...places].sort().map((place) => [place, lock.packages[place]] as const)
  const { name, version, dependencies } = described
  return {
    name,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: { '': { name, version, dependencies }, ...Object.fromEntries(packages) },
  }
}

/** Where Node finds a package that is imported at a place: there, or beside one of the folders above. */
function resolvePlace(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (place in lock.packages) return place
    if (folder === '') return undefined
  }
}
