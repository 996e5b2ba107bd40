import { type RawBuilder, sql } from 'kysely'
import type { FeedbackChange } from '#contract/feedback.ts'

/** A column of `feedback f` and its new value. */
export interface Assignment {
  readonly column: string
  readonly value: RawBuilder<unknown>
}

/** Changes that apply to one item as well as to many. */
type CommonChange = Pick<
  FeedbackChange,
  'status' | 'closedReason' | 'priority' | 'assigneeId' | 'archived' | 'snoozedUntil' | 'spam' | 'deleted' | 'viewed'
>

/**
 * A change as columns of `feedback f`. Keeps existing timestamps: archiving an archived item does not move its time.
 *
 * @param viewedAt when an unread item was seen, for a change that marks it as read.
 */
export function toAssignments(change: CommonChange, viewedAt: RawBuilder<unknown>): Assignment[] {
  const { status, closedReason, priority, assigneeId, archived, snoozedUntil, spam, deleted, viewed } = change
  const assignments: Assignment[] = []
  const assign = (column: string, value: RawBuilder<unknown>) => assignments.push({ column, value })
  if (status !== undefined) assign('status', sql`${status}::text`)
  // Another status than closed has no reason for closing.
  if (closedReason !== undefined) assign('closed_reason', sql`${closedReason}::text`)
  else if (status !== undefined && status !== 'closed') assign('closed_reason', sql`null::text`)
  if (priority !== undefined) assign('priority', sql`${priority}::text`)
  if (assigneeId !== undefined) assign('assignee_user_id', sql`${assigneeId}::uuid`)
  if (archived !== undefined) assign('archived_at', toMoment('archived_at', archived))
  if (snoozedUntil !== undefined) assign('snoozed_until', sql`${snoozedUntil}::timestamptz`)
  if (deleted !== undefined) assign('deleted_at', toMoment('deleted_at', deleted))
  // An automatic spam reason stays when a member confirms it.
  if (spam !== undefined) assign('spam_reason', spam ? sql`coalesce(f.spam_reason, 'marked')` : sql`null::text`)
  if (viewed) assign('first_viewed_at', sql`coalesce(f.first_viewed_at, ${viewedAt})`)
  return assignments
}

function toMoment(column: 'archived_at' | 'deleted_at', isSo: boolean): RawBuilder<unknown> {
  return isSo ? sql`coalesce(${sql.ref(`f.${column}`)}, now())` : sql`null::timestamptz`
}

/** `column = value, …` for an UPDATE. */
export function setColumns(assignments: readonly Assignment[]): RawBuilder<unknown> {
  return sql.join(assignments.map(({ column, value }) => sql`${sql.ref(column)} = ${value}`))
}

/** Whether the assignments would change a row of `feedback f`. */
export function wouldChange(assignments: readonly Assignment[]): RawBuilder<boolean> {
  const columns = sql.join(assignments.map(({ column }) => sql.ref(`f.${column}`)))
  const values = sql.join(assignments.map(({ value }) => value))
  return sql<boolean>`(row(${columns}) is distinct from row(${values}))`
}
