import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { readErrorMessage } from '../read-error.ts'
import { StartError } from './start-error.ts'

interface Link {
  readonly source: string
  readonly target: string
}

/**
 * Makes the links between PostgreSQL's libraries that the package's install script makes: an npm package can't contain
 * links, and many people forbid install scripts. Without them no program of PostgreSQL starts.
 *
 * @param folder of the package with PostgreSQL for this machine
 * @throws StartError where a link is missing and can't be made.
 */
export function linkLibraries(folder: string): void {
  for (const { source, target } of readLinks(folder)) {
    const link = join(folder, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), join(folder, source)), link)
    } catch (error) {
      // Another process was faster.
      if (existsSync(link)) continue
      throw new StartError(
        `The built-in PostgreSQL is incomplete: ${link} is missing and can’t be made (${readErrorMessage(error)}). Allow install scripts and install Earshot again.`,
      )
    }
  }
}

function readLinks(folder: string): readonly Link[] {
  const file = join(folder, 'native', 'pg-symlinks.json')
  // Windows has no such file. Written by the package's maker.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Link[]) : []
}
