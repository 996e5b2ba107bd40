const shownOf: Readonly<Record<string, readonly string[]>> = {
  req: ['id', 'method', 'url'],
  request: ['id', 'method', 'url'],
  res: ['statusCode'],
  reply: ['statusCode'],
}

/**
 * Cuts requests and replies down to what may be shown of them. Headers and bodies never are. Runs before scrubbing:
 * a copy would lack what a request only computes when asked.
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
      const field = (value as Record<string, unknown>)[name]
      if (typeof field === 'string' || typeof field === 'number') shown[name] = field
    } catch {
      // A field that can't be read is left out: a log must not fail for it.
    }
  }
  return shown
}
