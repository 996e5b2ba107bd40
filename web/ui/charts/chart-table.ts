/** A chart's numbers as rows: what its table shows and its CSV holds. */
export interface ChartTable {
  /** The first names the rows. */
  readonly columns: readonly string[]
  readonly rows: readonly ChartRow[]
}

export interface ChartRow {
  readonly label: string
  readonly cells: readonly (number | string | null)[]
  /** The items behind it. */
  readonly href?: string | undefined
}

/**
 * CSV after RFC 4180, with a byte order mark for spreadsheets. A text that a spreadsheet would take for a formula gets an
 * apostrophe in front: labels are pages' addresses, and visitors choose those.
 */
export function toCsv({ columns, rows }: ChartTable): string {
  const lines = [columns, ...rows.map(({ label, cells }) => [label, ...cells])]
  return `\uFEFF${lines.map((line) => line.map(toCell).join(',')).join('\r\n')}\r\n`
}

function toCell(value: number | string | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = /^\s*[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
