import { type Config, loadConfig } from '#server/config.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { readEnvironment } from '../launch/read-environment.ts'

/** Wrong options. The message is one line. */
export class UsageError extends Error {}

/**
 * Runs a command and reports its failure in one line. Sets the exit code. 1: not done; 2: the options or settings are
 * wrong.
 */
export async function runWithConfig(work: (config: Config) => Promise<void>): Promise<void> {
  let config: Config
  try {
    const { env, defaults } = readEnvironment()
    config = loadConfig({ ...defaults, ...env })
  } catch (error) {
    refuse(error, 2)
    return
  }
  try {
    await work(config)
  } catch (error) {
    refuse(error, error instanceof UsageError ? 2 : 1)
  }
}

function refuse(error: unknown, exitCode: number): void {
  process.stderr.write(`earshot: ${readErrorMessage(error).replace(/\s*\n\s*/g, ' ')}\n`)
  process.exitCode = exitCode
}
