const shownOf: Readonly<Record<string, readonly string[]>> = {
  req: ['id', 'method', 'url'],
  request: ['id', 'method', 'url'],
  res: ['statusCode'],
  reply: ['statusCode'],
}

/**
 * Reduces requests and replies to loggable fields. Headers and bodies are never logged. Runs before scrubbing: a copy
 * would lack a request's getters.
 */
export function narrowFields(fields: object): object {
  if (!Object.keys(shownOf).some((name) => name in fields)) return fields
  const narrowed: Record<string, unknown> = { ...fields }
  for (const [name, shown] of Object.entries(shownOf)) {
    if (name in narrowed) narrowed[name] = pick(narrowed[name], shown)
  }
  return narrowed
}

function pick(value: unknown, names: readonly string[]): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  if (typeof value !== 'object' || value === null) return shown
  for (const name of names) {
    try {
      const field = Reflect.get(value, name)
      if (typeof field === 'string' || typeof field === 'number') shown[name] = field
    } catch {
      // A field that can't be read is left out: a log must not fail for it.
    }
  }
  return shown
}
