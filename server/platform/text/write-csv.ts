import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'

/** A value of a table. */
export type Cell = string | number | boolean | Date | null

// What spreadsheets take for a formula, also in full width, and also after what some of them skip.
const formula = /^[\s'"\u00a0\u200b\ufeff]*[=+\-@\t\r＝＋－＠]/u

/**
 * Text that no spreadsheet runs: what begins like a formula (`=`, `+`, `-`, `@`, tab, carriage return) gets an
 * apostrophe in front (OWASP, CSV injection). {@link restoreText} takes it away again.
 */
function neutraliseText(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** Takes away the apostrophe that {@link neutraliseText}, or another program with the same habit, put in front. */
export function restoreText(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text
}

/**
 * Rows as CSV (RFC 4180), in UTF-8 with a byte order mark, without which Excel reads another encoding. Every text is
 * neutralised; a number is no formula, even when it begins with a minus. Spaces at the ends of a cell are quoted, because
 * some readers cut off bare ones.
 */
export function writeCsv(rows: AsyncIterable<readonly Cell[]>): AsyncIterable<string> {
  const text = stringify({
    bom: true,
    record_delimiter: 'windows',
    quoted_match: /^\s|\s$/,
    cast: {
      string: neutraliseText,
      number: String,
      boolean: String,
      date: (date) => date.toISOString(),
    },
  })
  // An error of the rows ends the text as well, so its reader gets the error.
  pipeline(Readable.from(rows), text, () => {})
  return text.setEncoding('utf8')
}
