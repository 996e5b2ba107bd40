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

/** A row as it is stored. */
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

/** Id of the item that a row becomes: the same at every run, so that no row becomes two. */
export function idOfRow(importId: string, row: number): string {
  return uuidV5(`row ${row}`, importId)
}

/** Reads rows under a mapping. */
export interface RowReader {
  /** @returns what is wrong with it, for people to read, or the item. */
  read(importId: string, row: number, cells: readonly string[]): ImportedItem | { readonly reason: string }
}

export function createRowReader(
  mapping: ImportMapping,
  columns: readonly { name: string }[],
  questions: readonly ImportQuestion[],
): RowReader {
  const placesOf = (field: ImportField) =>
    mapping.columns.filter((each) => each.field === field).map(({ column }) => column)
  const places = new Map<ImportField, number[]>()
  const at = (field: ImportField) => {
    const known = places.get(field) ?? placesOf(field)
    places.set(field, known)
    return known
  }
  return {
    read: (importId, row, cells) => {
      const problems: string[] = []
      /** The first mapped column that is not empty. */
      const text = (field: ImportField, maxLength: number, isLine = true): string | null => {
        for (const column of at(field)) {
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
      const read = <T>(field: ImportField, parse: (value: string) => T | undefined, rule: string): T | null => {
        const value = text(field, 500)
        if (value === null) return null
        const parsed = parse(value)
        if (parsed === undefined) problems.push(`${fieldNames[field]} “${value.slice(0, 60)}” ${rule}`)
        return parsed ?? null
      }

      const title = text('title', 1_000)
      const body = text('message', maxMessageLength, false)
      const message = title === null ? (body ?? '') : body === null ? title : `${title}\n\n${body}`
      const rating = read('rating', (value) => parseWhole(value, 1, 5), 'is no whole number from 1 to 5')
      const nps = read('nps', (value) => parseWhole(value, 0, 10), 'is no whole number from 0 to 10')
      if (message === '' && rating === null && nps === null && problems.length === 0) {
        problems.push('it has neither a message nor a rating')
      }
      if ([...message].length > maxMessageLength) {
        problems.push(`Title and message are longer than ${maxMessageLength.toLocaleString('en')} characters`)
      }
      const type = read('type', (value) => lookUp(value, types), `is none of ${feedbackTypes.join(', ')}`)
      const statusWord = read('status', (value) => lookUp(value, statuses), `is none of ${feedbackStatuses.join(', ')}`)
      const status = statusWord?.split(':')[0] as FeedbackStatus | undefined
      const reasonGiven = read(
        'closedReason',
        (value) => lookUp(value, reasons),
        `is none of ${closedReasons.join(', ')}`,
      )
      const reason = reasonGiven ?? statusWord?.split(':')[1] ?? null
      const item: ImportedItem = {
        id: idOfRow(importId, row),
        type: type ?? mapping.defaultType,
        status: status ?? 'new',
        closed_reason: status === 'closed' ? reason : null,
        priority:
          read('priority', (v) => lookUp(v, priorities), `is none of ${feedbackPriorities.join(', ')}`) ?? 'none',
        message,
        rating,
        nps,
        visitor_email: read(
          'visitorEmail',
          (value) => (isEmailAddress(value) ? value : undefined),
          'is no email address',
        ),
        visitor_name: text('visitorName', 200),
        visitor_id: text('visitorId', 200),
        page_url: text('pageUrl', 4096) ?? '',
        page_title: text('pageTitle', 500),
        tags: readTags(text('tags', 2_000), problems),
        fields: readAnswers(mapping, questions, cells, problems),
        metadata: readMetadata(at('metadata'), columns, cells),
        created_at: read('createdAt', parseTime, timeRule),
        resolved_at: status === 'resolved' || status === 'closed' ? read('resolvedAt', parseTime, timeRule) : null,
      }
      return problems.length === 0 ? item : { reason: problems.join('; ').slice(0, 500) }
    },
  }
}

const maxMessageLength = 10_000

/** As people are told of them. */
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
const timeRule = 'is no time that can only mean one: write 2026-01-31 or 2026-01-31T09:30:00Z'

function parseWhole(value: string, min: number, max: number): number | undefined {
  const number = /^\d{1,2}([.,]0+)?$/.test(value) ? Number.parseInt(value, 10) : Number.NaN
  return number >= min && number <= max ? number : undefined
}

/** ISO 8601, also with a space and without a zone (then UTC), or with the month in letters; nothing that has two readings. */
function parseTime(value: string): string | undefined {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i.exec(
    value,
  )
  let time: number
  if (iso) {
    const [, day = '', clock = '00:00', zone = 'Z'] = iso
    const offset = /utc/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2').toUpperCase()
    // Nobody writes more than milliseconds down again.
    time = Date.parse(`${day}T${clock.replace(/(\.\d{3})\d+$/, '$1')}${offset}`)
    if (!new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)) return undefined
  } else if (/[a-z]{3}/i.test(value) && /\b\d{4}\b/.test(value) && /^[\w\s,:+.-]+(\([\w\s]+\))?$/.test(value)) {
    time = Date.parse(/(gmt|utc|z|[+-]\d{4})(\s*\(.*\))?$/i.test(value) ? value : `${value} UTC`)
  } else return undefined
  const isLikely = time > Date.UTC(1990, 0) && time < Date.now() + 86_400_000
  return isLikely ? new Date(time).toISOString() : undefined
}

/** Tags of one cell: apart by commas or semicolons; in quotes, they may hold both. Also as a list in JSON. */
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

function readMetadata(places: readonly number[], columns: readonly { name: string }[], cells: readonly string[]) {
  const metadata: Record<string, string> = {}
  for (const column of places) {
    const value = cleanText(cells[column] ?? '').trim()
    if (value !== '') metadata[cleanText(columns[column]?.name ?? '').slice(0, 100)] = value.slice(0, 2_000)
  }
  return metadata
}
