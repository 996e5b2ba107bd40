import {
  doneStatuses,
  type FeedbackPriority,
  type FeedbackStatus,
  type FeedbackType,
  type feedbackSources,
  openStatuses,
} from '#contract/feedback.ts'
import { defaultLocation, type FilterName, filterTable, lowerCase, type MediaKind } from '#contract/filters.ts'
import {
  type FeedbackQuery,
  type FeedbackSelection,
  type InboxGrouping,
  type InboxSort,
  type InboxStage,
  inboxGroupings,
  inboxSorts,
  inboxStages,
} from '#contract/inbox.ts'
import { isUuid } from '#contract/uuid.ts'
import { type DateRange, readDateRange, toTimes } from './date-range.ts'

/** Locations that the inbox shows one at a time. Merged items are found under their target. */
export const inboxLocations = ['inbox', 'snoozed', 'archived', 'spam', 'trash'] as const
export type InboxLocation = (typeof inboxLocations)[number]

/** The part of the inbox that is shown; `all`: open and done. */
export type Stage = InboxStage | 'all'
const stages = [...inboxStages, 'all'] as const

export const stageStatuses: Readonly<Record<InboxStage, readonly FeedbackStatus[]>> = {
  open: openStatuses,
  done: doneStatuses,
}

/** What the inbox shows. An empty list means: any value. Values stand in their table's order, so that equals look equal. */
export interface Filters {
  readonly location: InboxLocation
  /** Of the inbox alone; elsewhere `all`. */
  readonly stage: Stage
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
  /** Only unread items. */
  readonly unread: boolean
  /** Only items whose visitor waits for an answer. */
  readonly unanswered: boolean
  /** Who the site said the visitor is, or their email address; empty: anyone. */
  readonly visitor: string
  /** When it came. */
  readonly date: DateRange | undefined
  /** Words to find. */
  readonly q: string
  readonly sort: InboxSort
  /** What the list is grouped by. */
  readonly group: InboxGrouping | 'none'
  /** The saved view that this began as; empty: none. */
  readonly view: string
}

/** Filters that are a list of values. */
export type ListFilter = {
  [Name in keyof Filters]: Filters[Name] extends readonly string[] ? Name : never
}[keyof Filters]

/** The inbox as it opens: all open items. */
export const noFilters: Filters = {
  location: 'inbox',
  stage: 'open',
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
  unanswered: false,
  visitor: '',
  date: undefined,
  q: '',
  sort: 'newest',
  group: 'none',
  view: '',
}

// `Object.keys` forgets the names.
export const listFilters = (Object.keys(noFilters) as (keyof Filters)[]).filter(isListFilter)

function isListFilter(name: keyof Filters): name is ListFilter {
  return Array.isArray(noFilters[name])
}

/** The server's limits: more values or longer texts are refused. */
const maxValues = 20
export const maxSearchLength = 200
const maxTagLength = 50
const maxVisitorLength = 254

/** Reads the filters from an address. What isn't known is left out, so that any link opens. */
export function readFilters(search: URLSearchParams): Filters {
  const { location, status } = readPlace(search)
  return {
    location,
    stage: readStage(search),
    status,
    priority: readKnown(search, 'priority', filterTable.priority.values),
    type: readKnown(search, 'type', filterTable.type.values),
    source: readKnown(search, 'source', filterTable.source.values),
    media: readKnown(search, 'media', filterTable.media.values),
    rating: readKnown(search, 'rating', filterTable.rating.values.map(String)),
    tag: readTags(search.getAll('tag')),
    assignee: readIds(search, 'assignee', 'none'),
    project: readIds(search, 'project'),
    unread: search.get('unread') === 'true',
    unanswered: search.get('unanswered') === 'true',
    visitor: cleanLine(search.get('visitor') ?? '', maxVisitorLength),
    date: readDateRange(search),
    q: cleanLine(search.get('q') ?? '', maxSearchLength),
    sort: inboxSorts.find((each) => each === search.get('sort')) ?? 'newest',
    group: inboxGroupings.find((each) => each === search.get('group')) ?? 'none',
    view: readId(search, 'view') ?? '',
  }
}

function readPlace(search: URLSearchParams): Pick<Filters, 'location' | 'status'> {
  return {
    // Links of earlier versions say `spam=true`.
    location:
      inboxLocations.find((each) => each === search.get('location')) ??
      (search.get('spam') === 'true' ? 'spam' : 'inbox'),
    status: readKnown(search, 'status', filterTable.status.values),
  }
}

/**
 * The stage of an address. A plain address opens the open items. One that asks for anything else and names no stage means
 * open and done items, as saved views and links from before there were stages do.
 */
function readStage(search: URLSearchParams): Stage {
  const { location, status } = readPlace(search)
  if (location !== 'inbox') return 'all'
  if (status.length > 0) return findStage(status)
  const named = stages.find((each) => each === search.get('stage'))
  if (named !== undefined) return named
  return [...search.keys()].every((name) => ['sort', 'group', 'item'].includes(name)) ? 'open' : 'all'
}

