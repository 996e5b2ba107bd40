import { existsSync, readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { parseEnv } from 'node:util'
import { type Config, loadConfig } from '#server/config.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'

/** What a command gets instead of this process's own, so that any program can run it. */
export interface CommandSurroundings {
  /** Arguments after the command's name. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
}

/** Wrong arguments. The message is one line. */
export class UsageError extends Error {}

/**
 * Runs a command and reports its failure in one line.
 *
 * @returns the exit code. 0: done; 1: not done; 2: the arguments or settings are wrong.
 */
export async function runCommand(
  surroundings: CommandSurroundings,
  help: string,
  run: (config: Config) => Promise<void>,
): Promise<number> {
  const { args, stdout, stderr } = surroundings
  if (args.includes('--help') || args.includes('-h')) {
    stdout.write(help)
    return 0
  }
  let config: Config
  try {
    // Environment variables override the file.
    const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
    config = loadConfig({ ...file, ...surroundings.env })
  } catch (error) {
    stderr.write(`earshot: ${readErrorMessage(error)}\n`)
    return 2
  }
  try {
    await run(config)
    return 0
  } catch (error) {
    stderr.write(`earshot: ${readErrorMessage(error).replace(/\s*\n\s*/g, ' ')}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}
