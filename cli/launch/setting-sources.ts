import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

type Values = Readonly<Record<string, string | undefined>>

/**
 * Tells which settings come from the file `.env`, and which the keeper of the server made (the URL of the built-in
 * database).
 *
 * @param env the environment with the file's values, as `loadEnvFile` leaves it: it replaces no variable.
 * @param made what the keeper adds.
 */
export function readSettingSources(env: Values, made: Values): Record<string, 'file' | 'generated'> {
  const file: Values = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  const fromFile = Object.keys(file).filter((name) => file[name] === env[name])
  const generated = Object.keys(made).filter((name) => made[name] !== env[name])
  return {
    ...Object.fromEntries(fromFile.map((name) => [name, 'file'] as const)),
    ...Object.fromEntries(generated.map((name) => [name, 'generated'] as const)),
  }
}
