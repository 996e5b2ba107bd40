import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { ZipFile } from 'yazl'
import type { Cell } from '#server/platform/text/write-csv.ts'

/*
 * A workbook as ECMA-376 has it (SpreadsheetML in a ZIP), written a row at a time. Text is always a text cell
 * (`inlineStr`), so that nothing a visitor wrote is ever a formula; numbers are numbers, and times are times in UTC.
 */

/** Longest text of a cell, in UTF-16 units; the limit is Excel's. */
const maxCellLength = 32_767
const cutMark = ' … [cut: a cell holds 32,767 characters]'

// Excel's limit is 1,048,576; a round number is easier to talk about.
const rowsPerSheet = 1_000_000

export interface SheetColumn {
  readonly name: string
  readonly width: number
}

/** Writes a workbook into an archive: as many sheets as the rows need, each with the columns' names on top. */
export async function addWorkbook(
  zip: ZipFile,
  columns: readonly SheetColumn[],
  rows: AsyncIterable<readonly Cell[]>,
): Promise<void> {
  const source = rows[Symbol.asyncIterator]()
  let next = await source.next()
  let sheets = 0
  do {
    sheets += 1
    const sheet = Readable.from(
      writeSheet(columns, async function* () {
        for (let row = 0; row < rowsPerSheet - 1 && !next.done; row += 1) {
          yield next.value
          next = await source.next()
        }
      }),
      { objectMode: false },
    )
    zip.addReadStream(sheet, `xl/worksheets/sheet${sheets}.xml`, options)
    await once(sheet, 'end')
  } while (!next.done)
  for (const [name, text] of Object.entries(describeWorkbook(sheets))) {
    zip.addBuffer(Buffer.from(xmlHead + text), name, options)
  }
}

const options = { compress: true, compressionLevel: 6, mtime: new Date(0) }
const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageOf = 'http://schemas.openxmlformats.org/package/2006'
const typeOf = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const chunkLength = 64 * 1024

async function* writeSheet(
  columns: readonly SheetColumn[],
  rows: () => AsyncIterable<readonly Cell[]>,
): AsyncGenerator<Buffer> {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  const letters = columns.map((_, at) => toLetters(at))
  let number = 1
  let text =
    `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData><row r="1">${columns.map(({ name }, at) => toTextCell(name, letters[at] ?? '', 1, 1)).join('')}</row>`
  for await (const row of rows()) {
    number += 1
    text += `<row r="${number}">${row.map((cell, at) => toCell(cell, letters[at] ?? '', number)).join('')}</row>`
    if (text.length < chunkLength) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(`${text}</sheetData></worksheet>`)
}

function toCell(cell: Cell, letter: string, row: number): string {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'string') return toTextCell(cell, letter, row, 3)
  if (typeof cell === 'boolean') return `<c r="${letter}${row}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'number') return `<c r="${letter}${row}"><v>${cell}</v></c>`
  return `<c r="${letter}${row}" s="2"><v>${toSerial(cell)}</v></c>`
}

/** A to Z, then AA and so on. */
function toLetters(at: number): string {
  return (at >= 26 ? toLetters(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))
}

// Days since 1899-12-30: Excel's calendar, after its 29 February 1900.
function toSerial(time: Date): number {
  return time.getTime() / 86_400_000 + 25_569
}

function toTextCell(value: string, letter: string, row: number, style: number): string {
  const text = value.length > maxCellLength ? value.slice(0, maxCellLength - cutMark.length) + cutMark : value
  return `<c r="${letter}${row}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what XML 1.0 cannot hold
const unfit = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // Excel reads _x000D_ as a character; what only looks like that has its underscore spelt out.
      .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
      .replace(unfit, ' ')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\r', '_x000D_')
  )
}

function describeWorkbook(sheets: number): Record<string, string> {
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1)
  const sheetTypes = numbers.map(
    (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${typeOf}.worksheet+xml"/>`,
  )
  const named = numbers.map((n) => `<sheet name="Feedback${n > 1 ? ` ${n}` : ''}" sheetId="${n}" r:id="rId${n}"/>`)
  const linked = numbers.map(
    (n) => `<Relationship Id="rId${n}" Type="${relationships}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  )
  const styles = `<Relationship Id="rId${sheets + 1}" Type="${relationships}/styles" Target="styles.xml"/>`
  return {
    '[Content_Types].xml':
      `<Types xmlns="${packageOf}/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${typeOf}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${typeOf}.styles+xml"/>${sheetTypes.join('')}</Types>`,
    '_rels/.rels':
      `<Relationships xmlns="${packageOf}/relationships">` +
      `<Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageOf}/relationships">${linked.join('')}${styles}</Relationships>`,
    'xl/styles.xml':
      `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>` +
      '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/>' +
      '<xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/>' +
      '<xf numFmtId="49" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top"/></xf></cellXfs></styleSheet>',
  }
}
