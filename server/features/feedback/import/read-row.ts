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
import { isEmailAddress } from '#server/platform/mail/address.ts'
import { cleanLine, cleanText } from '#server/platform/text/clean-text.ts'
import { lookUp, priorities, reasons, statuses, types } from './foreign-words.ts'
import { readAnswers } from './read-answers.ts'

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

/** Reads rows under a mapping. */
export interface RowReader {
  /** @returns the item, or its problems as a sentence for people. */
  read(importId: string, row: number, cells: readonly string[]): ImportedItem | { readonly reason: string }
}

export function createRowReader(
  mapping: ImportMapping,
  columns: readonly { name: string }[],
  questions: readonly ImportQuestion[],
): RowReader {
  const columnsByField = new Map<ImportField, number[]>()
  for (const { field, column } of mapping.columns) {
    columnsByField.set(field, [...(columnsByField.get(field) ?? []), column])
  }
  return {
    read: (importId, number, cells) => {
      const problems: string[] = []
      const row: Row = { cells, problems, columnsOf: (field) => columnsByField.get(field) ?? [] }
      const content = readContent(row)
      const classification = readClassification(row, mapping.defaultType)
      const isDone = classification.status === 'resolved' || classification.status === 'closed'
      const item: ImportedItem = {
        id: idOfRow(importId, number),
        ...content,
        ...classification,
        ...readOrigin(row),
        tags: readTags(readText(row, 'tags', 2_000), problems),
        fields: readAnswers(mapping, questions, cells, problems),
        metadata: readMetadata(row, columns),
        created_at: readValue(row, 'createdAt', parseTime, timeRule),
        resolved_at: isDone ? readValue(row, 'resolvedAt', parseTime, timeRule) : null,
      }
      return problems.length === 0 ? item : { reason: problems.join('; ').slice(0, 500) }
    },
  }
}

/** A row while it is read. */
interface Row {
  readonly cells: readonly string[]
  /** Collects what is wrong, for people to read. */
  readonly problems: string[]
  columnsOf(field: ImportField): readonly number[]
}

function readContent(row: Row) {
  const { problems } = row
  const title = readText(row, 'title', 1_000)
  const body = readText(row, 'message', maxMessageLength, false)
  const message = title === null ? (body ?? '') : body === null ? title : `${title}\n\n${body}`
  const rating = readValue(row, 'rating', (value) => parseWhole(value, 1, 5), 'is no whole number from 1 to 5')
  const nps = readValue(row, 'nps', (value) => parseWhole(value, 0, 10), 'is no whole number from 0 to 10')
  if (message === '' && rating === null && nps === null && problems.length === 0) {
    problems.push('it has neither a message nor a rating')
  }
  if ([...message].length > maxMessageLength) {
    problems.push(`Title and message are longer than ${maxMessageLength.toLocaleString('en')} characters`)
  }
  return { message, rating, nps }
}

/** Type, status and priority. A status such as “won't fix” contains the reason of its closing as well. */
function readClassification(row: Row, defaultType: FeedbackType) {
  const type = readWord(row, 'type', types, feedbackTypes)
  const statusWord = readWord(row, 'status', statuses, feedbackStatuses)
  // `statuses` has values that start with a status.
  const status = (statusWord?.split(':')[0] ?? 'new') as FeedbackStatus
  const reason = readWord(row, 'closedReason', reasons, closedReasons) ?? statusWord?.split(':')[1] ?? null
  return {
    type: type ?? defaultType,
    status,
    closed_reason: status === 'closed' ? reason : null,
    priority: readWord(row, 'priority', priorities, feedbackPriorities) ?? ('none' as const),
  }
}

function readOrigin(row: Row) {
  const parseEmail = (value: string) => (isEmailAddress(value) ? value : undefined)
  return {
    visitor_email: readValue(row, 'visitorEmail', parseEmail, 'is no email address'),
    visitor_name: readText(row, 'visitorName', 200),
    visitor_id: readText(row, 'visitorId', 200),
    page_url: readText(row, 'pageUrl', 4096) ?? '',
    page_title: readText(row, 'pageTitle', 500),
  }
}

