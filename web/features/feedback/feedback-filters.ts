import {
  type FeedbackPriority,
  type FeedbackStatus,
  type FeedbackType,
  feedbackPriorities,
  feedbackSources,
  feedbackStatuses,
  feedbackTypes,
} from '#contract/feedback.ts'
import {
  type FeedbackQuery,
  type FeedbackSelection,
  type InboxSort,
  inboxSorts,
  type MediaKind,
  mediaKinds,
} from '#contract/inbox.ts'
import { type DateRange, readDateRange, toTimes } from './date-range.ts'

/** Places that the inbox shows one at a time. What is merged is found under its target. */
export const inboxPlaces = ['inbox', 'archived', 'spam', 'trash'] as const
export type InboxPlace = (typeof inboxPlaces)[number]

/** What the inbox shows. An empty list means: any value. Values stand in their table's order, so that equals look equal. */
export interface Filters {
  readonly place: InboxPlace
  readonly status: readonly FeedbackStatus[]
  readonly priority: readonly FeedbackPriority[]
  readonly type: readonly FeedbackType[]
  readonly source: readonly (typeof feedbackSources)[number][]
  readonly media: readonly MediaKind[]
  /** Stars, as text. */
  readonly rating: readonly string[]
  /** In any letter case. */
  readonly tag: readonly string[]
  /** Members' user ids, or `none`. */
  readonly assignee: readonly string[]
  /** Ids of projects. */
  readonly project: readonly string[]
  /** Only what nobody has opened. */
  readonly unread: boolean
  /** Who the site said the visitor is, or their address; empty: anybody. */
  readonly visitor: string
  /** When it came. */
  readonly date: DateRange | undefined
  /** Words to find. */
  readonly q: string
  readonly sort: InboxSort
  /** The saved view that this began as; empty: none. */
  readonly view: string
}

export const listFilters = [
  'status',
  'priority',
  'type',
  'source',
  'media',
  'rating',
  'tag',
  'assignee',
  'project',
] as const
export type ListFilter = (typeof listFilters)[number]

export const noFilters: Filters = {
  place: 'inbox',
  status: [],
  priority: [],
  type: [],
  source: [],
  media: [],
  rating: [],
  tag: [],
  assignee: [],
  project: [],
  unread: false,
  visitor: '',
  date: undefined,
  q: '',
  sort: 'newest',
  view: '',
}

const ratings = ['1', '2', '3', '4', '5'] as const

/** The server's limits: more values or longer texts are refused. */
const maxValues = 20
export const maxSearchLength = 200
const maxTagLength = 50
const maxVisitorLength = 254
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads the filters from an address. What isn't known is left out, so that any link opens. */
export function readFilters(search: URLSearchParams): Filters {
  return {
    // Links of earlier versions say `spam=true`.
    place:
      inboxPlaces.find((each) => each === search.get('place')) ?? (search.get('spam') === 'true' ? 'spam' : 'inbox'),
    status: readKnown(search, 'status', feedbackStatuses),
    priority: readKnown(search, 'priority', feedbackPriorities),
    type: readKnown(search, 'type', feedbackTypes),
    source: readKnown(search, 'source', feedbackSources),
    media: readKnown(search, 'media', mediaKinds),
    rating: readKnown(search, 'rating', ratings),
    tag: readTags(search.getAll('tag')),
    assignee: readIds(search, 'assignee', 'none'),
    project: readIds(search, 'project'),
    unread: search.get('unread') === 'true',
    visitor: cleanLine(search.get('visitor') ?? '', maxVisitorLength),
    date: readDateRange(search),
    q: cleanLine(search.get('q') ?? '', maxSearchLength),
    sort: inboxSorts.find((each) => each === search.get('sort')) ?? 'newest',
    view: readId(search, 'view') ?? '',
  }
}

function readKnown<T extends string>(search: URLSearchParams, name: string, known: readonly T[]): T[] {
  const given = new Set(search.getAll(name))
  return known.filter((value) => given.has(value))
}

function readIds(search: URLSearchParams, name: string, extra?: string): string[] {
  return [...new Set(search.getAll(name).map((id) => id.toLowerCase()))]
    .filter((id) => uuid.test(id) || id === extra)
    .sort()
    .slice(0, maxValues)
}

