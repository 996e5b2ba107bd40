import { scrub } from '../scrub/scrub.ts'

/**
 * What is shown of a request, a reply and an error, whoever logs them. `scrub` has run before these on every field, so a
 * request arrives as a copy of its own fields; only the harmless ones are kept. Bodies and headers never are.
 */
export const serializers = {
  req: (value: unknown) => pick(value, ['id', 'method', 'url']),
  request: (value: unknown) => pick(value, ['id', 'method', 'url']),
  res: (value: unknown) => pick(value, ['statusCode']),
  reply: (value: unknown) => pick(value, ['statusCode']),
  err: scrub,
  error: scrub,
}

function pick(value: unknown, names: readonly string[]): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  if (typeof value !== 'object' || value === null) return shown
  for (const name of names) {
    const field = (value as Record<string, unknown>)[name]
    if (typeof field === 'string' || typeof field === 'number') shown[name] = field
  }
  return shown
}
