import type { FeedbackListItem } from '#contract/feedback.ts'
import type { Filters } from '../filters/feedback-filters.ts'
import { createListMatcher } from '../filters/match-filters.ts'
import { compareItems, type SortKey } from './sort-items.ts'

/** Fields that a change can set in the simulation. */
export interface SimulatedChange {
  status?: FeedbackListItem['status']
  priority?: FeedbackListItem['priority']
  assigneeId?: string | null
  archived?: boolean
  snoozedUntil?: string | null
  deleted?: boolean
  viewed?: boolean
}
export type ChangedField = keyof SimulatedChange

interface ServerItem {
  row: FeedbackListItem
  archived: boolean
  deleted: boolean
  /** Who wrote each field last. */
  writers: Map<ChangedField, string>
}

/** An item before a change of many. */
export interface FormerItem {
  version: number
  inverse: SimulatedChange
  /** Undefined: the change did not mark it. */
  unread: boolean | undefined
}

export interface Page {
  rows: FeedbackListItem[]
  isLast: boolean
}

export const now = new Date('2026-11-22T12:00:00.000Z')
export const me = '019f7f00-0000-7000-8000-00000000000a'

/** The server as far as the inbox sees it: items with versions, lists in order, and what is announced of each change. */
export class SimulatedServer {
  readonly items = new Map<string, ServerItem>()
  /** Ids of changed items, one entry per notice, in order. */
  readonly notices: string[][] = []
  #created = 0
  #seconds = 0

  create(isSearched: boolean): string {
    this.#created += 1
    const two = String(this.#created).padStart(2, '0')
    const id = `019f7f00-0000-7000-8000-0000000000${two}`
    // Some come in the same moment: then the id decides.
    const createdAt = `2026-11-21T09:${String(Math.ceil(this.#created / 2)).padStart(2, '0')}:00.000Z`
    const row: FeedbackListItem = { ...template, id, number: this.#created, createdAt, updatedAt: createdAt }
    if (isSearched) row.excerpt = 'The chair wobbles'
    this.items.set(id, { row, archived: false, deleted: false, writers: new Map() })
    this.notices.push([id])
    return id
  }

  read(id: string): FeedbackListItem | undefined {
    return this.items.get(id)?.row
  }

  /** @returns the ids that were not so already */
  change(ids: readonly string[], change: SimulatedChange, writer: string): string[] {
    const changed = ids.filter((id) => this.#changeOne(id, change, writer))
    if (changed.length > 0) this.notices.push(changed)
    return changed
  }

  #changeOne(id: string, { archived, deleted, viewed, ...asked }: SimulatedChange, writer: string): boolean {
    const item = this.items.get(id)
    if (!item) return false
    const before = { ...item }
    const isWoken =
      asked.snoozedUntil === undefined &&
      item.row.snoozedUntil !== null &&
      ((archived === true && !item.archived) || (asked.status === 'resolved' && item.row.status !== 'resolved'))
    const fields = isWoken ? { ...asked, snoozedUntil: null } : asked
    item.archived = archived ?? item.archived
    item.deleted = deleted ?? item.deleted
    const next = { ...item.row, ...fields }
    next.location = findLocation(item, next.snoozedUntil)
    const isVersioned =
      item.archived !== before.archived ||
      item.deleted !== before.deleted ||
      JSON.stringify(next) !== JSON.stringify(item.row)
    const isMarked = viewed !== undefined && item.row.unread === viewed
    // `Object.keys` gives strings; the rest of a change are its fields.
    for (const name of ['archived', 'deleted', 'viewed', ...Object.keys(fields)] as ChangedField[]) {
      const isAsked = { archived, deleted, viewed, ...fields }[name] !== undefined
      // Who asks for what is so already has not written it.
      const isChange = name === 'viewed' ? isMarked : !this.#isSame(before, item, next, name)
      if (isAsked && isChange) item.writers.set(name, writer)
    }
    if (isVersioned) {
      this.#seconds += 1
      const second = String(this.#seconds % 60).padStart(2, '0')
      const minute = String(Math.floor(this.#seconds / 60) % 60).padStart(2, '0')
      next.updatedAt = `2026-11-21T11:${minute}:${second}.000Z`
      next.version += 1
    }
    item.row = isMarked ? { ...next, unread: !viewed } : next
    return isVersioned || isMarked
  }

  #isSame(
    before: ServerItem,
    after: ServerItem,
    next: FeedbackListItem,
    name: Exclude<ChangedField, 'viewed'>,
  ): boolean {
    if (name === 'archived' || name === 'deleted') return before[name] === after[name]
    return before.row[name] === next[name]
  }

  /** Puts items back as they were, except those that someone has changed since. */
  undo(before: ReadonlyMap<string, FormerItem>): void {
    const undone: string[] = []
    for (const [id, { version, inverse, unread }] of before) {
      const item = this.items.get(id)
      if (!item || item.row.version !== version) continue
      const isMarkedBack = unread !== undefined && item.row.unread !== unread
      if (isMarkedBack) {
        item.row = { ...item.row, unread }
        item.writers.set('viewed', 'undo')
      }
      if (this.#changeOne(id, inverse, 'undo') || isMarkedBack) undone.push(id)
    }
    if (undone.length > 0) this.notices.push(undone)
  }

  /** The visitor writes: nothing of it is versioned, and the item is unread. */
  visitorWrites(id: string): void {
    const item = this.items.get(id)
    if (!item) return
    item.row = { ...item.row, unread: true, lastReplyBy: 'visitor' }
    item.writers.set('viewed', 'visitor')
    this.notices.push([id])
  }

  remove(id: string): void {
    if (this.items.delete(id)) this.notices.push([id])
  }

  list(filters: Filters): FeedbackListItem[] {
    const matches = createListMatcher(filters, now)
    return [...this.items.values()]
      .map(({ row }) => row)
      .filter((row) => matches(row) && row.excerpt.includes(filters.q))
      .sort((a, b) => compareItems(a, b, filters.sort))
  }

  page(filters: Filters, after: SortKey | undefined, limit: number): Page {
    const rest = this.list(filters).filter((row) => !after || compareItems(row, after, filters.sort) > 0)
    return { rows: rest.slice(0, limit), isLast: rest.length <= limit }
  }
}

function findLocation(
  { archived, deleted }: Pick<ServerItem, 'archived' | 'deleted'>,
  snoozedUntil: string | null,
): FeedbackListItem['location'] {
  if (deleted) return 'trash'
  if (archived) return 'archived'
  return snoozedUntil === null ? 'inbox' : 'snoozed'
}

const template: FeedbackListItem = {
  id: '',
  projectId: '019f7f00-0000-7000-8000-000000000001',
  number: 1,
  type: 'bug',
  source: 'widget',
  status: 'new',
  priority: 'none',
  excerpt: 'The table wobbles',
  rating: null,
  nps: null,
  tags: [],
  attachmentKinds: [],
  visitorId: null,
  visitorVerified: false,
  spamReason: null,
  snoozedUntil: null,
  visitorEmail: null,
  visitorName: null,
  pageUrl: 'https://example.com/',
  createdAt: '',
  updatedAt: '',
  location: 'inbox',
  assigneeId: null,
  mergedInto: null,
  version: 1,
  firstViewedAt: null,
  unread: true,
  lastReplyBy: null,
  issues: [],
  locked: false,
}
