import type { FeedbackListItem } from '#contract/feedback.ts'
import type { InboxSort } from '#contract/inbox.ts'
import { createListMatcher } from '../filters/match-filters.ts'
import type { InboxAction, InboxState, KnownItem, PendingChange, Place, StoredList } from './inbox-state.ts'
import { isContradicted, isMarkContradicted, releaseItem, showRow } from './overlay.ts'
import { insertPlaces, isWithin, joinPlaces, type Span } from './places.ts'
import type { SortKey } from './sort-items.ts'

/** A state while it is being made. */
interface Draft {
  readonly clock: number
  readonly now: Date
  items: Map<string, KnownItem>
  gone: Map<string, number>
  lists: Map<string, StoredList>
  pending: readonly PendingChange[]
  doubtful: string[]
}

type ActionOf<T extends InboxAction['type']> = Extract<InboxAction, { type: T }>

/**
 * The state after an action. An older version never replaces a newer one, and a pending change shows until the server has
 * refused it or a read contains it.
 * @param now for filters by day
 */
export function reduce(state: InboxState, action: InboxAction, now: Date): InboxState {
  const draft: Draft = {
    clock: state.clock + 1,
    now,
    items: new Map(state.items),
    gone: new Map(state.gone),
    lists: new Map(state.lists),
    pending: state.pending,
    doubtful: [],
  }
  apply(draft, action)
  const { clock, items, gone, lists, pending, doubtful } = draft
  return { clock, items, gone, lists, pending, doubtful }
}

function apply(draft: Draft, action: InboxAction): void {
  if (action.type === 'page read') readPage(draft, action)
  else if (action.type === 'item read') placeRows(draft, acceptRows(draft, [action.row], action.requestedAt))
  else if (action.type === 'item gone') removeItem(draft, action)
  else if (action.type === 'rows announced') announceRows(draft, action.rows)
  else if (action.type === 'change made') addChange(draft, action)
  else if (action.type === 'change confirmed') confirmChange(draft, action)
  else if (action.type === 'list forgotten') forgetList(draft, action.list)
  else dropChange(draft, action.changeId)
}

/**
 * Takes in what the server says of items.
 * @param requestedAt undefined: announced, which is newer than any read that was requested before
 * @returns the rows that were newer than what was known
 */
function acceptRows(
  draft: Draft,
  rows: readonly FeedbackListItem[],
  requestedAt: number | undefined,
): FeedbackListItem[] {
  const asOf = requestedAt ?? draft.clock
  return rows.filter((row) => {
    if (isGone(draft, row.id, requestedAt)) return false
    const known = draft.items.get(row.id)
    const isOlder = known && !isNewerThan(known, row, asOf)
    draft.pending = releaseItem(draft.pending, isOlder ? known.row : row, requestedAt)
    if (isOlder) {
      draft.items.set(row.id, { ...known, shown: showRow(draft.pending, known.row) })
      return false
    }
    // The same object for the same content: what shows it need not be drawn again.
    const next = known && JSON.stringify(known.row) === JSON.stringify(row) ? known.row : row
    draft.items.set(row.id, {
      row: next,
      asOf: Math.max(asOf, known?.asOf ?? 0),
      confirmedAt: known?.confirmedAt ?? 0,
      missedAt: undefined,
      shown: showRow(draft.pending, next),
    })
    if (requestedAt !== undefined && isMarkContradicted(draft.pending, next, requestedAt)) draft.doubtful.push(row.id)
    return true
  })
}

function announceRows(draft: Draft, rows: readonly FeedbackListItem[]): void {
  const accepted = acceptRows(draft, rows, undefined)
  placeRows(draft, accepted)
  draft.doubtful.push(...accepted.filter((row) => isContradicted(draft.pending, row)).map(({ id }) => id))
}

function isNewerThan({ row: known, asOf, missedAt = 0 }: KnownItem, row: FeedbackListItem, rowAsOf: number) {
  return row.version > known.version || (row.version === known.version && rowAsOf >= Math.max(asOf, missedAt))
}

/** A deleted item does not come back with a late answer; only a read requested later could show that it can be read again. */
function isGone(draft: Draft, id: string, requestedAt: number | undefined): boolean {
  const goneAt = draft.gone.get(id)
  if (goneAt === undefined) return false
  if (requestedAt === undefined || requestedAt <= goneAt) return true
  draft.gone.delete(id)
  return false
}

/**
 * Puts rows into every list whose filters let them through. Whether a row contains the words of a search, only the
 * server knows.
 */
function placeRows(draft: Draft, rows: readonly FeedbackListItem[], exceptKey?: string): void {
  if (rows.length === 0) return
  for (const [key, list] of draft.lists) {
    const { filters, places } = list
    if (filters.q !== '' || key === exceptKey) continue
    const placed = new Set(places.map(({ id }) => id))
    const matches = createListMatcher(filters, draft.now)
    const missing = rows.filter((row) => !placed.has(row.id) && matches(row))
    if (missing.length > 0) draft.lists.set(key, { filters, places: insertPlaces(places, missing, filters.sort) })
  }
}

function readPage(draft: Draft, action: ActionOf<'page read'>): void {
  const { list: key, filters, rows, requestedAt, after } = action
  const before = draft.lists.get(key)
  const accepted = new Set(acceptRows(draft, rows, requestedAt))
  placeRows(draft, [...accepted], key)
  const places = before?.places ?? []
  const placed = new Set(places.map(({ id }) => id))
  const page = rows.filter((row) => {
    const known = draft.items.get(row.id)
    // A later read of this list, which came first, did not contain it any more.
    const isOutdated = !accepted.has(row) && known?.missedAt !== undefined && !placed.has(row.id)
    return known !== undefined && !draft.gone.has(row.id) && !isOutdated
  })
  const last = rows.at(-1) ?? after
  const span: Span | undefined = action.isLast ? { after, end: null } : last && { after, end: last }
  const rest = listOutside(draft, { filters, places }, new Set(page.map(({ id }) => id)), span, requestedAt)
  draft.lists.set(key, { filters, places: mergePage(draft, rest, page, filters.sort) })
  if (before) return
  // Rows announced while a list was read for the first time are newer than the answer.
  const newer = [...draft.items.values()].filter(
    ({ asOf, confirmedAt, missedAt }) => Math.max(asOf, confirmedAt) > requestedAt && missedAt === undefined,
  )
  placeRows(
    draft,
    newer.map(({ row }) => row),
  )
}