/** The stage that selected statuses lie in. */
function findStage(statuses: readonly FeedbackStatus[]): Stage {
  return inboxStages.find((stage) => statuses.every((status) => stageStatuses[stage].includes(status))) ?? 'all'
}

function readKnown<T extends string>(search: URLSearchParams, name: string, known: readonly T[]): T[] {
  const given = new Set(search.getAll(name))
  return known.filter((value) => given.has(value))
}

function readIds(search: URLSearchParams, name: string, extra?: string): string[] {
  return [...new Set(search.getAll(name).map((id) => id.toLowerCase()))]
    .filter((id) => isUuid(id) || id === extra)
    .sort()
    .slice(0, maxValues)
}

function readTags(given: readonly string[]): string[] {
  const byLower = new Map(
    given
      .map((tag) => cleanLine(tag, maxTagLength))
      .filter((tag) => tag !== '')
      .map((tag) => [lowerCase(tag), tag]),
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
  return id !== undefined && isUuid(id) ? id : undefined
}

/** The open item's id, if the address names one. */
export function readItemId(search: URLSearchParams): string | undefined {
  return readId(search, 'item')
}

/** The address's search part for a state of the inbox: `?status=new&item=…`, or nothing. */
export function writeInboxSearch(filters: Filters, itemId: string | undefined): string {
  const search = new URLSearchParams()
  if (filters.location !== 'inbox') search.set('location', filters.location)
  for (const name of listFilters) for (const value of filters[name]) search.append(name, value)
  if (filters.unread) search.set('unread', 'true')
  if (filters.unanswered) search.set('unanswered', 'true')
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
  if (filters.group !== 'none') search.set('group', filters.group)
  if (filters.view !== '') search.set('view', filters.view)
  if (filters.location === 'inbox' && readStage(search) !== filters.stage) search.set('stage', filters.stage)
  if (itemId !== undefined) search.set('item', itemId)
  return search.size > 0 ? `?${search}` : ''
}

/** The filters as the API's selection: what is listed, changed together and exported. */
export function toSelection(filters: Filters, now = new Date()): FeedbackSelection {
  const times = filters.date ? toTimes(filters.date, now) : {}
  const all: { readonly [Name in FilterName]: FeedbackSelection[Name] | undefined } = {
    status: toAsked(
      filters.status.length > 0 || filters.stage === 'all' ? filters.status : stageStatuses[filters.stage],
    ),
    priority: toAsked(filters.priority),
    type: toAsked(filters.type),
    source: toAsked(filters.source),
    media: toAsked(filters.media),
    rating: toAsked(filters.rating.map(Number)),
    tag: toAsked(filters.tag),
    assignee: toAsked(filters.assignee),
    projectId: toAsked(filters.project),
    unread: filters.unread || undefined,
    unanswered: filters.unanswered || undefined,
    visitor: filters.visitor || undefined,
    from: times.from,
    to: times.to,
    location: filters.location === defaultLocation ? undefined : filters.location,
    q: filters.q || undefined,
  }
  // Without what is undefined, which an exact optional field must not be; `Object.fromEntries` forgets the names.
  return Object.fromEntries(Object.entries(all).filter(([, asked]) => asked !== undefined)) as FeedbackSelection
}

function toAsked<T>(values: readonly T[]): T[] | undefined {
  return values.length > 0 ? [...values] : undefined
}

/** The filters as the API's query. */
export function toQuery(filters: Filters, now = new Date()): FeedbackQuery {
  return { ...toSelection(filters, now), ...(filters.sort !== 'newest' && { sort: filters.sort }) }
}

/** Whether anything narrows the location or the stage. */
export function hasFilters(filters: Filters): boolean {
  return (
    listFilters.some((name) => filters[name].length > 0) ||
    filters.unread ||
    filters.unanswered ||
    filters.visitor !== '' ||
    filters.date !== undefined ||
    filters.q !== ''
  )
}

/** The location and stage with nothing that narrows them; their order and groups stay. */
export function clearFilters({ location, stage, sort, group }: Filters): Filters {
  return { ...noFilters, location, stage, sort, group }
}

/** Another location, or another stage of the inbox. Only the selected projects, the order and the groups stay. */
export function goToPlace(filters: Filters, location: InboxLocation, stage: Stage): Filters {
  return { ...clearFilters({ ...filters, location, stage }), project: filters.project }
}

/** The filters with one list replaced, its values in order and without repetition. */
export function changeFilter(filters: Filters, name: ListFilter, values: readonly string[]): Filters {
  const search = new URLSearchParams(values.map((value) => [name, value]))
  const changed: Filters = { ...filters, [name]: readFilters(search)[name] }
  const isStaged = changed.location === 'inbox' && changed.status.length > 0
  return isStaged ? { ...changed, stage: findStage(changed.status) } : changed
}
