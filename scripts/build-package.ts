/*
 * Builds the npm package `earshot` into build/package (`--out folder`: elsewhere), ready for `npm publish`: JavaScript,
 * the built web app and widget, the files that the server reads, the lock file of what is installed beside it, and a bill of
 * materials (CycloneDX). Its folders are those of this repository.
 */
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createCleanUp, fail } from '#cli/launch/clean-up.ts'
import { buildIfStale } from './build-if-stale.ts'
import { bundle, installedPackages } from './package-build/bundle.ts'
import { gatherLicenses } from './package-build/licenses.ts'
import { cutLock, type Lock, listShipped, readLock } from './package-build/lock.ts'
import { writeBom } from './package-build/sbom.ts'

const root = join(import.meta.dirname, '..')
const { values: options } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'build/package') } },
})

/** What the server and the commands read while they run. */
const readFiles = [
  ...['build/web/client', 'build/widget', 'web/fonts', 'db/migrations', 'db/functions', 'cli/demo/files'],
  ...['docs/guides', 'docs/blog', 'docs/legal', 'docs/images', '.env.example'],
  ...['README.md', 'CHANGELOG.md', 'LICENSE'],
]

try {
  await buildIfStale()
  await buildPackage(resolve(options.out))
} catch (error) {
  await fail(error, createCleanUp())
}

async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const metafile = await bundle(root, folder)
  for (const path of readFiles) await cp(join(root, path), join(folder, path), { recursive: true })
  const bin = join(folder, 'earshot.js')
  await cp(join(root, 'cli/package/earshot.js'), bin)
  await chmod(bin, 0o755)
  await writeFile(join(folder, 'package-root.js'), 'export const packageRoot = import.meta.dirname\n')
  const lock = await readLock(root)
  const described = await describePackage(lock)
  const shipped = listShipped(lock, Object.keys(metafile.inputs))
  const texts = {
    'package.json': `${JSON.stringify(described, null, 2)}\n`,
    'npm-shrinkwrap.json': `${JSON.stringify(cutLock(lock, described), null, 2)}\n`,
    'THIRD-PARTY-LICENSES': await gatherLicenses(root, lock, shipped),
    'sbom.cdx.json': await writeBom(root, lock, shipped),
  }
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text)
}

async function describePackage({ packages }: Lock) {
  // This repository's own.
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string
    readonly description: string
    readonly license: string
    readonly devDependencies: { readonly node: string }
  }
  const dependencies = installedPackages.map((name) => {
    const version = packages[`node_modules/${name}`]?.version
    if (version === undefined) throw new Error(`${name} is not in package-lock.json.`)
    return [name, version] as const
  })
  return {
    name: 'earshot',
    version: own.version,
    description: own.description,
    license: own.license,
    type: 'module',
    bin: { earshot: 'earshot.js' },
    imports: { '#package-root': './package-root.js' },
    // With an older Node, the command fetches one.
    engines: { node: '>=18' },
    earshotNode: own.devDependencies.node,
    dependencies: Object.fromEntries(dependencies),
  }
}
