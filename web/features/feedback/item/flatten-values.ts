/** One line of a table of values of unknown meaning. */
export interface ValueRow {
  name: string
  value: string
}

/** Rows beyond this are counted, not shown. */
const maxRows = 100

/**
 * Nested values as rows, by name, since the database keeps no order: `{cart: {items: 2}}` → `Cart · items: 2`. Sizes
 * stand in one row. Everything is plain text.
 *
 * @returns the rows, and how many more there would be.
 */
export function flattenValues(values: Readonly<Record<string, unknown>>): { rows: ValueRow[]; moreCount: number } {
  const rows: ValueRow[] = []
  collect(values, '', rows)
  return { rows: rows.slice(0, maxRows), moreCount: Math.max(0, rows.length - maxRows) }
}

function collect(value: unknown, name: string, rows: ValueRow[]): void {
  if (typeof value !== 'object' || value === null) {
    rows.push({ name, value: formatValue(value) })
    return
  }
  const size = formatSize(value)
  if (size !== undefined) {
    rows.push({ name, value: size })
    return
  }
  const entries = Array.isArray(value) ? Object.entries(value) : sortEntries(Object.entries(value))
  if (entries.length === 0 && name !== '') rows.push({ name, value: '—' })
  if (Array.isArray(value) && entries.length > 0 && value.every((each) => typeof each !== 'object' || each === null)) {
    rows.push({ name, value: value.map(formatValue).join(', ') })
    return
  }
  for (const [key, inner] of entries) collect(inner, joinName(name, key), rows)
}

function sortEntries(entries: [string, unknown][]): [string, unknown][] {
  return entries.sort((a, b) => a[0].localeCompare(b[0], 'en', { numeric: true }))
}

function formatValue(value: unknown): string {
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (value === null || value === undefined || value === '') return '—'
  return String(value)
}

/** `{width, height}` and perhaps a pixel ratio: `1280 × 720 @2x`; undefined: something else. */
export function formatSize(value: object): string | undefined {
  // Narrowed to an object; each value is unknown.
  const { width, height, pixelRatio, ...rest } = value as Record<string, unknown>
  if (typeof width !== 'number' || typeof height !== 'number' || Object.keys(rest).length > 0) return undefined
  if (pixelRatio !== undefined && typeof pixelRatio !== 'number') return undefined
  const ratio = pixelRatio === undefined || pixelRatio === 1 ? '' : ` @${Math.round(pixelRatio * 100) / 100}x`
  return `${width} × ${height}${ratio}`
}

function joinName(parent: string, key: string): string {
  const words = key
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])(?![A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`)
  if (parent !== '') return `${parent} · ${words}`
  return words.charAt(0).toLocaleUpperCase() + words.slice(1)
}
