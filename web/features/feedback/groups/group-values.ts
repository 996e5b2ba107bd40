import { type FeedbackListItem, feedbackPriorities, feedbackStatuses, feedbackTypes } from '#contract/feedback.ts'
import type { InboxGrouping } from '#contract/inbox.ts'
import { getTimeZone, toCalendarDay } from '#web/lib/date-style.ts'
import { type Filters, stageStatuses } from '../filters/feedback-filters.ts'

/** Names that put assignees and projects in order, by id. */
export type Names = ReadonlyMap<string, string>

/** Days are the person's own, or in UTC where the filters count them so. */
export function groupTimeZone({ date }: Filters): string {
  return date?.kind === 'range' && date.zone === 'utc' ? 'UTC' : getTimeZone()
}

/** The group of an item, as the server names it. */
export function findGroup(item: FeedbackListItem, by: InboxGrouping, filters: Filters): string {
  if (by === 'assignee') return item.assigneeId ?? 'none'
  if (by === 'project') return item.projectId
  if (by !== 'day') return item[by]
  if (groupTimeZone(filters) === 'UTC') return item.createdAt.slice(0, 10)
  return toDayName(new Date(item.createdAt))
}

/** The person's day of a moment: `2026-11-23`. */
export function toDayName(moment: Date): string {
  const { year, month, day } = toCalendarDay(moment)
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
}

/**
 * The groups of a list in their order: the counted ones and, of fixed values, those that have no items yet.
 *
 * @param counted values with items.
 */
export function orderGroups(filters: Filters, by: InboxGrouping, counted: readonly string[], names: Names): string[] {
  if (by === 'status') return filterBy(filters.status, listStatuses(filters))
  if (by === 'priority') return filterBy(filters.priority, feedbackPriorities.toReversed())
  if (by === 'type') return filterBy(filters.type, feedbackTypes)
  if (by === 'day') return filters.sort === 'oldest' ? counted.toSorted() : counted.toSorted().toReversed()
  const nameOf = (value: string) => names.get(value)?.toLocaleLowerCase() ?? ''
  const isNone = (value: string) => Number(value === 'none')
  return counted.toSorted((a, b) => isNone(a) - isNone(b) || nameOf(a).localeCompare(nameOf(b)) || (a < b ? -1 : 1))
}

function listStatuses({ stage }: Filters): readonly string[] {
  return stage === 'all' ? feedbackStatuses : stageStatuses[stage]
}

function filterBy(asked: readonly string[], values: readonly string[]): string[] {
  return values.filter((value) => asked.length === 0 || asked.includes(value))
}
