import {
  type FeedbackListItem,
  type FeedbackPriority,
  type FeedbackStatus,
  type FeedbackType,
  feedbackPriorities,
  feedbackStatuses,
  feedbackTypes,
} from '#contract/feedback.ts'
import type { FeedbackQuery } from '#contract/inbox.ts'

/** What the inbox shows. An empty list means: any value. Values stand in their table's order, so that equals look equal. */
export interface Filters {
  readonly status: readonly FeedbackStatus[]
  readonly priority: readonly FeedbackPriority[]
  readonly type: readonly FeedbackType[]
  /** Ids of projects. */
  readonly project: readonly string[]
  /** What lies in quarantine, instead of all else. */
  readonly spam: boolean
  /** Words to find. */
  readonly q: string
}

export type ListFilter = Exclude<keyof Filters, 'q' | 'spam'>

export const noFilters: Filters = { status: [], priority: [], type: [], project: [], spam: false, q: '' }

/** The server's limits: more values or longer searches are refused. */
const maxValues = 20
export const maxSearchLength = 200
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads the filters from an address. What isn't known is left out, so that any link opens. */
export function readFilters(search: URLSearchParams): Filters {
  return {
    status: readKnown(search, 'status', feedbackStatuses),
    priority: readKnown(search, 'priority', feedbackPriorities),
    type: readKnown(search, 'type', feedbackTypes),
    project: [...new Set(search.getAll('project').map((id) => id.toLowerCase()))]
      .filter((id) => uuid.test(id))
      .sort()
      .slice(0, maxValues),
    spam: search.get('spam') === 'true',
    q: cleanSearch(search.get('q') ?? ''),
  }
}

function readKnown<T extends string>(search: URLSearchParams, name: string, known: readonly T[]): T[] {
  const given = new Set(search.getAll(name))
  return known.filter((value) => given.has(value))
}

/** One line of at most {@link maxSearchLength} characters, as the server takes it. */
function cleanSearch(q: string): string {
  const line = [...q.toWellFormed().replace(/\p{Cc}+/gu, ' ')].slice(0, maxSearchLength)
  return line.join('').trim()
}

/** The open item's id, if the address names one. */
export function readItemId(search: URLSearchParams): string | undefined {
  const id = search.get('item')?.toLowerCase()
  return id !== undefined && uuid.test(id) ? id : undefined
}

/** The address's search part for a state of the inbox: `?status=new&item=…`, or nothing. */
export function writeInboxSearch(filters: Filters, itemId: string | undefined): string {
  const search = new URLSearchParams()
  for (const name of ['status', 'priority', 'type', 'project'] as const) {
    for (const value of filters[name]) search.append(name, value)
  }
  const q = cleanSearch(filters.q)
  if (filters.spam) search.set('spam', 'true')
  if (q !== '') search.set('q', q)
  if (itemId !== undefined) search.set('item', itemId)
  return search.size > 0 ? `?${search}` : ''
}

/** The filters as the API's query. */
export function toQuery({ status, priority, type, project, spam, q }: Filters): FeedbackQuery {
  return {
    ...(status.length > 0 && { status: [...status] }),
    ...(priority.length > 0 && { priority: [...priority] }),
    ...(type.length > 0 && { type: [...type] }),
    ...(project.length > 0 && { projectId: [...project] }),
    ...(spam && { place: 'spam' as const }),
    ...(q !== '' && { q }),
  }
}

export function hasFilters({ status, priority, type, project, spam, q }: Filters): boolean {
  return spam || q !== '' || [status, priority, type, project].some((values) => values.length > 0)
}

/** The filters with one list replaced, its values in order and without repetition. */
export function changeFilter(filters: Filters, name: ListFilter, values: readonly string[]): Filters {
  const search = new URLSearchParams(values.map((value) => [name, value]))
  return { ...filters, [name]: readFilters(search)[name] }
}

/** Whether an item passes the lists. The words (`q`) are the server's business. */
export function matchesLists(
  item: Pick<FeedbackListItem, 'status' | 'priority' | 'type' | 'projectId' | 'spamReason'>,
  { status, priority, type, project, spam }: Filters,
): boolean {
  return (
    passes(status, item.status) &&
    passes(priority, item.priority) &&
    passes(type, item.type) &&
    passes(project, item.projectId) &&
    spam === (item.spamReason !== null)
  )
}

function passes<T>(values: readonly T[], value: T): boolean {
  return values.length === 0 || values.includes(value)
}