/** The first mapped column that is not empty. */
function readText({ cells, problems, columnsOf }: Row, field: ImportField, maxLength: number, isLine = true) {
  for (const column of columnsOf(field)) {
    const cell = cells[column] ?? ''
    const value = isLine ? cleanLine(cell) : cleanText(cell).trim().replaceAll('\r\n', '\n')
    if (value === '') continue
    if ([...value].length > maxLength) {
      problems.push(`${fieldNames[field]} is longer than ${maxLength.toLocaleString('en')} characters`)
      return null
    }
    return value
  }
  return null
}

function readValue<T>(row: Row, field: ImportField, parse: (value: string) => T | undefined, rule: string): T | null {
  const value = readText(row, field, 500)
  if (value === null) return null
  const parsed = parse(value)
  if (parsed === undefined) row.problems.push(`${fieldNames[field]} “${value.slice(0, 60)}” ${rule}`)
  return parsed ?? null
}

function readWord<T extends string>(
  row: Row,
  field: ImportField,
  words: Readonly<Record<string, T>>,
  values: readonly string[],
): T | null {
  return readValue(row, field, (value) => lookUp(value, words), `is none of ${values.join(', ')}`)
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
const timeRule = 'is an ambiguous date. Use 2026-01-31 or 2026-01-31T09:30:00Z'

function parseWhole(value: string, min: number, max: number): number | undefined {
  const number = /^\d{1,2}([.,]0+)?$/.test(value) ? Number.parseInt(value, 10) : Number.NaN
  return number >= min && number <= max ? number : undefined
}

/** ISO 8601, also with a space and without a zone (then UTC), or with the month in letters. Ambiguous dates are refused. */
function parseTime(value: string): string | undefined {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i.exec(
    value,
  )
  let time: number
  if (iso) {
    const [, day = '', clock = '00:00', zone = 'Z'] = iso
    const offset = /utc/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2').toUpperCase()
    // Cut to milliseconds: a Date has no finer ones.
    time = Date.parse(`${day}T${clock.replace(/(\.\d{3})\d+$/, '$1')}${offset}`)
    if (!new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)) return undefined
  } else if (/[a-z]{3}/i.test(value) && /\b\d{4}\b/.test(value) && /^[\w\s,:+.-]+(\([\w\s]+\))?$/.test(value)) {
    time = Date.parse(/(gmt|utc|z|[+-]\d{4})(\s*\(.*\))?$/i.test(value) ? value : `${value} UTC`)
  } else return undefined
  const isLikely = time > Date.UTC(1990, 0) && time < Date.now() + 86_400_000
  return isLikely ? new Date(time).toISOString() : undefined
}

/** Tags of one cell, separated by commas or semicolons; a quoted tag may contain both. */
function readTags(cell: string | null, problems: string[]): string[] {
  if (cell === null) return []
  const parts = [...cell.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,;]*))\s*(?:[,;]|$)/g)]
  const tags = new Map<string, string>()
  for (const [, quoted, plain] of parts) {
    const tag = (quoted?.replaceAll('""', '"') ?? plain ?? '').trim()
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  }
  const list = [...tags.values()]
  if (list.length > 20) problems.push('it has more than 20 tags')
  if (list.some((tag) => [...tag].length > 50)) problems.push('a tag is longer than 50 characters')
  return list
}

function readMetadata({ cells, columnsOf }: Row, columns: readonly { name: string }[]) {
  const metadata: Record<string, string> = {}
  for (const column of columnsOf('metadata')) {
    const value = cleanText(cells[column] ?? '').trim()
    if (value !== '') metadata[cleanText(columns[column]?.name ?? '').slice(0, 100)] = value.slice(0, 2_000)
  }
  return metadata
}
