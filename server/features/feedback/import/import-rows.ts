import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { parse as parseNow } from 'csv-parse/sync'
import { type ImportLayout, type ImportQuestion, maxImportColumns } from '#contract/imports.ts'
import { cleanText } from '#server/platform/text/clean-text.ts'
import { restoreText } from '#server/platform/text/write-csv.ts'
import { suggestMapping } from './guess-fields.ts'
import { decodeText, type Encoding, type FileFacts, refuseForeignForms, UnreadableFileError } from './import-file.ts'
import { readJsonItems } from './json-items.ts'

/** A row of a file: a cell per column of its layout. Undefined: not a row. */
export interface ImportRow {
  /** As a spreadsheet counts. */
  readonly number: number
  readonly cells: readonly string[] | undefined
}

const delimiters = [',', ';', '\t', '|'] as const
const previewRows = 5
const cellPreviewLength = 200
const itemsLookedAt = 100
// Enough to tell what a column's values are like.
const recordsLookedAt = 1_000
const recordsForDelimiter = 50
// Larger than any cell that could become a message, small enough for memory.
const maxRecordLength = 2 * 1024 * 1024

/**
 * Reads the layout of a file.
 *
 * @param questions those of the project that its columns may answer.
 * @throws UnreadableFileError
 */
export async function describeFile(
  { head, encoding, bytes }: FileFacts,
  questions: readonly ImportQuestion[],
): Promise<ImportLayout> {
  refuseForeignForms(head)
  const isWhole = head.length === bytes
  const text = new TextDecoder(encoding).decode(head, { stream: !isWhole })
  if (text.trim() === '') throw new UnreadableFileError('The file is empty.')
  const { sample, ...layout } = /^[[{]/.test(text.trimStart())
    ? await describeJson(text, encoding)
    : describeCsv(text, encoding, isWhole)
  const names = layout.columns.map(({ name }) => name)
  return { ...layout, suggestion: suggestMapping(names, questions, sample) }
}

/** A layout, with the rows that suggest its mapping. */
interface Described extends Omit<ImportLayout, 'suggestion'> {
  readonly sample: readonly (readonly string[])[]
}

function describeCsv(text: string, encoding: Encoding, isWhole: boolean): Described {
  const delimiter = detectDelimiter(text)
  const records = parseSample(isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1), delimiter)
  const [names = [], ...rows] = records
  if (names.length > maxImportColumns) throw tooManyColumns(names.length)
  const columns = nameColumns(names.map(restoreText))
  return { ...toLayout('csv', encoding, delimiter, columns, rows.slice(0, previewRows)), sample: rows }
}

async function describeJson(text: string, encoding: Encoding): Promise<Described> {
  const items: Record<string, string>[] = []
  try {
    for await (const item of readJsonItems(oneByOne(text))) {
      const flat = flatten(item)
      if (flat) items.push(flat)
      if (items.length >= itemsLookedAt) break
    }
  } catch (error) {
    // Only the beginning was read, so a list that breaks off is expected, if it contains items.
    if (items.length === 0) throw error
  }
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  if (names.length === 0) throw new UnreadableFileError('This JSON holds no items with named values.')
  if (names.length > maxImportColumns) throw tooManyColumns(names.length)
  const rows = items.map((item) => names.map((name) => item[name] ?? ''))
  return { ...toLayout('json', encoding, null, names, rows.slice(0, previewRows)), sample: rows }
}

async function* oneByOne(text: string): AsyncGenerator<string> {
  yield text
}

function toLayout(
  format: ImportLayout['format'],
  encoding: Encoding,
  delimiter: string | null,
  names: readonly string[],
  rows: readonly (readonly string[])[],
): Omit<ImportLayout, 'suggestion'> {
  // PostgreSQL stores no NUL, and the check of the rows cleans cells in the same way.
  const cut = (cell: string) => cleanText(cell).slice(0, cellPreviewLength).toWellFormed()
  return {
    format,
    encoding,
    delimiter,
    columns: names.map((name) => ({ name: cut(name) })),
    rows: rows.map((row) => names.map((_, at) => cut(restoreText(row[at] ?? '')))),
  }
}

function tooManyColumns(count: number): UnreadableFileError {
  return new UnreadableFileError(`The file has ${count} columns; at most ${maxImportColumns} can be read.`)
}

/** Column names, made unique. */
function nameColumns(given: readonly string[]): string[] {
  const taken = new Set<string>()
  return given.map((each, at) => {
    const base = each.trim() === '' ? `Column ${at + 1}` : each.trim()
    let name = base
    for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${base} (${n})`
    taken.add(name.toLowerCase())
    return name
  })
}

/** The delimiter that splits the first lines into most columns, the same for as many of them as possible. */
function detectDelimiter(text: string): string {
  const sample = text.slice(0, 64 * 1024)
  const score = (delimiter: string) => {
    try {
      const records = parseHead(sample, delimiter, recordsForDelimiter).slice(0, 20)
      const width = records[0]?.length ?? 0
      const alike = records.filter((record) => record.length === width).length
      return width > 1 ? (width * alike) / records.length : 0
    } catch {
      return 0
    }
  }
  const [best = ','] = [...delimiters].sort((a, b) => score(b) - score(a))
  return best
}

const csvOptions = {
  bom: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: maxRecordLength,
} as const

/** The first records; fewer where a later one is unreadable, which its own step reports. */
function parseSample(text: string, delimiter: string): string[][] {
  try {
    return parseHead(text, delimiter, recordsLookedAt)
  } catch {
    try {
      return parseHead(text, delimiter, recordsForDelimiter)
    } catch (error) {
      throw toUnreadable(error)
    }
  }
}

function parseHead(text: string, delimiter: string, count: number): string[][] {
  return parseNow(text, { ...csvOptions, delimiter, to: count })
}

/**
 * All rows of a file, one at a time.
 *
 * @throws UnreadableFileError where the file becomes unreadable, after yielding the rows before it.
 */
export async function* readRows(source: AsyncIterable<Uint8Array>, layout: ImportLayout): AsyncGenerator<ImportRow> {
  const text = decodeText(source, layout.encoding)
  if (layout.format === 'json') {
    let number = 0
    for await (const item of readJsonItems(text)) {
      number += 1
      const flat = flatten(item)
      yield { number, cells: flat && layout.columns.map(({ name }) => flat[name] ?? '') }
    }
    return
  }
  const parser = parse({ ...csvOptions, delimiter: layout.delimiter ?? ',' })
  const input = Readable.from(text)
  input.on('error', (error) => parser.destroy(error))
  input.pipe(parser)
  let number = 0
  try {
    // Without `columns`, the parser gives arrays of strings.
    for await (const record of parser as AsyncIterable<string[]>) {
      number += 1
      if (number > 1) yield { number, cells: record.map(restoreText) }
    }
  } catch (error) {
    throw toUnreadable(error)
  } finally {
    input.destroy()
  }
}

function toUnreadable(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error
  // CsvError lists the fields of its context without types.
  const line = Number((error as { lines?: number }).lines ?? 0)
  if (error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new UnreadableFileError(
      `A quote that is opened before line ${line} is never closed, or a row is larger than 2 MB.`,
    )
  }
  return new UnreadableFileError(`The file cannot be read on at line ${line}.`)
}

const maxFlatDepth = 3

/** An item as cells by name: `{"author": {"name": "A"}}` has `author.name`. Undefined for anything but an object. */
function flatten(item: unknown): Record<string, string> | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined
  const cells = new Map<string, string>()
  const walk = (value: unknown, name: string, depth: number) => {
    if (cells.size > maxImportColumns) return
    if (Array.isArray(value)) {
      const answers = listAnswers(value)
      if (answers) for (const answer of answers) walk(answer.value, `${name}.${answer.id}`, maxFlatDepth)
      else cells.set(name, joinList(value))
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= maxFlatDepth) cells.set(name, JSON.stringify(value))
      else
        for (const [key, inner] of Object.entries(value)) walk(inner, name === '' ? key : `${name}.${key}`, depth + 1)
    } else if (value !== null && value !== undefined) cells.set(name, String(value))
  }
  walk(item, '', 0)
  return Object.fromEntries(cells)
}

/** A list of answers to questions, as our own exports have them; undefined for any other. */
function listAnswers(values: readonly unknown[]): { id: string; value: unknown }[] | undefined {
  const answers = values.flatMap((each) =>
    typeof each === 'object' && each !== null && 'value' in each && 'id' in each && typeof each.id === 'string'
      ? [{ id: each.id, value: each.value }]
      : [],
  )
  return answers.length > 0 && answers.length === values.length ? answers : undefined
}

/** A list of words as tags stand in one cell; any other list as the JSON that it was. */
function joinList(values: readonly unknown[]): string {
  if (values.length === 0) return ''
  const words = values.map((value) => {
    if (typeof value === 'string') return value
    // Any JSON; values that are no object give undefined.
    const name = (value as { name?: unknown } | null)?.name
    // It has a name, so it is an object.
    return typeof name === 'string' && !('mime' in (value as object)) ? name : undefined
  })
  if (words.some((word) => word === undefined)) return JSON.stringify(values)
  return words.map((word) => (/[",]/.test(word ?? '') ? `"${(word ?? '').replaceAll('"', '""')}"` : word)).join(', ')
}
