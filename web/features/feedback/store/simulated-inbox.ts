import type { FeedbackListItem } from '#contract/feedback.ts'
import { type Filters, noFilters } from '../filters/feedback-filters.ts'
import { emptyState, type InboxAction, type InboxState } from './inbox-state.ts'
import { reduce } from './reduce.ts'
import { requestTime } from './request-time.ts'
import { selectRows } from './select-rows.ts'
import { type FormerItem, me, now, type Page, type SimulatedChange, SimulatedServer } from './simulated-server.ts'
import type { SortKey } from './sort-items.ts'

const pageSize = 3
/** A notice of more items comes without rows, as the real one of more than 50. */
const maxRows = 4

export const simulatedLists: Readonly<Record<string, Filters>> = {
  inbox: noFilters,
  oldest: { ...noFilters, sort: 'oldest', status: ['new', 'open'] },
  unread: { ...noFilters, unread: true },
  archived: { ...noFilters, location: 'archived' },
  snoozed: { ...noFilters, location: 'snoozed', stage: 'all' },
  priority: { ...noFilters, sort: 'priority' },
  updated: { ...noFilters, sort: 'updated', assignee: ['none'] },
  search: { ...noFilters, q: 'chair' },
}

/** A request on its way to the server (`served` undefined) or its answer on its way back. */
interface Request {
  readonly list?: string
  /** Whose read it is, of one item. */
  readonly item?: string
  readonly serve: () => () => void
  deliver?: () => void
}

interface OpenList {
  /** Pages that the person has scrolled down to. */
  wanted: number
  /** Undefined: the list was not read yet. */
  end: SortKey | null | undefined
}

export interface OwnChange {
  readonly changeId: string
  readonly itemIds: readonly string[]
  readonly change: SimulatedChange
  state: 'sent' | 'confirmed' | 'undoing' | 'ended'
  /** Of a change of many: how to undo it, as the server remembers. */
  readonly before: Map<string, FormerItem>
}

/** A browser with the store in it, and the network between it and the server: the test decides what happens when. */
export class SimulatedInbox {
  state: InboxState = emptyState
  readonly server = new SimulatedServer()
  readonly lists = new Map<string, OpenList>()
  readonly changes: OwnChange[] = []
  requests: Request[] = []
  /** Live events between server and browser, with the rows that the server read for them. */
  events: { readonly ids: readonly string[]; readonly receive: () => void }[] = []
  openId: string | undefined
  /** Items whose notices were lost with the connection: the lists that are read again contain them. */
  #lostIds: ReadonlySet<string> = new Set()
  #changeIds = 0
  readonly #onAction: () => void

  constructor(onAction: () => void) {
    this.#onAction = onAction
  }

  dispatch(action: InboxAction): void {
    this.state = reduce(this.state, action, now)
    this.#onAction()
    for (const id of this.state.doubtful) this.readItem(id)
  }

  rows(list: string): FeedbackListItem[] {
    const end = this.lists.get(list)?.end
    return end === undefined ? [] : selectRows(this.state, list, end, this.openId, now)
  }

  /** Reads a list from its beginning, as far as it was read before. Reading it earlier is aborted. */
  readList(list: string): void {
    const open = this.lists.get(list) ?? { wanted: 1, end: undefined }
    this.lists.set(list, open)
    this.requests = this.requests.filter((each) => each.list !== list)
    this.#readPage(list, open, undefined, open.wanted)
  }

  readMore(list: string): void {
    const open = this.lists.get(list)
    const isReading = this.requests.some((each) => each.list === list)
    if (!open?.end || isReading) return
    open.wanted += 1
    this.#readPage(list, open, open.end, 1)
  }

