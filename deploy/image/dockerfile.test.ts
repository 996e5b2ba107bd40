import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { findUnknownSettings, readAsServer } from '../settings-used.ts'
import { listContext } from './build-context.ts'
import { dockerfile, readStages, root } from './read-dockerfile.ts'

/*
 * What can be said of the Dockerfile without building it. `npm run bench -- image` runs its steps, as these functions read them, and
 * the product in the result.
 */
const stages = readStages()
const target = stages.at(-1)
if (target === undefined) throw new Error('The Dockerfile has no stage.')
// This repository's own.
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
  license: string
  devDependencies: { node: string }
}

describe('the Dockerfile', () => {
  it('has the Node that the tests run on, on the Debian that the image has', () => {
    expect(own.devDependencies.node).toBe(process.versions.node)
    const images = stages.map(({ base }) => base).filter((base) => !stages.some(({ name }) => name === base))
    expect(new Set(images)).toEqual(new Set([`node:${own.devDependencies.node}-bookworm-slim`, 'debian:bookworm-slim']))
  })

  it('copies only what exists, and is sent no secret, data or test', () => {
    const files = listContext()
    const fromSources = stages.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === 'copy' && step.from === undefined ? step.paths : [])),
    )
    expect(fromSources).toEqual(['package.json', 'package-lock.json', '.'])
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'package-lock.json', 'cli/earshot.ts', '.env.example']),
    )
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
    const unwanted = /^(\.env$|\.git|node_modules|data\/|build\/|e2e\/|bench\/)|\.(test|e2e)\.tsx?$/
    expect(files.filter((file) => unwanted.test(file))).toEqual([])
  })

  it('has all that the package is built from', () => {
    const script = readFileSync(join(root, 'scripts/build-package.ts'), 'utf8')
    const read = script.match(/const readFiles = \[(.*?)\n\]/s)?.[1]?.matchAll(/'([^']+)'/g) ?? []
    const sources = [...read].flatMap(([, path = '']) => (path.startsWith('build/') ? [] : [path]))
    expect(sources.length).toBeGreaterThan(5)
    const files = listContext()
    expect(sources.filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)))).toEqual([])
  })

  it('copies between stages only what an earlier stage has', () => {
    const names = stages.map(({ name }) => name)
    for (const [index, { name, steps }] of stages.entries()) {
      const froms = steps.flatMap((step) => (step.kind === 'copy' && step.from !== undefined ? [step.from] : []))
      expect(
        froms.filter((from) => !names.slice(0, index).includes(from)),
        name,
      ).toEqual([])
    }
  })

  it('runs as a numbered user who is not root, and first of all tini', () => {
    expect(target.user).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/)
    expect(target.entrypoint[0]).toBe('tini')
    expect(target.stopSignal).toBe('SIGTERM')
    expect([...target.entrypoint, ...target.command].slice(2)).toEqual(['earshot', 'start'])
  })

  it('has only settings that exist, and listens on the port that it exposes', () => {
    expect(findUnknownSettings(Object.keys(target.env))).toEqual([])
    const { port, host, dataDir, production } = readAsServer(target.env)
    expect({ ports: [port], host, dataDir, production }).toEqual({
      ...{ ports: target.ports, host: '0.0.0.0', dataDir: '/data', production: true },
    })
  })

  it('has labels with the version and the licence of the package', () => {
    expect(target.labels['org.opencontainers.image.version']).toBe(own.version)
    expect(target.labels['org.opencontainers.image.licenses']).toBe(own.license)
  })

  it('has no instruction that a hosting platform refuses, and leaves no lists of packages in layers', () => {
    const text = readFileSync(dockerfile, 'utf8').replaceAll(/^#.*$/gm, '')
    expect(text).not.toMatch(/--mount|^VOLUME|^# syntax/m)
    const runs = stages.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'run' ? [step.command] : [])))
    for (const command of runs.filter((each) => each.includes('apt-get install'))) {
      expect(command).toMatch(/apt-get install --yes --no-install-recommends .*rm -rf \/var\/lib\/apt\/lists/)
    }
  })

  it('adds ffmpeg where it is asked to', () => {
    const base = readStages({ VARIANT: 'ffmpeg' }).at(-1)?.base
    const steps = stages.find(({ name }) => name === base)?.steps ?? []
    expect(steps.map((step) => (step.kind === 'run' ? step.command : ''))).toEqual([expect.stringMatching(/ ffmpeg /)])
  })

  it.each(['x64', 'arm64'])('finds the compiled packages of its platform in the lock file: %s', (architecture) => {
    // Written by npm.
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string>; peer?: boolean }>
    }
    const wanted = new RegExp(`linux-${architecture}(-gnu)?$`)
    const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          wanted.test(name) && !(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages),
      ),
    )
    expect(missing).toEqual([])
  })
})

describe('the health check of the image', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server?.stop())

  /** @returns its exit code. */
  function check(port: string): Promise<number> {
    const [, ...args] = target?.healthcheck ?? []
    return new Promise((resolve) => {
      execFile(process.execPath, args, { env: { PORT: port } }, (error) => resolve(Number(error?.code ?? 0)))
    })
  }

  it('succeeds while the server answers and fails when nothing does', async () => {
    expect(target.healthcheck?.slice(0, 2)).toEqual(['node', '-e'])
    expect(await check(new URL(server.url).port)).toBe(0)
    expect(await check('1')).toBe(1)
  })
})
