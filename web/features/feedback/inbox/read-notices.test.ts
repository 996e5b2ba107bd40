import { hashKey, QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import type { ChangeNotice, FeedbackListItem } from '#contract/feedback.ts'
import { inboxQuery, type ListPages } from '../feedback-queries.ts'
import { storeOf } from '../feedback-store.ts'
import { type Filters, noFilters } from '../filters/feedback-filters.ts'
import { selectRows } from '../store/select-rows.ts'
import { SimulatedServer } from '../store/simulated-server.ts'
import { bringInRows } from './read-notices.ts'

const organizationId = '019f7f00-0000-7000-8000-00000000000b'
const server = new SimulatedServer()
const [known, other] = [createRow(), createRow()]

function createRow(): FeedbackListItem {
  return server.read(server.create(false)) as FeedbackListItem
}

/** An inbox that has read its only page, which contains the known row. */
function openInbox(filters: Filters = noFilters) {
  const queryClient = new QueryClient()
  const { queryKey } = inboxQuery(organizationId, filters)
  const list = hashKey(queryKey)
  const store = storeOf(queryClient, organizationId)
  const requestedAt = store.requestTime()
  store.dispatch({ type: 'page read', list, filters, rows: [known], after: undefined, isLast: true, requestedAt })
  const page = { list, count: 1, end: null, nextCursor: null, similarWords: {} }
  queryClient.setQueryData<ListPages>(queryKey, { pages: [page], pageParams: [undefined] })
  const inbox = { queryClient, organizationId, filters, reread: vi.fn(), onArrived: vi.fn() }
  const request = vi.spyOn(globalThis, 'fetch')
  return {
    ...inbox,
    request,
    receive: (kind: ChangeNotice['kind'], ids: string[], rows: FeedbackListItem[]) =>
      bringInRows(inbox, { kind, ids, items: rows }, rows),
    rows: () => selectRows(store.getState(), list, null, undefined, new Date()),
  }
}

afterEach(() => vi.restoreAllMocks())

it('shows the row of a new item without reading anything', () => {
  const inbox = openInbox()
  expect(inbox.receive('feedback.created', [other.id], [other])).toEqual([])
  expect(inbox.rows()).toEqual([other, known])
  expect(inbox.onArrived).toHaveBeenCalledWith([other.id])
  expect(inbox.reread).not.toHaveBeenCalled()
  expect(inbox.request).not.toHaveBeenCalled()
})

it('shows the row of a changed item without reading anything', () => {
  const inbox = openInbox()
  const changed: FeedbackListItem = { ...known, location: 'archived', version: 2 }
  expect(inbox.receive('feedback.updated', [known.id], [changed])).toEqual([])
  expect(inbox.rows()).toEqual([])
  expect(inbox.onArrived).not.toHaveBeenCalled()
  expect(inbox.request).not.toHaveBeenCalled()
})

it('asks to read an item that came without a row: it may be deleted', () => {
  const inbox = openInbox()
  expect(inbox.receive('feedback.updated', [known.id, other.id], [other])).toEqual([known.id])
})

it('asks to read new items during a search, whose words only the server can look for', () => {
  const inbox = openInbox({ ...noFilters, q: 'chair' })
  expect(inbox.receive('feedback.created', [other.id], [other])).toEqual([other.id])
  expect(inbox.rows()).toEqual([known])
})
