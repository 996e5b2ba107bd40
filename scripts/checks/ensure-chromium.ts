import { existsSync } from 'node:fs'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { findChromium } from '../../e2e/chromium.ts'
import { runCommand } from './run-command.ts'

/**
 * Finds a Chromium, or installs one: Debian's package when root may do so, else Playwright's download.
 *
 * @returns path of the program
 * @throws Error saying how to provide one
 */
export async function ensureChromium(): Promise<string> {
  const found = findChromium()
  if (found) return found
  process.stdout.write('  No Chromium on this machine: installing one …\n')
  try {
    if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
      const env = { DEBIAN_FRONTEND: 'noninteractive' }
      await runCommand(['apt-get', 'update'], { env })
      await runCommand(['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'], { env })
    } else {
      await runCommand(['playwright', 'install', 'chromium'])
    }
  } catch (error) {
    process.stderr.write(`${readErrorMessage(error)}\n`)
  }
  const installed = findChromium()
  if (installed) return installed
  throw new Error('The browser tests need a Chromium or Chrome. Install one, or set CHROMIUM_PATH to the program.')
}
