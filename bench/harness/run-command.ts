import { spawn } from 'node:child_process'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../../cli/earshot.ts')

interface CommandRun {
  /** Null: it was killed. */
  readonly code: number | null
  readonly output: string
  readonly ms: number
}

/** Runs a command of `earshot` with exactly these settings, and kills it after a time if one is given. */
export function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  killAfterMs?: number,
): Promise<CommandRun> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  return new Promise((resolve) =>
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output, ms: performance.now() - startedAt })
    }),
  )
}
