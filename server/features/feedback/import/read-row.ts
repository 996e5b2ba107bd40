import { v5 as uuidV5 } from 'uuid'
import {
  closedReasons,
  type FeedbackPriority,
  type FeedbackStatus,
  type FeedbackType,
  feedbackPriorities,
  feedbackStatuses,
  feedbackTypes,
} from '#contract/feedback.ts'
import type { ImportField, ImportMapping, ImportQuestion } from '#contract/imports.ts'
import type { ValueField } from '#contract/value-mapping.ts'
import { isEmailAddress } from '#server/platform/mail/address.ts'
import { cleanLine, cleanText } from '#server/platform/text/clean-text.ts'
import { parseTime } from './parse-time.ts'
import { readAnswers } from './read-answers.ts'
import { readKnownValue } from './read-value.ts'

/** A row as stored. */
export interface ImportedItem {
  readonly id: string
  readonly type: FeedbackType
  readonly status: FeedbackStatus
  readonly closed_reason: string | null
  readonly priority: FeedbackPriority
  readonly message: string
  readonly rating: number | null
  readonly nps: number | null
  readonly visitor_email: string | null
  readonly visitor_name: string | null
  readonly visitor_id: string | null
  readonly page_url: string
  readonly page_title: string | null
  readonly tags: readonly string[]
  readonly fields: Readonly<Record<string, string | boolean>>
  readonly metadata: Readonly<Record<string, string>>
  readonly created_at: string | null
  readonly resolved_at: string | null
}

/** Id of the item that a row becomes: the same in every run, so that a repeated run inserts no row twice. */
export function idOfRow(importId: string, row: number): string {
  return uuidV5(`row ${row}`, importId)
}

/** A row as it was read: an item, or why it cannot be one. */
export type ReadRow =
  | {
      readonly item: ImportedItem /** Names its values that were left out; undefined: none. */
      readonly leftOut?: string
    }
  | { readonly reason: string }

/** Reads rows under a mapping. An unreadable optional value is left out of its item; the reasons are sentences for people. */
export interface RowReader {
  read(importId: string, row: number, cells: readonly string[]): ReadRow
}

const maxReasonLength = 500

export function createRowReader(
  mapping: ImportMapping,
  columns: readonly { name: string }[],
  questions: readonly ImportQuestion[],
): RowReader {
  const columnsByField = new Map<ImportField, MappedColumn[]>()
  for (const { values = [], ...column } of mapping.columns) {
    const chosen = new Map(values.map(({ from, to }) => [toChosenKey(from), to]))
    columnsByField.set(column.field, [...(columnsByField.get(column.field) ?? []), { ...column, chosen }])
  }
  return {
    read: (importId, number, cells) => {
      const leftOut: string[] = []
      const row: Row = { cells, leftOut, columnsOf: (field) => columnsByField.get(field) ?? [] }
      const content = readContent(row)
      const classification = readClassification(row, mapping.defaultType)
      const isDone = classification.status === 'resolved' || classification.status === 'closed'
      const item: ImportedItem = {
        id: idOfRow(importId, number),
        ...content.values,
        ...classification,
        ...readOrigin(row),
        tags: readTags(readText(row, 'tags', 2_000)?.text ?? null, leftOut),
        fields: readAnswers(mapping, questions, cells, leftOut),
        metadata: readMetadata(row, columns),
        created_at: readTime(row, 'createdAt'),
        resolved_at: isDone ? readTime(row, 'resolvedAt') : null,
      }
      const reasons = content.problem === undefined ? leftOut : [content.problem, ...leftOut]
      const reason = reasons.join('; ').slice(0, maxReasonLength).toWellFormed()
      if (content.problem !== undefined) return { reason }
      return reason === '' ? { item } : { item, leftOut: reason }
    },
  }
}

/** A mapped column, with what the person chose for its values. */
interface MappedColumn extends Omit<ImportMapping['columns'][number], 'values'> {
  readonly chosen: ReadonlyMap<string, string | null>
}

/** A row while it is read. */
interface Row {
  readonly cells: readonly string[]
  /** Collects values that are left out, with the reason, for people to read. */
  readonly leftOut: string[]
  columnsOf(field: ImportField): readonly MappedColumn[]
}

function toChosenKey(value: string): string {
  return cleanLine(value).toLowerCase()
}

/** What the item says. `problem`: without it the row is no item. */
function readContent(row: Row) {
  const leftOut = row.leftOut.length
  const message = readMessage(row)
  const rating = readRating(row)
  const nps = readValue(row, 'nps', parseNps, 'is no whole number from 0 to 10')
  const values = { message: message.text, rating, nps }
  if (message.problem !== undefined) return { values, problem: message.problem }
  const isEmpty = message.text === '' && rating === null && nps === null
  if (!isEmpty) return { values }
  // The reasons of its parts say more than that it is empty.
  return { values, problem: row.leftOut.length > leftOut ? row.leftOut.splice(leftOut).join('; ') : isEmptyReason }
}

const isEmptyReason = 'it has neither a message nor a rating'

function readMessage(row: Row): { text: string; problem?: string } {
  const tooLong: string[] = []
  const body = readText({ ...row, leftOut: tooLong }, 'message', maxMessageLength, false)?.text ?? null
  const [problem] = tooLong
  if (problem !== undefined) return { text: '', problem }
  const title = readText(row, 'title', 1_000)?.text ?? null
  if (title === null) return { text: body ?? '' }
  if (body === null) return { text: title }
  const both = `${title}\n\n${body}`
  if ([...both].length <= maxMessageLength) return { text: both }
  row.leftOut.push(`Title and message are longer than ${maxMessageLength.toLocaleString('en')} characters: no title`)
  return { text: body }
}

