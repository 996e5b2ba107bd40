import { maxRange } from '../histogram.ts'
import type { DayCount } from './count-day.queries.ts'
import { nameBrowser, nameCountry, namePage } from './name-origin.ts'

/** A row of feedback_days without its organisation and day. */
export interface FoldedDay {
  readonly scopeId: string
  items: number
  readonly types: Record<string, number>
  readonly sources: Record<string, number>
  readonly statuses: Record<string, number>
  readonly ratings: number[]
  readonly nps: number[]
  readonly firstView: number[]
  readonly firstResponse: number[]
  readonly resolution: number[]
  inboxUnread: number
  inboxNew: number
  readonly inboxPriorities: Record<string, number>
  readonly inboxAssignees: Record<string, number>
}

/** A row of feedback_day_values without its organisation and day. */
export interface FoldedValue {
  readonly scopeId: string
  readonly dimension: 'page' | 'browser' | 'country'
  /** Empty: unknown, or rarer than those that are kept. */
  readonly value: string
  readonly n: number
}

/** Rarer ones are counted together: a site with a page for each visitor must not cost a row for each. */
const keptValuesPerDay = 40

/** Turns counts per project into the day's rows: one for each project, and one for the organisation with all of them. */
export function foldDay(
  organizationId: string,
  counts: readonly DayCount[],
): { days: FoldedDay[]; values: FoldedValue[] } {
  const days = new Map<string, FoldedDay>()
  const values = new Map<string, Map<FoldedValue['dimension'], Map<string, number>>>()
  for (const { projectId, dimension, value, n } of counts) {
    for (const scopeId of [projectId, organizationId]) {
      const origin = nameOrigin(dimension, value)
      if (origin) {
        const own = getOrMake(values, scopeId, () => new Map<FoldedValue['dimension'], Map<string, number>>())
        const named = getOrMake(own, origin.dimension, () => new Map<string, number>())
        named.set(origin.value, (named.get(origin.value) ?? 0) + n)
      } else
        addToDay(
          getOrMake(days, scopeId, () => makeDay(scopeId)),
          dimension,
          value,
          n,
        )
    }
  }
  return {
    days: [...days.values()],
    values: [...values].flatMap(([scopeId, dimensions]) =>
      [...dimensions].flatMap(([dimension, named]) =>
        keepMostFrequent(named).map(([value, n]) => ({ scopeId, dimension, value, n })),
      ),
    ),
  }
}

function nameOrigin(dimension: string, value: string): Pick<FoldedValue, 'dimension' | 'value'> | undefined {
  if (dimension === 'page') return { dimension, value: namePage(value) }
  if (dimension === 'browser') return { dimension, value: nameBrowser(value) }
  if (dimension === 'language') return { dimension: 'country', value: nameCountry(value) }
  return undefined
}

function keepMostFrequent(named: ReadonlyMap<string, number>): [string, number][] {
  const known = [...named].filter(([value]) => value !== '').sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  const rest = known.slice(keptValuesPerDay).reduce((sum, [, n]) => sum + n, named.get('') ?? 0)
  const others: [string, number][] = rest > 0 ? [['', rest]] : []
  return [...known.slice(0, keptValuesPerDay), ...others]
}

function addToDay(day: FoldedDay, dimension: string, value: string, n: number): void {
  switch (dimension) {
    case 'items':
      day.items += n
      break
    case 'type':
      add(day.types, value, n)
      break
    case 'source':
      add(day.sources, value, n)
      break
    case 'status':
      add(day.statuses, value, n)
      break
    case 'rating':
      addAt(day.ratings, Number(value) - 1, n)
      break
    case 'nps':
      addAt(day.nps, Number(value), n)
      break
    case 'first_view':
      addAt(day.firstView, Number(value), n)
      break
    case 'first_response':
      addAt(day.firstResponse, Number(value), n)
      break
    case 'resolution':
      addAt(day.resolution, Number(value), n)
      break
    case 'inbox_unread':
      day.inboxUnread += n
      break
    case 'inbox_new':
      day.inboxNew += n
      break
    case 'inbox_priority':
      add(day.inboxPriorities, value, n)
      break
    case 'inbox_assignee':
      add(day.inboxAssignees, value, n)
      break
    default:
      throw new Error(`unknown dimension ${dimension}`)
  }
}

function makeDay(scopeId: string): FoldedDay {
  const zeros = (length: number) => new Array<number>(length).fill(0)
  return {
    scopeId,
    items: 0,
    types: {},
    sources: {},
    statuses: {},
    ratings: zeros(5),
    nps: zeros(11),
    firstView: zeros(maxRange + 1),
    firstResponse: zeros(maxRange + 1),
    resolution: zeros(maxRange + 1),
    inboxUnread: 0,
    inboxNew: 0,
    inboxPriorities: {},
    inboxAssignees: {},
  }
}

function add(counts: Record<string, number>, value: string, n: number): void {
  counts[value] = (counts[value] ?? 0) + n
}

function addAt(counts: number[], index: number, n: number): void {
  counts[index] = (counts[index] ?? 0) + n
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
