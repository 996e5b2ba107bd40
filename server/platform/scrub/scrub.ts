import { scrubText } from './scrub-text.ts'
import { isSecretName } from './secret-names.ts'

const deepest = 16
const mostNodes = 20_000

interface Walk {
  nodes: number
  /** The objects between the root and here, to notice cycles. */
  readonly path: Set<object>
}

/**
 * A copy of any value that is safe to log: plain objects, arrays and strings, with the values of secretly named fields
 * replaced and every string (names of fields too) scrubbed as by {@link scrubText}. Errors become
 * `{type, message, stack, …}`, maps objects, sets arrays, bytes only their length.
 *
 * Never throws, even with throwing getters and proxies, and never changes its input. Booleans and null stay even under
 * a secret name: they show whether there is a password, not its value.
 */
export function scrub(value: unknown): unknown {
  try {
    return scrubValue(value, { nodes: 0, path: new Set() })
  } catch {
    return '[unreadable]'
  }
}

function scrubValue(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
      return scrubText(value)
    case 'number':
      return scrubNumber(value)
    case 'bigint':
    case 'symbol':
      return scrubText(String(value))
    case 'function':
      return '[function]'
    case 'object':
      return value === null ? null : scrubObject(value, walk)
    default:
      return value
  }
}

// Only a card number is recognised by its digits alone. Shorter numbers are counts, sizes, times.
function scrubNumber(value: number): number | string {
  if (!Number.isSafeInteger(value) || value < 1e12) return value
  const digits = String(value)
  const scrubbed = scrubText(digits)
  return scrubbed === digits ? value : scrubbed
}

function scrubObject(value: object, walk: Walk): unknown {
  if (walk.path.has(value)) return '[circular]'
  if (walk.path.size >= deepest) return '[too deep]'
  if (++walk.nodes > mostNodes) return '[too much]'
  walk.path.add(value)
  try {
    return copyObject(value, walk)
  } catch {
    return '[unreadable]'
  } finally {
    walk.path.delete(value)
  }
}

function copyObject(value: object, walk: Walk): unknown {
  if (Array.isArray(value)) return copyItems(value, walk)
  if (value instanceof Error) return copyError(value, walk)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof URL || value instanceof RegExp) return scrubText(String(value))
  if (value instanceof Map) return copyEntries(value.entries(), walk)
  if (value instanceof Set) return copyItems([...value], walk)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[binary, ${value.byteLength} bytes]`
  if (value instanceof String || value instanceof Number || value instanceof Boolean) {
    return scrubValue(value.valueOf(), walk)
  }
  if (typeof Headers !== 'undefined' && value instanceof Headers) return copyEntries(value.entries(), walk)
  if (value instanceof URLSearchParams) return copyEntries(value.entries(), walk)
  if (isSerialisedBuffer(value)) return `[binary, ${value.data.length} bytes]`
  return copyEntries(readEntries(value), walk)
}

function copyItems(items: readonly unknown[], walk: Walk): unknown[] {
  const copy: unknown[] = []
  for (let index = 0; index < items.length; index++) {
    if (++walk.nodes > mostNodes) {
      copy.push('[too much]')
      break
    }
    copy.push(scrubValue(readField(items, index), walk))
  }
  return copy
}

function copyEntries(entries: Iterable<readonly [unknown, unknown]>, walk: Walk): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, field] of entries) {
    if (++walk.nodes > mostNodes) {
      setField(copy, '[too much]', true)
      break
    }
    const name = typeof key === 'string' ? key : nameOf(key)
    const shown = scrubText(name)
    const isSecret = isSecretName(name) || (shown !== name && isSecretName(shown))
    setField(copy, shown, isSecret ? redactNamed(field) : scrubValue(field, walk))
  }
  return copy
}

function nameOf(key: unknown): string {
  return typeof key === 'object' || typeof key === 'function' ? '[object]' : String(key)
}

function redactNamed(field: unknown): unknown {
  return field === null || field === undefined || typeof field === 'boolean' ? field : '[redacted]'
}

// Defined, not assigned: a field called __proto__ is data here, not a prototype.
function setField(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
  } else target[name] = value
}

function* readEntries(value: object): Generator<readonly [string, unknown]> {
  for (const key of Object.keys(value)) yield [key, readField(value, key)]
}

function readField(value: object, key: string | number): unknown {
  try {
    return Reflect.get(value, key)
  } catch {
    return '[unreadable]'
  }
}

function copyError(error: Error, walk: Walk): Record<string, unknown> {
  const type = readField(error, 'name')
  const entries: (readonly [string, unknown])[] = [
    ['type', typeof type === 'string' ? type : 'Error'],
    ['message', readField(error, 'message')],
    ['stack', readField(error, 'stack')],
  ]
  for (const [key, field] of readEntries(error)) {
    if (key !== 'name' && key !== 'message' && key !== 'stack') entries.push([key, field])
  }
  for (const key of ['cause', 'errors']) {
    if (!Object.hasOwn(error, key) || Object.prototype.propertyIsEnumerable.call(error, key)) continue
    entries.push([key, readField(error, key)])
  }
  return copyEntries(entries, walk)
}

function isSerialisedBuffer(value: object): value is { type: 'Buffer'; data: unknown[] } {
  return readField(value, 'type') === 'Buffer' && Array.isArray(readField(value, 'data'))
}
