/*
 * CSV as RFC 4180 has it: cells that need it in quotes, quotes doubled, CRLF after each row. In UTF-8 with a byte order
 * mark, without which Excel reads another encoding.
 */

// What spreadsheets take for a formula, also in full width, and also after what some of them skip.
const formula = /^[\s'"\u00a0\u200b\ufeff]*[=+\-@\t\r＝＋－＠]/u

/**
 * Text that no spreadsheet runs: what begins like a formula (`=`, `+`, `-`, `@`, tab, carriage return) gets an
 * apostrophe in front (OWASP, CSV injection). {@link restoreText} takes it away again.
 */
function neutraliseText(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** Takes away the apostrophe that {@link neutraliseText}, or somebody with the same habit, put in front. */
export function restoreText(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text
}

export type CsvCell = string | number | boolean | null

export const csvMark = '\ufeff'

/** A row with its line break. */
export function toCsvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(toCsvCell).join(',')}\r\n`
}

function toCsvCell(cell: CsvCell): string {
  if (cell === null) return ''
  // A number is no formula, even when it begins with a minus.
  if (typeof cell !== 'string') return String(cell)
  const text = neutraliseText(cell)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
