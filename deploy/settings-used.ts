import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '#server/config.ts'
import { settings } from '#server/settings.ts'

const folder = import.meta.dirname

export function readDeployFile(path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

/** The names that are no settings: Earshot would ignore them. */
export function findUnknownSettings(names: readonly string[]): string[] {
  return names.filter((name) => !(name in settings))
}

/**
 * Reads settings as the server does.
 *
 * @param values with their placeholders, such as `${SMTP_URL:-}`, of which the default counts.
 * @throws SettingError where one can't be read.
 */
export function readAsServer(values: Readonly<Record<string, unknown>>): ReturnType<typeof loadConfig> {
  const text = Object.entries(values).map(([name, value]) => [name, fillPlaceholders(String(value))] as const)
  return loadConfig({ NODE_ENV: 'production', ...Object.fromEntries(text) })
}

/** `${NAME:-default}` becomes its default, and a required `${NAME:?}` a text. */
function fillPlaceholders(value: string): string {
  return value
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replace(/^\$\{SMTP_URL:\?\}$/, 'smtp://mail.example.com')
    .replace(/^\$\{SERVICE_URL_\w+\}$/, 'https://earshot.example.com')
    .replaceAll(/\$\{\w+:\?\}/g, 'a-secret-of-more-than-thirty-two-characters')
}
