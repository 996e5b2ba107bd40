const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const part = String.raw`(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)`
const durationPattern = new RegExp(`^([+-]?)((?:${part})+|0)$`)
// 2^63 nanoseconds, some 292 years.
const maxMs = 2 ** 63 / 1e6

/**
 * Reads a duration as Go writes it, such as `24h` or `1h30m`, the format of this protocol's clients.
 *
 * @returns milliseconds; undefined for an invalid or too long duration.
 */
export function parseGoDuration(text: string): number | undefined {
  const [, sign, parts = ''] = durationPattern.exec(text.slice(0, 100)) ?? []
  if (sign === undefined || text.length > 100) return undefined
  let ms = 0
  for (const [, amount, unit = ''] of parts.matchAll(/([\d.]+)([a-zµμ]+)/g)) ms += Number(amount) * (unitsMs[unit] ?? 0)
  if (!(ms <= maxMs)) return undefined
  return sign === '-' ? -ms : ms
}
