import type { BulkChange } from '#contract/bulk.ts'
import {
  doneStatuses,
  type FeedbackDetail,
  type FeedbackListItem,
  type FeedbackPriority,
  type FeedbackStatus,
} from '#contract/feedback.ts'
import { type ClosedReason, closedReasonLabels, priorityLabels, statusLabels } from '#contract/feedback-labels.ts'
import { formatMoment } from '#web/lib/relative-time.ts'

/** What the team decides about one item. */
export interface ItemChange {
  status?: FeedbackStatus
  /** Null or absent: closed without a reason. */
  closedReason?: ClosedReason | null
  priority?: FeedbackPriority
  assigneeId?: string | null
  /** All tags from now on. */
  tags?: readonly string[]
  /** True: put away; false: back into the inbox. */
  archived?: boolean
  /** A time, ISO 8601: out of the inbox until then; null: back into it. */
  snoozedUntil?: string | null
  /** True: into quarantine; false: out of it. */
  spam?: boolean
  /** True: into the trash; false: out of it. */
  deleted?: boolean
  /** For oneself alone. True: read; false: unread. By itself only: it is no change of the item. */
  viewed?: boolean
}

/** What can be shown before the server has said yes. */
export type ItemPatch = Partial<
  Pick<
    FeedbackDetail,
    | 'status'
    | 'priority'
    | 'closedReason'
    | 'unread'
    | 'spamReason'
    | 'snoozedUntil'
    | 'assigneeId'
    | 'tags'
    | 'location'
    | 'deletedAt'
  >
>

export type ChangedItem = FeedbackListItem & Partial<Pick<FeedbackDetail, 'closedReason' | 'deletedAt'>>

/** What the change replaces, as a change: made again, it takes the first back. */
export function invertChange(item: ChangedItem, change: ItemChange): ItemChange {
  return {
    ...(change.status !== undefined && { status: item.status, closedReason: item.closedReason ?? null }),
    ...(change.priority !== undefined && { priority: item.priority }),
    ...(change.assigneeId !== undefined && { assigneeId: item.assigneeId }),
    ...(change.tags !== undefined && { tags: item.tags }),
    ...(change.archived !== undefined && { archived: item.location === 'archived' }),
    ...((change.snoozedUntil !== undefined || endsSnooze(item, change)) && { snoozedUntil: item.snoozedUntil }),
    ...(change.spam !== undefined && { spam: item.spamReason !== null }),
    ...(change.deleted !== undefined && { deleted: item.location === 'trash' }),
  }
}

export function isSameChange(a: ItemChange, b: ItemChange): boolean {
  return (
    a.status === b.status &&
    (a.closedReason ?? null) === (b.closedReason ?? null) &&
    a.priority === b.priority &&
    a.assigneeId === b.assigneeId &&
    JSON.stringify(a.tags) === JSON.stringify(b.tags) &&
    a.archived === b.archived &&
    a.snoozedUntil === b.snoozedUntil &&
    a.spam === b.spam &&
    a.deleted === b.deleted
  )
}

/** Whether the item is no longer where it was: it leaves the list that it stands in. */
export function isMove({ archived, snoozedUntil, spam, deleted }: ItemChange | BulkChange): boolean {
  return archived !== undefined || snoozedUntil !== undefined || spam !== undefined || deleted !== undefined
}

/**
 * What the item looks like by the change. The server knows better where several locations apply; its answer follows.
 * @param madeAt when the change was made, ISO 8601
 */
export function toPatch(item: FeedbackListItem, change: ItemChange, madeAt: string): ItemPatch {
  const { status, closedReason, priority, assigneeId, tags, spam, deleted } = change
  const isWoken = endsSnooze(item, change)
  const snoozedUntil = isWoken ? null : change.snoozedUntil
  return {
    ...(status !== undefined && { status, closedReason: closedReason ?? null }),
    ...(priority !== undefined && { priority }),
    ...(assigneeId !== undefined && { assigneeId }),
    ...(tags !== undefined && { tags: [...tags] }),
    ...(spam !== undefined && { spamReason: spam ? (item.spamReason ?? 'marked') : null }),
    ...(snoozedUntil !== undefined && { snoozedUntil }),
    ...(deleted !== undefined && { deletedAt: deleted ? madeAt : null }),
    ...((isWoken || isMove(change)) && {
      location: findLocation(item, { ...change, ...(snoozedUntil !== undefined && { snoozedUntil }) }),
    }),
  }
}