interface OutsidePlaces {
  readonly staying: readonly Place[]
  /** They stood in the span; their newer rows may belong elsewhere. */
  readonly moved: readonly SortKey[]
}

/** The places that a page leaves in its list: what its span should contain, and does not any more, leaves it. */
function listOutside(
  draft: Draft,
  { filters, places }: StoredList,
  inPage: ReadonlySet<string>,
  span: Span | undefined,
  requestedAt: number,
): OutsidePlaces {
  const staying: Place[] = []
  const moved: SortKey[] = []
  const matches = createListMatcher(filters, draft.now)
  for (const place of places) {
    const known = draft.items.get(place.id)
    if (inPage.has(place.id) || !known) continue
    const { row } = known
    const isExpected = span !== undefined && isWithin(row, span, filters.sort)
    const isRead = isExpected || (span !== undefined && isWithin(place.by, span, filters.sort))
    if (!isRead) staying.push(place)
    else if (!isExpected || known.asOf > requestedAt) moved.push(row)
    else if (isHeld(draft, known, requestedAt)) {
      moved.push(row)
      draft.doubtful.push(place.id)
    } else if (matches(row)) {
      draft.items.set(place.id, { ...known, missedAt: Math.max(requestedAt, known.missedAt ?? 0) })
    }
  }
  return { staying, moved }
}

/** Whether one's own change of the item is pending or was confirmed since a list was requested, which may lack it for that. */
function isHeld({ pending }: Draft, { row, confirmedAt }: KnownItem, requestedAt: number): boolean {
  return (
    confirmedAt > requestedAt ||
    pending.some(
      (each) => each.itemIds.has(row.id) && (each.confirmedAt === undefined || each.confirmedAt > requestedAt),
    )
  )
}

function mergePage(
  draft: Draft,
  { staying, moved }: OutsidePlaces,
  page: readonly FeedbackListItem[],
  sort: InboxSort,
): readonly Place[] {
  const inOrder: Place[] = []
  const elsewhere = [...moved]
  for (const row of page) {
    const known = draft.items.get(row.id)?.row ?? row
    // Changed since this answer was made: it stands where its newer row belongs.
    if (known.version === row.version) inOrder.push({ id: row.id, by: row })
    else elsewhere.push(known)
  }
  return insertPlaces(joinPlaces(staying, inOrder, sort), elsewhere, sort)
}

function removeItem(draft: Draft, { id, requestedAt }: ActionOf<'item gone'>): void {
  draft.items.delete(id)
  draft.gone.set(id, requestedAt)
  for (const [key, { filters, places }] of draft.lists) {
    const left = places.filter((place) => place.id !== id)
    if (left.length < places.length) draft.lists.set(key, { filters, places: left })
  }
}

const unconfirmed = { confirmedAt: undefined, confirmedVersion: undefined }

function addChange(draft: Draft, { changeId, itemIds, change }: ActionOf<'change made'>): void {
  const ids = new Set(itemIds)
  const madeAt = draft.now.toISOString()
  draft.pending = [...draft.pending, { changeId, itemIds: ids, change, madeAt, ...unconfirmed }]
  showAgain(draft, ids)
}

function confirmChange(draft: Draft, { changeId, answer }: ActionOf<'change confirmed'>): void {
  draft.pending = draft.pending.map((each) => {
    if (each.changeId !== changeId) return each
    // A view counts no version up: it shows until a later read.
    return {
      ...each,
      confirmedAt: draft.clock,
      confirmedVersion: 'one' in each.change ? answer?.row.version : undefined,
    }
  })
  if (!answer) return
  const { row, requestedAt } = answer
  const accepted = acceptRows(draft, [row], requestedAt)
  const known = draft.items.get(row.id)
  if (known) draft.items.set(row.id, { ...known, confirmedAt: draft.clock })
  placeRows(draft, accepted)
  if (known && isMarkContradicted(draft.pending, known.row, requestedAt)) draft.doubtful.push(row.id)
}

function dropChange(draft: Draft, changeId: string): void {
  const dropped = draft.pending.find((each) => each.changeId === changeId)
  if (!dropped) return
  draft.pending = draft.pending.filter((each) => each !== dropped)
  for (const id of dropped.itemIds) {
    const known = draft.items.get(id)
    if (known) draft.pending = releaseItem(draft.pending, known.row, undefined)
  }
  showAgain(draft, dropped.itemIds)
}

function showAgain(draft: Draft, ids: Iterable<string>): void {
  for (const id of ids) {
    const known = draft.items.get(id)
    if (known) draft.items.set(id, { ...known, shown: showRow(draft.pending, known.row) })
  }
}

/** Items that no list contains and nothing is pending for are forgotten with the list. */
function forgetList(draft: Draft, key: string): void {
  if (!draft.lists.delete(key)) return
  const kept = new Set([...draft.lists.values()].flatMap(({ places }) => places.map(({ id }) => id)))
  for (const { itemIds } of draft.pending) for (const id of itemIds) kept.add(id)
  for (const id of draft.items.keys()) if (!kept.has(id)) draft.items.delete(id)
}