  #readPage(list: string, open: OpenList, after: SortKey | undefined, left: number): void {
    const filters = simulatedLists[list] ?? noFilters
    const requestedAt = requestTime(this.state)
    const deliver = ({ rows, isLast }: Page) => {
      const end = isLast ? null : (rows.at(-1) ?? after)
      this.dispatch({ type: 'page read', list, filters, rows, after, isLast, requestedAt })
      if (end && left > 1) this.#readPage(list, open, end, left - 1)
      else {
        if (end === null) open.wanted -= left - 1
        open.end = end
      }
    }
    this.#request(() => this.server.page(filters, after, pageSize), deliver, { list })
  }

  readItem(id: string): void {
    const requestedAt = requestTime(this.state)
    this.#request(
      () => this.server.read(id),
      (row) => {
        if (row) this.dispatch({ type: 'item read', row, requestedAt })
        else this.dispatch({ type: 'item gone', id, requestedAt })
      },
      { item: id },
    )
  }

  /** Changes one item; `isLost`: the server does it, and its answer never arrives. */
  changeOne(id: string, change: SimulatedChange, { isLost = false, isRefused = false } = {}): void {
    const own = this.#make([id], change)
    const requestedAt = requestTime(this.state)
    const version = this.state.items.get(id)?.row.version
    this.#request(
      () => {
        const row = this.server.read(id)
        // A view is not refused when someone has changed the item.
        const isConflict = row === undefined || (row.version !== version && change.viewed === undefined)
        if (isRefused || isConflict) return undefined
        this.server.change([id], change, own.changeId)
        return this.server.read(id)
      },
      (row) => {
        if (row && !isLost) {
          own.state = 'confirmed'
          this.dispatch({ type: 'change confirmed', changeId: own.changeId, answer: { row, requestedAt } })
        } else this.#end(own, 'change rejected')
      },
    )
  }

  changeMany(ids: readonly string[], change: SimulatedChange, { isRefused = false } = {}): void {
    const own = this.#make(ids, change)
    const finish = () => {
      own.state = 'confirmed'
      this.dispatch({ type: 'change confirmed', changeId: own.changeId })
      this.readLists()
    }
    const step = (left: readonly string[]): void =>
      this.#request(
        () => !isRefused && this.#changeOnServer(own, left.slice(0, 2)),
        (isDone) => {
          if (!isDone) this.#end(own, 'change rejected')
          else if (left.length > 2) step(left.slice(2))
          else finish()
        },
      )
    step(ids)
  }

  #changeOnServer({ before, change, changeId }: OwnChange, ids: readonly string[]): true {
    const former = new Map(ids.map((id) => [id, this.server.items.get(id)]))
    const rows = new Map([...former].map(([id, item]) => [id, item && { ...item }]))
    for (const id of this.server.change(ids, change, changeId)) {
      const old = rows.get(id)
      const { version } = this.server.read(id) ?? { version: 0 }
      if (!old) continue
      const { row, archived, deleted } = old
      const inverse: SimulatedChange = {
        ...(change.status && { status: row.status }),
        ...(change.priority && { priority: row.priority }),
        ...(change.assigneeId !== undefined && { assigneeId: row.assigneeId }),
        ...(change.archived !== undefined && { archived }),
        // Also of an item that the change has woken.
        ...(this.server.read(id)?.snoozedUntil !== row.snoozedUntil && { snoozedUntil: row.snoozedUntil }),
        ...(change.deleted !== undefined && { deleted }),
      }
      before.set(id, { version, inverse, unread: change.viewed === row.unread ? row.unread : undefined })
    }
    return true
  }

  undoMany(own: OwnChange): void {
    own.state = 'undoing'
    this.#request(
      () => this.server.undo(own.before),
      () => {
        own.state = 'ended'
        this.dispatch({ type: 'change undone', changeId: own.changeId })
        this.readLists()
      },
    )
  }

  #make(itemIds: readonly string[], change: SimulatedChange): OwnChange {
    this.#changeIds += 1
    const own: OwnChange = { changeId: `own ${this.#changeIds}`, itemIds, change, state: 'sent', before: new Map() }
    this.changes.push(own)
    const { viewed, ...fields } = change
    const made = viewed !== undefined || itemIds.length > 1 ? { many: change } : { one: fields }
    this.dispatch({ type: 'change made', changeId: own.changeId, itemIds, change: made })
    return own
  }

  #end(own: OwnChange, type: 'change rejected'): void {
    own.state = 'ended'
    this.dispatch({ type, changeId: own.changeId })
    this.readLists()
    for (const id of own.itemIds) this.readItem(id)
  }

  readLists(): void {
    for (const list of this.lists.keys()) this.readList(list)
  }

  #request<T>(serve: () => T, deliver: (answer: T) => void, of: Pick<Request, 'list' | 'item'> = {}): void {
    this.requests.push({
      ...of,
      serve: () => {
        const answer = serve()
        return () => deliver(answer)
      },
    })
  }

  /** Brings a request to the server, or its answer back. */
  advance(index: number): void {
    const request = this.requests[index]
    if (!request) return
    if (!request.deliver) {
      request.deliver = request.serve()
      return
    }
    this.requests.splice(index, 1)
    request.deliver()
  }

  /** The server reads the rows of its next notice and sends them on their way. */
  sendEvent(): void {
    const ids = this.server.notices.shift()
    if (!ids) return
    const rows = ids.length > maxRows ? undefined : ids.flatMap((id) => this.server.read(id) ?? [])
    this.events.push({ ids, receive: () => this.#receive(ids, rows) })
  }

  #receive(ids: readonly string[], rows: readonly FeedbackListItem[] | undefined): void {
    if (!rows) {
      this.readLists()
      return
    }
    this.dispatch({ type: 'rows announced', rows })
    const missing = ids.filter((id) => !rows.some((row) => row.id === id))
    for (const id of missing) this.readItem(id)
    // Whether a new item contains the words, only the server knows.
    if (this.lists.has('search')) this.readList('search')
  }

  receiveEvent(): void {
    this.events.shift()?.receive()
  }

  /** Whether a change of the item has not arrived yet. */
  isAnnouncing(id: string): boolean {
    const isReadingAgain = this.requests.some(({ list }) => list !== undefined)
    return (
      this.server.notices.some((ids) => ids.includes(id)) ||
      this.events.some(({ ids }) => ids.includes(id)) ||
      (this.#lostIds.has(id) && isReadingAgain)
    )
  }

  /** The connection is lost with all that was on its way, and made again. */
  reconnect(): void {
    this.#lostIds = new Set([...this.server.notices, ...this.events.map(({ ids }) => ids)].flat())
    this.events = []
    this.server.notices.length = 0
    this.readLists()
    // Reads under way are aborted and made again: their answers may be from before the loss.
    const reading = this.requests.flatMap(({ item }) => item ?? [])
    this.requests = this.requests.filter(({ item }) => item === undefined)
    for (const id of new Set([...this.state.items.keys(), ...reading])) this.readItem(id)
  }

  /** Nothing is on its way any more. */
  settle(): void {
    for (let step = 0; step < 10_000; step += 1) {
      if (this.server.notices.length > 0) this.sendEvent()
      else if (this.events.length > 0) this.receiveEvent()
      else if (this.requests.length > 0) this.advance(0)
      else return
    }
    throw new Error('does not settle')
  }
}

export const simulatedChanges: readonly SimulatedChange[] = [
  { archived: true },
  { archived: false },
  { snoozedUntil: '2026-12-01T09:00:00.000Z' },
  { snoozedUntil: null },
  { deleted: true },
  { deleted: false },
  { status: 'open' },
  { status: 'resolved' },
  { priority: 'urgent' },
  { priority: 'low' },
  { assigneeId: me },
  { assigneeId: null },
  { viewed: true },
  { viewed: false },
]
