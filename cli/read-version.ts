import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @returns the version of Earshot, e.g. `1.0.0`. */
export function readVersion(): string {
  // Its own package.json, which has a version.
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}
