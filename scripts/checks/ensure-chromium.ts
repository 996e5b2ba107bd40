import { existsSync } from 'node:fs'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { findChromium, findHeadlessShell } from '../../e2e/chromium.ts'
import { runCommand } from './run-command.ts'

/**
 * Finds a Chromium, or installs one: Debian's package when root may do so, else Playwright's download. With Debian's
 * comes the one without windows, which most browser tests take where it is there.
 *
 * @returns path of the program
 * @throws Error saying how to provide one
 */
export async function ensureChromium(): Promise<string> {
  const isDebian = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
  const found = findChromium()
  if (found && (findHeadlessShell() || !isDebian)) return found
  process.stdout.write('  A Chromium for the browser tests is missing on this machine: installing it …\n')
  try {
    if (isDebian) {
      const env = { DEBIAN_FRONTEND: 'noninteractive' }
      await runCommand(['apt-get', 'update'], { env })
      const packages = ['chromium-headless-shell', ...(found ? [] : ['chromium'])]
      await runCommand(['apt-get', 'install', '-y', '--no-install-recommends', ...packages], { env })
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