function readRating(row: Row): number | null {
  const rating = readWord(row, 'rating', 'is no rating from 1 to 5')
  return rating === null ? null : Number(rating)
}

/** Type, status and priority. A status such as “won't fix” contains the reason of its closing as well. */
function readClassification(row: Row, defaultType: FeedbackType) {
  const type = readWord(row, 'type', isNoneOf(feedbackTypes))
  const statusWord = readWord(row, 'status', isNoneOf(feedbackStatuses))
  // Values of a status start with one.
  const status = (statusWord?.split(':')[0] ?? 'new') as FeedbackStatus
  const reason = readWord(row, 'closedReason', isNoneOf(closedReasons)) ?? statusWord?.split(':')[1] ?? null
  return {
    // What `readWord` gives are values of the field.
    type: (type ?? defaultType) as FeedbackType,
    status,
    closed_reason: status === 'closed' ? reason : null,
    // As above.
    priority: (readWord(row, 'priority', isNoneOf(feedbackPriorities)) ?? 'none') as FeedbackPriority,
  }
}

function isNoneOf(values: readonly string[]): string {
  return `is none of ${values.join(', ')}`
}

function readOrigin(row: Row) {
  const parseEmail = (value: string) => (isEmailAddress(value) ? value : undefined)
  return {
    visitor_email: readValue(row, 'visitorEmail', parseEmail, 'is no email address'),
    visitor_name: readText(row, 'visitorName', 200)?.text ?? null,
    visitor_id: readText(row, 'visitorId', 200)?.text ?? null,
    page_url: readText(row, 'pageUrl', 4096)?.text ?? '',
    page_title: readText(row, 'pageTitle', 500)?.text ?? null,
  }
}

interface ReadText {
  readonly text: string
  readonly column: MappedColumn
}

/** The first mapped column that is not empty. */
function readText(row: Row, field: ImportField, maxLength: number, isLine = true): ReadText | null {
  for (const column of row.columnsOf(field)) {
    const cell = row.cells[column.column] ?? ''
    const text = isLine ? cleanLine(cell) : cleanText(cell).trim().replaceAll('\r\n', '\n')
    if (text === '') continue
    if ([...text].length > maxLength) {
      row.leftOut.push(`${fieldNames[field]} is longer than ${maxLength.toLocaleString('en')} characters`)
      return null
    }
    return { text, column }
  }
  return null
}

function readValue<T>(
  row: Row,
  field: ImportField,
  parse: (value: string, column: MappedColumn) => T | undefined,
  rule: string,
): T | null {
  const read = readText(row, field, 500)
  if (read === null) return null
  const parsed = parse(read.text, read.column)
  if (parsed === undefined) row.leftOut.push(`${fieldNames[field]} “${read.text.slice(0, 60)}” ${rule}`)
  return parsed ?? null
}

/** What the person chose for a value, or what it is known to mean. A value that was chosen to be left out is no problem. */
function readWord(row: Row, field: ValueField, rule: string): string | null {
  const parse = (value: string, { chosen, scale }: MappedColumn): string | null | undefined => {
    const choice = chosen.get(toChosenKey(value))
    return choice === undefined ? readKnownValue(field, value, scale) : choice
  }
  return readValue(row, field, parse, rule)
}

function readTime(row: Row, field: 'createdAt' | 'resolvedAt'): string | null {
  return readValue(row, field, (value, { dateOrder }) => parseTime(value, dateOrder), timeRule)
}

const maxMessageLength = 10_000

/** The fields' names in problems. */
const fieldNames: Readonly<Record<ImportField, string>> = {
  message: 'Message',
  title: 'Title',
  type: 'Type',
  status: 'Status',
  closedReason: 'Closed reason',
  priority: 'Priority',
  rating: 'Rating',
  nps: 'NPS',
  tags: 'Tags',
  visitorName: 'Visitor name',
  visitorEmail: 'Visitor email',
  visitorId: 'Visitor ID',
  pageUrl: 'Page URL',
  pageTitle: 'Page title',
  createdAt: 'Created at',
  resolvedAt: 'Resolved at',
  answer: 'Answer',
  metadata: 'Metadata',
}
const timeRule = 'is an ambiguous or unknown date. Select the date order, or use 2026-01-31 or 2026-01-31T09:30:00Z'

function parseNps(value: string): number | undefined {
  const number = /^\d{1,2}([.,]0+)?$/.test(value) ? Number.parseInt(value, 10) : Number.NaN
  return number >= 0 && number <= 10 ? number : undefined
}

const maxTags = 20
const maxTagLength = 50

/** Tags of one cell, separated by commas or semicolons; a quoted tag may contain both. */
function readTags(cell: string | null, leftOut: string[]): string[] {
  if (cell === null) return []
  const parts = [...cell.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,;]*))\s*(?:[,;]|$)/g)]
  const tags = new Map<string, string>()
  for (const [, quoted, plain] of parts) {
    const tag = (quoted?.replaceAll('""', '"') ?? plain ?? '').trim()
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  }
  const all = [...tags.values()]
  const list = all.filter((tag) => [...tag].length <= maxTagLength)
  if (list.length < all.length) leftOut.push(`a tag is longer than ${maxTagLength} characters`)
  if (list.length > maxTags) leftOut.push(`it has ${list.length} tags, of which ${maxTags} can be kept`)
  return list.slice(0, maxTags)
}

function readMetadata({ cells, columnsOf }: Row, columns: readonly { name: string }[]) {
  const metadata: Record<string, string> = {}
  for (const { column } of columnsOf('metadata')) {
    const value = cleanText(cells[column] ?? '').trim()
    if (value !== '') metadata[cleanText(columns[column]?.name ?? '').slice(0, 100)] = value.slice(0, 2_000)
  }
  return metadata
}
