import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** Builds the npm package and packs it. @returns its tarball, in this folder. */
export function pack(folder: string): string {
  execFileSync(process.execPath, [join(root, 'scripts/build-package.ts'), '--out', join(folder, 'built')])
  execFileSync('npm', ['pack', '--silent', './built'], { cwd: folder, stdio: 'ignore' })
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
}

/** As `npx` does before it runs a package for the first time. @returns the folder that it is installed in. */
export function install(tarball: string, folder: string, env: NodeJS.ProcessEnv = process.env): string {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  const flags = ['--no-audit', '--no-fund', '--cache', join(folder, 'cache')]
  execFileSync('npm', ['install', ...flags, tarball], { cwd: empty, stdio: 'ignore', env })
  return empty
}

/** The command of the package, in the folder that it is installed in. */
export const packageProgram = join('node_modules', 'earshot', 'earshot.js')
