/*
 * The settings as superadmins see them. Made once at start, so that values of secrets are not kept beside the
 * configuration.
 */
import type { ShownSetting } from '#contract/superadmin-settings.ts'
import type { Setting } from './platform/config/setting.ts'
import { isSecretName } from './platform/scrub/secret-names.ts'
import { settings } from './settings.ts'

/** Sources of values that the environment does not explain: names that a file or Earshot itself gave. */
export type SettingSources = Readonly<Record<string, 'file' | 'generated'>>

/** Earshot makes these at the first start unless they are set. */
const generatedUnlessSet = new Set(['INSTANCE_SECRET', 'GOTRUE_JWT_KEYS'])

/**
 * @param computed values of settings without one that follow from other settings, by name.
 * @throws SettingError when a value can't be used.
 */
export function describeSettings(
  env: Readonly<Record<string, string | undefined>>,
  sources: SettingSources = {},
  computed: Readonly<Record<string, unknown>> = {},
): ShownSetting[] {
  return Object.entries(settings).map(([name, setting]) =>
    describeSetting(name, setting, env[name], sources[name], computed[name]),
  )
}

function describeSetting(
  name: string,
  setting: Setting<unknown>,
  given: string | undefined,
  source: SettingSources[string] | undefined,
  computed: unknown = null,
): ShownSetting {
  const value = setting.read(name, given) ?? computed
  const isGiven = given !== undefined && given.trim() !== ''
  const isGenerated = !isGiven && generatedUnlessSet.has(name)
  // Numbers and switches whose name contains such a word (GOTRUE_PASSWORD_MIN_LENGTH) are no secrets.
  const isSecret = isSecretName(name) && typeof value !== 'number' && typeof value !== 'boolean'
  const shown = toText(value)
  return {
    name,
    sentence: setting.sentence,
    value: isSecret ? null : shown,
    isSecret,
    isSet: shown !== null || isGenerated,
    source: isGiven ? (source ?? 'environment') : isGenerated ? 'generated' : 'default',
  }
}

function toText(value: unknown): string | null {
  if (value === null || value === '') return null
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(withoutUrlSecrets).join(', ')
  return withoutUrlSecrets(String(value))
}

/** A URL of any protocol without user, password, parameters and fragment: each may be a secret. */
function withoutUrlSecrets(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  // By hand: globs of redirects are no URLs. Up to the last `@`, because a password may contain `@`, `/` or `?`.
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/).*@/is, '$1').replace(/[?#].*$/s, '')
}
