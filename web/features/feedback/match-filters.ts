import type { FeedbackListItem } from '#contract/feedback.ts'
import type { MediaKind } from '#contract/inbox.ts'
import { toTimes } from './date-range.ts'
import type { Filters } from './feedback-filters.ts'

/** Whether an item passes all filters but the words (`q`): those are the server's business. */
export function matchesLists(item: FeedbackListItem, filters: Filters, now = new Date()): boolean {
  return (
    item.place === filters.place &&
    passes(filters.status, item.status) &&
    passes(filters.priority, item.priority) &&
    passes(filters.type, item.type) &&
    passes(filters.source, item.source) &&
    passes(filters.rating, item.rating === null ? '' : String(item.rating)) &&
    passes(filters.assignee, item.assigneeId ?? 'none') &&
    passes(filters.project, item.projectId) &&
    (!filters.unread || item.firstViewedAt === null) &&
    (filters.media.length === 0 || filters.media.some((kind) => consistsOf(item, kind))) &&
    hasTagOf(item, filters) &&
    isFrom(item, filters) &&
    cameWithin(item, filters, now)
  )
}

function passes<T>(values: readonly T[], value: T): boolean {
  return values.length === 0 || values.includes(value)
}

function consistsOf(item: FeedbackListItem, kind: MediaKind): boolean {
  if (kind === 'text') return item.excerpt !== ''
  if (kind === 'rating') return item.rating !== null || item.nps !== null
  return item.attachmentKinds.includes(kind)
}

function hasTagOf({ tags }: FeedbackListItem, { tag }: Filters): boolean {
  if (tag.length === 0) return true
  const wanted = new Set(tag.map((each) => each.toLowerCase()))
  return tags.some((each) => wanted.has(each.toLowerCase()))
}

function isFrom({ visitorId, visitorEmail }: FeedbackListItem, { visitor }: Filters): boolean {
  return visitor === '' || (visitorId ?? visitorEmail)?.toLowerCase() === visitor.toLowerCase()
}

function cameWithin({ createdAt }: FeedbackListItem, { date }: Filters, now: Date): boolean {
  if (date === undefined) return true
  const { from, to } = toTimes(date, now)
  return (from === undefined || createdAt >= from) && (to === undefined || createdAt < to)
}
