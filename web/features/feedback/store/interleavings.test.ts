import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { createListMatcher } from '../filters/match-filters.ts'
import { type OwnChange, SimulatedInbox, simulatedChanges, simulatedLists } from './simulated-inbox.ts'
import { type ChangedField, now, type SimulatedChange } from './simulated-server.ts'
import { compareItems } from './sort-items.ts'

const runs = 10_000
const listNames = Object.keys(simulatedLists)
const matchers = new Map(
  Object.entries(simulatedLists).map(([name, filters]) => [name, createListMatcher(filters, now)]),
)
const matches = (list: string, row: FeedbackListItem) => matchers.get(list)?.(row) === true
/** Their order follows from what never changes, so that they are right without being read again. */
const fixedOrder = ['inbox', 'oldest', 'unread', 'archived', 'snoozed']

describe('the store', () => {
  it(`equals the server after each of ${runs} interleavings, and takes no change back on the way`, () => {
    const property = fc.property(fc.array(fc.nat(1_000_000), { minLength: 10, maxLength: 70 }), (choices) => {
      run(choices)
    })
    fc.assert(property, { numRuns: runs, seed: 11 })
  }, 120_000)
})

function run(choices: readonly number[]): void {
  const versions = new Map<string, number>()
  const inbox = new SimulatedInbox(() => checkStep(inbox, versions))
  for (let index = 0; index < 5; index += 1) inbox.server.create(index % 2 === 0)
  inbox.server.notices.length = 0
  inbox.readList('inbox')
  for (const choice of choices) step(inbox, choice)
  inbox.settle()
  for (const list of inbox.lists.keys()) if (fixedOrder.includes(list)) expectServerRows(inbox, list)
  inbox.readLists()
  inbox.settle()
  for (const list of inbox.lists.keys()) expectServerRows(inbox, list)
}

/** One thing that happens, chosen by a number. */
function step(inbox: SimulatedInbox, choice: number): void {
  const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(choice / 20) % values.length]
  const { server } = inbox
  const serverIds = [...server.items.keys()]
  const knownIds = [...inbox.state.items.keys()]
  const id = pick(serverIds)
  const change = simulatedChanges[Math.floor(choice / 20 / 64) % simulatedChanges.length] as SimulatedChange
  const ownId = pick(knownIds)
  const steps: Readonly<Record<number, () => unknown>> = {
    0: () => serverIds.length < 9 && server.create(choice % 40 === 0),
    1: () => id && server.change([id], change, 'colleague'),
    2: () => server.change(serverIds.slice(0, (choice % 7) + 1), change, 'colleague'),
    3: () => id && choice % 3 === 0 && server.remove(id),
    4: () => inbox.readList(pick(listNames) as string),
    5: () => inbox.readMore(pick(listNames) as string),
    6: () => id && inbox.readItem(id),
    7: () => changeOne(inbox, ownId, change, choice),
    8: () => knownIds.length > 1 && inbox.changeMany(knownIds.slice(0, 2 + (choice % 4)), change, isEvery(choice, 7)),
    9: () => undo(inbox, choice),
    10: () => isEvery(choice, 3).isRefused && inbox.reconnect(),
    11: () => toggleOpen(inbox, ownId),
    12: () => server.notices.length > 0 && sendTwice(inbox, choice),
    13: () => id && server.visitorWrites(id),
  }
  const kind = choice % 20
  if (steps[kind]) steps[kind]()
  else if (kind < 15) inbox.sendEvent()
  else if (kind < 17) inbox.receiveEvent()
  else inbox.advance(Math.floor(choice / 20) % Math.max(1, inbox.requests.length))
}

function isEvery(choice: number, count: number) {
  return { isRefused: Math.floor(choice / 2000) % count === 0 }
}

function changeOne(inbox: SimulatedInbox, id: string | undefined, change: SimulatedChange, choice: number): void {
  // The real queue makes one's own changes one after another.
  const isBusy = inbox.changes.some(({ state, itemIds }) => state === 'sent' && itemIds.length === 1)
  if (id === undefined || (isBusy && change.viewed === undefined)) return
  inbox.changeOne(id, change, { isLost: choice % 11 === 0, ...isEvery(choice, 9) })
}

function undo(inbox: SimulatedInbox, choice: number): void {
  const many = inbox.changes.filter(({ state, before }) => state === 'confirmed' && before.size > 0)
  const own = many[Math.floor(choice / 20) % Math.max(1, many.length)]
  if (own) inbox.undoMany(own)
}

function toggleOpen(inbox: SimulatedInbox, id: string | undefined): void {
  inbox.openId = inbox.openId === undefined ? id : undefined
}

function sendTwice(inbox: SimulatedInbox, choice: number): void {
  inbox.sendEvent()
  const last = inbox.events.at(-1)
  if (last && choice % 2 === 0) inbox.events.push(last)
}

