import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'

/** A build output with its sources. */
type Target = { name: string; sources: string[]; output: string; command: string[] }

const root = join(import.meta.dirname, '..')

const targets: Target[] = [
  {
    name: 'web app',
    sources: ['web', 'contract', 'scripts/web-build', 'vite.config.ts', 'react-router.config.ts', 'package-lock.json'],
    output: 'build/web/server/index.js',
    command: ['node_modules/@react-router/dev/bin.cjs', 'build'],
  },
  {
    name: 'widget',
    sources: ['widget', 'contract', 'scripts/build-widget.ts', 'scripts/widget-build', 'package-lock.json'],
    output: 'build/widget/manifest.json',
    command: ['scripts/build-widget.ts'],
  },
]

/**
 * Builds the web app and the widget if their sources changed since the last build. Compares names, sizes and times
 * first, which takes milliseconds; contents only if those differ (a fresh checkout, a touched file).
 *
 * @throws StartError when a build fails; its output was printed
 */
export async function buildIfStale(): Promise<void> {
  for (const target of targets) {
    const files = listFiles(target.sources)
    const stampFile = join(root, 'build', `.${target.name.replace(' ', '-')}.json`)
    const stamp = readStamp(stampFile)
    const built = existsSync(join(root, target.output))
    const outside = hash(files.map(({ path, size, mtimeMs }) => `${path} ${size} ${mtimeMs}`))
    if (built && stamp?.outside === outside) continue
    const inside = hash(files.map(({ path }) => `${path} ${hash([readFileSync(join(root, path))])}`))
    if (!built || stamp?.inside !== inside) await build(target)
    mkdirSync(join(root, 'build'), { recursive: true })
    writeFileSync(stampFile, JSON.stringify({ outside, inside }))
  }
}

type SourceFile = { path: string; size: number; mtimeMs: number }

function listFiles(sources: readonly string[]): SourceFile[] {
  const files: SourceFile[] = []
  for (const source of sources) {
    const { size, mtimeMs } = statSync(join(root, source), { throwIfNoEntry: false }) ?? {}
    if (size === undefined || mtimeMs === undefined) continue
    if (!statSync(join(root, source)).isDirectory()) {
      files.push({ path: source, size, mtimeMs })
      continue
    }
    for (const entry of readdirSync(join(root, source), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || /\.(test|e2e)\.tsx?$/.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      const stat = statSync(path)
      files.push({ path: path.slice(root.length + 1), size: stat.size, mtimeMs: stat.mtimeMs })
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function hash(parts: readonly (string | Buffer)[]): string {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part).update('\n')
  return sum.digest('hex')
}

function readStamp(file: string): { outside?: string; inside?: string } | undefined {
  try {
    // Written by this file.
    return JSON.parse(readFileSync(file, 'utf8')) as { outside?: string; inside?: string }
  } catch {
    return undefined
  }
}

function build({ name, command }: Target): Promise<void> {
  process.stdout.write(`Building the ${name} …\n`)
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const output: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
    child.on('error', (error) => reject(new StartError(`Couldn’t build the ${name}: ${error.message}`)))
    child.on('close', (code, signal) => {
      if (code === 0) return resolve()
      // Ctrl-C: incomplete output would be misleading.
      if (signal !== null) return reject(new StartError(`Building the ${name} was interrupted.`))
      process.stderr.write(Buffer.concat(output))
      reject(new StartError(`Couldn’t build the ${name}; see the lines above.`))
    })
  })
}