function readTags(given: readonly string[]): string[] {
  const byLower = new Map(
    given
      .map((tag) => cleanLine(tag, maxTagLength))
      .filter((tag) => tag !== '')
      .map((tag) => [tag.toLowerCase(), tag]),
  )
  return [...byLower.values()].sort().slice(0, maxValues)
}

/** One line of at most so many characters, as the server takes it. */
export function cleanLine(text: string, maxLength: number): string {
  const line = [...text.toWellFormed().replace(/\p{Cc}+/gu, ' ')].slice(0, maxLength)
  return line.join('').trim()
}

function readId(search: URLSearchParams, name: string): string | undefined {
  const id = search.get(name)?.toLowerCase()
  return id !== undefined && uuid.test(id) ? id : undefined
}

/** The open item's id, if the address names one. */
export function readItemId(search: URLSearchParams): string | undefined {
  return readId(search, 'item')
}

/** The address's search part for a state of the inbox: `?status=new&item=…`, or nothing. */
export function writeInboxSearch(filters: Filters, itemId: string | undefined): string {
  const search = new URLSearchParams()
  if (filters.place !== 'inbox') search.set('place', filters.place)
  for (const name of listFilters) for (const value of filters[name]) search.append(name, value)
  if (filters.unread) search.set('unread', 'true')
  if (filters.visitor !== '') search.set('visitor', filters.visitor)
  if (filters.date?.kind === 'preset') search.set('date', filters.date.preset)
  if (filters.date?.kind === 'range') {
    if (filters.date.from !== '') search.set('from', filters.date.from)
    if (filters.date.to !== '') search.set('to', filters.date.to)
    if (filters.date.zone === 'utc') search.set('days', 'utc')
  }
  const q = cleanLine(filters.q, maxSearchLength)
  if (q !== '') search.set('q', q)
  if (filters.sort !== 'newest') search.set('sort', filters.sort)
  if (filters.view !== '') search.set('view', filters.view)
  if (itemId !== undefined) search.set('item', itemId)
  return search.size > 0 ? `?${search}` : ''
}

/** The filters as the API's selection: what is listed, changed together and exported. */
export function toSelection(filters: Filters, now = new Date()): FeedbackSelection {
  const { status, priority, type, source, media, rating, tag, assignee, project } = filters
  return {
    ...(status.length > 0 && { status: [...status] }),
    ...(priority.length > 0 && { priority: [...priority] }),
    ...(type.length > 0 && { type: [...type] }),
    ...(source.length > 0 && { source: [...source] }),
    ...(media.length > 0 && { media: [...media] }),
    ...(rating.length > 0 && { rating: rating.map(Number) }),
    ...(tag.length > 0 && { tag: [...tag] }),
    ...(assignee.length > 0 && { assignee: [...assignee] }),
    ...(project.length > 0 && { projectId: [...project] }),
    ...(filters.unread && { unread: true as const }),
    ...(filters.visitor !== '' && { visitor: filters.visitor }),
    ...(filters.date && toTimes(filters.date, now)),
    ...(filters.place !== 'inbox' && { place: filters.place }),
    ...(filters.q !== '' && { q: filters.q }),
  }
}

/** The filters as the API's query. */
export function toQuery(filters: Filters, now = new Date()): FeedbackQuery {
  return { ...toSelection(filters, now), ...(filters.sort !== 'newest' && { sort: filters.sort }) }
}

/** Whether anything narrows the place. */
export function hasFilters(filters: Filters): boolean {
  return (
    listFilters.some((name) => filters[name].length > 0) ||
    filters.unread ||
    filters.visitor !== '' ||
    filters.date !== undefined ||
    filters.q !== ''
  )
}

/** The place with nothing that narrows it; its order stays. */
export function clearFilters({ place, sort }: Filters): Filters {
  return { ...noFilters, place, sort }
}

/** The filters with one list replaced, its values in order and without repetition. */
export function changeFilter(filters: Filters, name: ListFilter, values: readonly string[]): Filters {
  const search = new URLSearchParams(values.map((value) => [name, value]))
  return { ...filters, [name]: readFilters(search)[name] }
}
