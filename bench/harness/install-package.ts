import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

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

/** Starts the package as `npx` does. Resolves at the first 200 of /ready. @throws Error when it ends before. */
export async function startPackage(cwd: string, url: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [packageProgram], { cwd, stdio: ['ignore', 'ignore', 'inherit'], env })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (;;) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode} before it was ready.`)
    const reply = await fetch(`${url}/ready`).catch(() => undefined)
    if (reply?.status === 200) break
    await pause(5)
  }
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGINT')
      await ended
    },
  }
}