/** Whether a snoozed item returns because it is done or archived, as the server decides. */
function endsSnooze(item: FeedbackListItem, { status, archived, snoozedUntil }: ItemChange): boolean {
  if (item.snoozedUntil === null || snoozedUntil !== undefined) return false
  const isDone = (value: FeedbackStatus) => doneStatuses.some((each) => each === value)
  return (
    (status !== undefined && isDone(status) && !isDone(item.status)) ||
    (archived === true && item.location !== 'archived')
  )
}

function findLocation(item: FeedbackListItem, change: ItemChange): FeedbackListItem['location'] {
  const { archived, snoozedUntil = item.snoozedUntil, spam, deleted } = change
  if (deleted ?? item.location === 'trash') return 'trash'
  if (item.mergedInto !== null) return 'merged'
  if (spam ?? item.spamReason !== null) return 'spam'
  if (archived ?? item.location === 'archived') return 'archived'
  return snoozedUntil === null ? 'inbox' : 'snoozed'
}

/** The patch of one of many items that are changed together. */
export function toBulkPatch(
  item: FeedbackListItem,
  { addTags = [], removeTags = [], ...change }: BulkChange,
  madeAt: string,
): ItemPatch {
  const { viewed, ...rest } = change
  const isTagged = addTags.length > 0 || removeTags.length > 0
  return {
    ...toPatch(item, { ...rest, ...(isTagged && { tags: changeTags(item.tags, addTags, removeTags) }) }, madeAt),
    ...(viewed !== undefined && { unread: !viewed }),
  }
}

/** Tags with some added and others taken away, whatever their letter case. */
export function changeTags(tags: readonly string[], added: readonly string[], removed: readonly string[]): string[] {
  const gone = new Set(removed.map((tag) => tag.toLowerCase()))
  const known = new Set(tags.map((tag) => tag.toLowerCase()))
  return [
    ...tags.filter((tag) => !gone.has(tag.toLowerCase())),
    ...added.filter((tag) => !known.has(tag.toLowerCase()) && !gone.has(tag.toLowerCase())),
  ]
}

/** `status changed to Open`, `archived`: what was done, to stand after what it was done to. */
export function describeChange(change: ItemChange, findName: (userId: string) => string | undefined): string {
  const { status, closedReason, priority, assigneeId, tags, archived, snoozedUntil, spam, deleted } = change
  if (deleted !== undefined) return deleted ? 'moved to the trash' : 'restored'
  if (spam !== undefined) return spam ? 'marked as spam' : 'marked as not spam'
  if (archived !== undefined) return archived ? 'archived' : 'moved back to the inbox'
  if (snoozedUntil) return `snoozed until ${formatMoment(snoozedUntil)}`
  if (snoozedUntil === null) return 'moved back to the inbox'
  if (tags !== undefined) return tags.length > 0 ? `tagged ${tags.join(', ')}` : 'tags removed'
  if (assigneeId !== undefined) return describeAssignee(assigneeId, findName)
  if (closedReason) return `closed as ${closedReasonLabels[closedReason]}`
  if (status !== undefined) return `status changed to ${statusLabels[status]}`
  if (priority === 'none' || priority === undefined) return 'priority removed'
  return `priority set to ${priorityLabels[priority]}`
}

function describeAssignee(assigneeId: string | null, findName: (userId: string) => string | undefined): string {
  return assigneeId === null ? 'unassigned' : `assigned to ${findName(assigneeId) ?? 'someone'}`
}

export function describeRead(isRead: boolean): string {
  return isRead ? 'marked as read' : 'marked as unread'
}

/** As {@link describeChange}, of many items. */
export function describeBulkChange(change: BulkChange, findName: (userId: string) => string | undefined): string {
  const { addTags, removeTags, viewed, ...rest } = change
  if (addTags) return `tagged ${addTags.join(', ')}`
  if (removeTags) return `${removeTags.join(', ')} removed`
  if (viewed !== undefined) return describeRead(viewed)
  return describeChange(rest, findName)
}