function checkStep(inbox: SimulatedInbox, versions: Map<string, number>): void {
  const { items } = inbox.state
  for (const [id, { row }] of items) {
    const before = versions.get(id) ?? 0
    if (row.version < before) fail(`${row.number} fell from version ${before} to ${row.version}`)
    versions.set(id, row.version)
  }
  for (const list of inbox.lists.keys()) checkList(inbox, list)
  checkOwnChanges(inbox)
}

function checkList(inbox: SimulatedInbox, list: string): void {
  const filters = simulatedLists[list]
  const rows = inbox.rows(list)
  if (!filters) return
  if (new Set(rows.map(({ id }) => id)).size < rows.length) fail(`${list} shows an item twice`)
  for (const row of rows) {
    if (row.id !== inbox.openId && !matches(list, row)) fail(`${list} shows what its filters leave out`)
  }
  const places = inbox.state.lists.get(list)?.places ?? []
  const keys = fixedOrder.includes(list) ? rows : places.map(({ by }) => by)
  for (const [index, key] of keys.entries()) {
    const next = keys[index + 1]
    if (next && compareItems(key, next, filters.sort) > 0) fail(`${list} is out of order`)
  }
  if (filters.q === '') checkMissing(inbox, list, new Set(rows.map(({ id }) => id)))
}

/** An item that was announced as it is now is in every list that has been read and lets it through. */
function checkMissing(inbox: SimulatedInbox, list: string, shownIds: ReadonlySet<string>): void {
  const filters = simulatedLists[list]
  const end = inbox.lists.get(list)?.end
  if (!filters || end === undefined) return
  for (const [id, { row, shown, missedAt }] of inbox.state.items) {
    if (inbox.isAnnouncing(id)) continue
    const isPresent = row === shown && isSame(inbox.server.read(id), row)
    const isRead = end === null || compareItems(row, end, filters.sort) <= 0
    const isExpected = isPresent && isRead && missedAt === undefined && matches(list, row)
    if (isExpected && !shownIds.has(id) && fixedOrder.includes(list)) fail(`${list} lacks ${row.number}`)
  }
}

function checkOwnChanges(inbox: SimulatedInbox): void {
  const { changes, state, server } = inbox
  for (const [id, { shown }] of state.items) {
    const own = changes.filter(({ itemIds, state }) => itemIds.includes(id) && state !== 'ended')
    for (const field of [
      'status',
      'priority',
      'assigneeId',
      'archived',
      'snoozedUntil',
      'deleted',
      'viewed',
    ] as const) {
      const about = own.filter(({ change }) => change[field] !== undefined)
      // Of several that are on their way, the server decides which is done last.
      const isOpen = ({ state }: OwnChange) => state === 'sent' || state === 'undoing'
      if (about.filter(isOpen).length > 1 || about.some(({ state }) => state === 'undoing')) continue
      if (isMove(field) && own.filter(isMoving).length > 1) continue
      const last = about.at(-1)
      const isLast = last?.state === 'sent' || server.items.get(id)?.writers.get(field) === last?.changeId
      if (last && isLast && !shows(shown, field, last.change)) {
        fail(`${shown.number} lost ${last.changeId} (${last.state}): ${JSON.stringify(last.change)}`)
      }
    }
  }
}

const isMove = (field: ChangedField) => field === 'archived' || field === 'snoozedUntil' || field === 'deleted'
const isMoving = ({ change }: OwnChange) =>
  change.archived !== undefined ||
  change.snoozedUntil !== undefined ||
  change.deleted !== undefined ||
  // It ends a snooze.
  change.status === 'resolved'

function shows(row: FeedbackListItem, field: ChangedField, change: SimulatedChange): boolean {
  if (field === 'viewed') return row.unread !== change.viewed
  if (field === 'deleted') return (row.location === 'trash') === change.deleted
  // In the trash, whether it is archived does not show.
  if (field === 'archived') return row.location === 'trash' || (row.location === 'archived') === change.archived
  return row[field] === change[field]
}

function expectServerRows(inbox: SimulatedInbox, list: string): void {
  const filters = simulatedLists[list]
  const end = inbox.lists.get(list)?.end
  if (!filters || end === undefined) return
  const rows = inbox.server.list(filters).filter((row) => end === null || compareItems(row, end, filters.sort) <= 0)
  const shown = inbox.rows(list).filter((row) => row.id !== inbox.openId || matches(list, row))
  if (JSON.stringify(shown) === JSON.stringify(rows)) return
  const name = ({ number, version, location }: FeedbackListItem) => `#${number} v${version} ${location}`
  expect({ list, rows: shown.map(name) }).toEqual({ list, rows: rows.map(name) })
  expect(shown).toEqual(rows)
}

function fail(message: string): never {
  throw new Error(message)
}

function isSame(a: FeedbackListItem | undefined, b: FeedbackListItem): boolean {
  return a === b || (a?.version === b.version && JSON.stringify(a) === JSON.stringify(b))
}
