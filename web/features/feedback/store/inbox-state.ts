import type { BulkChange } from '#contract/bulk.ts'
import type { FeedbackListItem } from '#contract/feedback.ts'
import type { Filters } from '../filters/feedback-filters.ts'
import type { ItemChange } from '../item/item-change.ts'
import type { SortKey } from './sort-items.ts'

/**
 * All that the inbox knows of an organisation's items. Times in it are counts of the store's own clock, which goes up
 * with every action: two events of the same millisecond keep their order.
 */
export interface InboxState {
  readonly clock: number
  readonly items: ReadonlyMap<string, KnownItem>
  /** Permanently deleted or no longer readable, by the time at which the read that said so was requested. */
  readonly gone: ReadonlyMap<string, number>
  readonly lists: ReadonlyMap<string, StoredList>
  /** In the order in which they were made. */
  readonly pending: readonly PendingChange[]
  /** Items about which the last action contradicts what is known: only reading them tells. */
  readonly doubtful: readonly string[]
}

export interface KnownItem {
  /** As the server says it. */
  readonly row: FeedbackListItem
  /** Of two answers with the same version, the one requested or announced later is newer: views do not count versions up. */
  readonly asOf: number
  /** When one's own change of it was last confirmed; 0: never. Lists that were requested before may lack it. */
  readonly confirmedAt: number
  /** When the read was requested that should have contained this row and did not; undefined: none. */
  readonly missedAt: number | undefined
  /** The row with pending changes on top. */
  readonly shown: FeedbackListItem
}

/** A list under some filters, as far as it is known: more of it than is shown while pages are missing in between. */
export interface StoredList {
  readonly filters: Filters
  readonly places: readonly Place[]
}

export interface Place {
  readonly id: string
  /** The row by which it was placed. It stays there until the list is read again, whatever its row says by then. */
  readonly by: SortKey
}

/** One's own change, shown on top of what the server says. */
export interface PendingChange {
  readonly changeId: string
  /** Items on which it still shows. */
  readonly itemIds: ReadonlySet<string>
  readonly change: OwnChange
  /** When it was made, for fields that keep a time. */
  readonly madeAt: string
  /**
   * Undefined: the server has not answered. Otherwise the time of its yes, without saying how each item is: the change
   * shows on an item until a read that was requested later.
   */
  readonly confirmedAt: number | undefined
  /** The version that the change of one item made. */
  readonly confirmedVersion: number | undefined
}

/** The change of one item, or the same change of many. */
export type OwnChange = { readonly one: ItemChange } | { readonly many: BulkChange }

export type InboxAction =
  /** A page of a list, which begins after the last row of the page before. */
  | {
      readonly type: 'page read'
      readonly list: string
      readonly filters: Filters
      readonly rows: readonly FeedbackListItem[]
      /** Undefined: the first page. */
      readonly after: SortKey | undefined
      readonly isLast: boolean
      readonly requestedAt: number
    }
  | { readonly type: 'item read'; readonly row: FeedbackListItem; readonly requestedAt: number }
  | { readonly type: 'item gone'; readonly id: string; readonly requestedAt: number }
  /** Rows of a live event. */
  | { readonly type: 'rows announced'; readonly rows: readonly FeedbackListItem[] }
  | {
      readonly type: 'change made'
      readonly changeId: string
      readonly itemIds: readonly string[]
      readonly change: OwnChange
    }
  /** `answer`: the row that the change made. */
  | {
      readonly type: 'change confirmed'
      readonly changeId: string
      readonly answer?: { readonly row: FeedbackListItem; readonly requestedAt: number }
    }
  | { readonly type: 'change rejected'; readonly changeId: string }
  /** The server has undone it: what it says shows again. */
  | { readonly type: 'change undone'; readonly changeId: string }
  | { readonly type: 'list forgotten'; readonly list: string }

export const emptyState: InboxState = {
  clock: 0,
  items: new Map(),
  gone: new Map(),
  lists: new Map(),
  pending: [],
  doubtful: [],
}
