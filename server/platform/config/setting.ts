/*
 * The kinds of values an operator can set. An empty variable counts as unset, as in a compose file with an empty value.
 */
import { isIP } from 'node:net'

/** An environment variable: a sentence for the operator, and the parser of its text. */
export interface Setting<T> {
  readonly sentence: string
  readonly fallback: T
  /** @throws SettingError when the text is not a value of this kind. */
  read(name: string, value: string | undefined): T
}

/** A variable whose value cannot be used. The message is one line, for the operator. */
export class SettingError extends Error {
  constructor(name: string, problem: string) {
    super(`${name} ${problem}.`)
    this.name = 'SettingError'
  }
}

function setting<T>(sentence: string, fallback: T, parse: (value: string, name: string) => T): Setting<T> {
  return {
    sentence,
    fallback,
    read: (name, value) => (value === undefined || value.trim() === '' ? fallback : parse(value.trim(), name)),
  }
}

export function text(sentence: string): Setting<string | null>
export function text(sentence: string, options: { fallback: string }): Setting<string>
export function text(sentence: string, options?: { fallback: string }): Setting<string | null> {
  return setting<string | null>(sentence, options?.fallback ?? null, (value) => value)
}

export function number(sentence: string, range: { min: number; max: number }): Setting<number | null>
export function number(sentence: string, range: { fallback: number; min: number; max: number }): Setting<number>
export function number(
  sentence: string,
  range: { fallback?: number; min: number; max: number },
): Setting<number | null> {
  return setting<number | null>(sentence, range.fallback ?? null, (value, name) => {
    const parsed = Number(value)
    if (!/^\d+$/.test(value) || parsed < range.min || parsed > range.max) {
      throw new SettingError(name, `must be a whole number from ${range.min} to ${range.max}, not \`${value}\``)
    }
    return parsed
  })
}

export function flag(sentence: string, fallback: boolean | null = null): Setting<boolean | null> {
  return setting<boolean | null>(sentence, fallback, (value, name) => {
    if (/^(on|true|yes|1)$/i.test(value)) return true
    if (/^(off|false|no|0)$/i.test(value)) return false
    throw new SettingError(name, `must be \`on\` or \`off\`, not \`${value}\``)
  })
}

export function list(sentence: string): Setting<string[]> {
  return setting<string[]>(sentence, [], (value) => value.split(',').flatMap((part) => part.trim() || []))
}

export function oneOf<const Value extends string>(sentence: string, values: readonly Value[]): Setting<Value | null> {
  return setting<Value | null>(sentence, null, (value, name) => {
    const found = values.find((candidate) => candidate === value)
    if (!found) throw new SettingError(name, `must be one of ${values.join(', ')}, not \`${value}\``)
    return found
  })
}

/** An absolute address. The value itself is never repeated in the error: it may contain a password. */
export function url(sentence: string, options: { protocols?: readonly string[] } = {}): Setting<string | null> {
  const protocols = options.protocols ?? ['http:', 'https:']
  return setting<string | null>(sentence, null, (value, name) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    if (!parsed || !protocols.includes(parsed.protocol)) {
      throw new SettingError(name, `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    }
    return value
  })
}

export function cidrList(sentence: string): Setting<string[]> {
  return setting<string[]>(sentence, [], (value, name) => {
    const parts = value.split(',').flatMap((part) => part.trim() || [])
    for (const part of parts) {
      const [address = '', prefix] = part.split('/')
      const version = isIP(address)
      const longest = version === 4 ? 32 : 128
      if (version === 0 || (prefix !== undefined && !(/^\d+$/.test(prefix) && Number(prefix) <= longest))) {
        throw new SettingError(name, `must contain IP addresses or CIDR ranges, not \`${part}\``)
      }
    }
    return parts
  })
}
