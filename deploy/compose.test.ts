import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { dockerfile, readStages } from './image/read-dockerfile.ts'
import { findUnknownSettings, readAsServer, readDeployFile } from './settings-used.ts'

interface Service {
  readonly image?: string
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly args?: Record<string, string> }
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: object
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, object>>
}

// dclint brings the schema of the Compose Specification.
const schemaFile = join(
  dirname(createRequire(import.meta.url).resolve('dclint/package.json')),
  'schemas/compose.schema.json',
)
const { $schema: _, ...schema } = JSON.parse(readFileSync(schemaFile, 'utf8')) as { $schema: string }
const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
addFormats.default(ajv)
const fits = ajv.compile(schema)

const files = ['compose.yaml', 'compose.full.yaml', 'coolify/compose.yaml']
/** Services of Earshot, by the file. */
const ours: Readonly<Record<string, readonly string[]>> = {
  'compose.yaml': ['earshot'],
  'compose.full.yaml': ['web', 'worker'],
  'coolify/compose.yaml': ['earshot'],
}
// A YAML document that the schema below checks.
const read = (file: string) => parse(readDeployFile(file), { merge: true }) as Compose
const image = readStages().at(-1)

describe.each(files)('%s', (file) => {
  const { services, volumes } = read(file)
  const own = Object.entries(services).filter(([name]) => ours[file]?.includes(name))

  it('fits the schema of the Compose Specification', () => {
    fits(read(file))
    expect(fits.errors ?? []).toEqual([])
    fits({ services: { earshot: { imagee: 'x' } } })
    expect(fits.errors).not.toBeNull()
  })

  it('sets only settings that exist, to values that the server reads', () => {
    for (const [name, { environment = {} }] of own) {
      expect(findUnknownSettings(Object.keys(environment)), name).toEqual([])
      expect(() => readAsServer({ ...image?.env, ...environment }), name).not.toThrow()
    }
  })

  it('builds from the Dockerfile, and names its port', () => {
    for (const [, { build, ports = [] }] of own) {
      if (build !== undefined)
        expect(join(import.meta.dirname, dirname(file), build.context, build.dockerfile)).toBe(dockerfile)
      for (const each of ports) expect(each).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+:${image?.ports[0]}$`))
    }
  })

  it('has a root file system that is read-only, and a place for /data and /tmp', () => {
    for (const [name, { read_only, volumes: mounts = [], tmpfs = [] }] of own) {
      const places = [...mounts.map((each) => each.split(':').at(-1)), ...tmpfs.map((each) => each.split(':')[0])]
      expect([name, read_only, places.sort()]).toEqual([name, true, ['/data', '/tmp']])
    }
  })

  it('declares the volumes and services that it uses', () => {
    const named = Object.values(services).flatMap(({ volumes: mounts = [] }) =>
      mounts.flatMap((each) => (/^[a-z]/.test(each) ? [each.split(':')[0] ?? ''] : [])),
    )
    expect([...new Set(named)].sort()).toEqual(Object.keys(volumes).sort())
    const needed = Object.values(services).flatMap(({ depends_on = {} }) => Object.keys(depends_on))
    expect(needed.filter((name) => !(name in services))).toEqual([])
  })
})

describe('compose.full.yaml', () => {
  it('gives web and worker the same database, bucket and secrets', () => {
    const { web, worker } = read('compose.full.yaml').services
    const { SERVICES: ofWeb, ...webSettings } = web?.environment ?? {}
    const { SERVICES: ofWorker, ...workerSettings } = worker?.environment ?? {}
    expect([ofWeb, ofWorker]).toEqual(['web', 'worker'])
    expect(workerSettings).toEqual(webSettings)
    const { s3, databaseUrl } = readAsServer(webSettings)
    expect(s3).not.toBeNull()
    expect(databaseUrl).toContain('@postgres:5432/earshot')
  })

  it('leaves out the health check of the image where no HTTP is served', () => {
    expect(read('compose.full.yaml').services.worker?.healthcheck).toEqual({ disable: true })
  })
})
