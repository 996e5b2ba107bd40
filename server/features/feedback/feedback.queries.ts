import { sql } from 'kysely'
import type { FeedbackChange, FeedbackDetail } from '#contract/feedback.ts'
import type { Database, SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Refined, Row, RowAs } from '#server/platform/database/row.ts'
import { setColumns, toAssignments, wouldChange } from './assignments.queries.ts'
import { listComments } from './comments.queries.ts'
import { type ItemRow, itemColumns, toItem } from './feedback-item.queries.ts'
import { listHistory } from './history.queries.ts'
import { findRelatives } from './related-items.queries.ts'

interface DetailRow
  extends ItemRow,
    Row<
      'feedback',
      'message' | 'consent' | 'closed_reason' | 'page_title' | 'first_response_at' | 'resolved_at' | 'deleted_at'
    > {
  fields: Refined<'feedback', 'fields', Record<string, string | boolean>>
  context: Refined<'feedback', 'context', Record<string, unknown>>
  metadata: Refined<'feedback', 'metadata', Record<string, unknown>>
  questions: { id: string; label: string }[] | null
}

/** An item by itself: what stands in its row. */
export type WholeItem = Omit<FeedbackDetail, 'attachments' | 'history' | 'original' | 'duplicates' | 'comments'>

/** An item without its history, relatives, comments and files. */
export async function findItem(
  tx: TenantTx | SystemTx,
  organizationId: string,
  id: string,
): Promise<WholeItem | undefined> {
  const { rows } = await sql<DetailRow>`
    select ${itemColumns}, f.message, f.closed_reason, f.page_title, f.context, f.metadata,
           f.first_response_at, f.resolved_at, f.deleted_at, f.fields, f.consent, w.settings -> 'fields' as questions
    from feedback f
    join widgets w on w.organization_id = f.organization_id and w.project_id = f.project_id
    where f.organization_id = ${organizationId} and f.id = ${id}
  `.execute(tx)
  const row = rows[0]
  if (!row) return undefined
  return {
    ...toItem(row),
    message: row.message,
    fields: toAnswers(row.fields, row.questions ?? []),
    consent: row.consent,
    closedReason: row.closed_reason,
    pageTitle: row.page_title,
    context: row.context,
    metadata: row.metadata,
    firstResponseAt: row.first_response_at?.toISOString() ?? null,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    deletedAt: row.deleted_at?.toISOString() ?? null,
  }
}

export async function findFeedback(
  tx: TenantTx,
  organizationId: string,
  id: string,
): Promise<Omit<FeedbackDetail, 'attachments'> | undefined> {
  const item = await findItem(tx, organizationId, id)
  if (!item) return undefined
  return {
    ...item,
    history: await listHistory(tx, organizationId, id),
    ...(await findRelatives(tx, organizationId, item)),
    comments: await listComments(tx, organizationId, id),
  }
}

/** Answers under the questions' current labels and in their order; answers to removed questions come last. */
function toAnswers(
  answers: Readonly<Record<string, string | boolean>>,
  questions: readonly { id: string; label: string }[],
): FeedbackDetail['fields'] {
  const labels = new Map(questions.map(({ id, label }) => [id, label]))
  const ids = [...labels.keys(), ...Object.keys(answers).filter((id) => !labels.has(id))]
  return ids.flatMap((id) => {
    const value = answers[id]
    return value === undefined ? [] : [{ id, label: labels.get(id) ?? id, value }]
  })
}

/** Locks an item until the transaction ends. Undefined: no such item. */
export async function lockFeedback(
  tx: TenantTx,
  organizationId: string,
  id: string,
): Promise<Pick<FeedbackDetail, 'version' | 'status' | 'assigneeId'> | undefined> {
  const { rows } = await sql<
    RowAs<'feedback', { version: 'version'; status: 'status'; assigneeId: 'assignee_user_id' }>
  >`
    select version, status, assignee_user_id as "assigneeId" from feedback
    where organization_id = ${organizationId} and id = ${id}
    for no key update
  `.execute(tx)
  return rows[0]
}

/**
 * Applies a change to a locked item. A new status other than closed clears the reason for closing.
 *
 * @returns whether that changed anything.
 */
export async function updateFeedback(
  tx: TenantTx,
  organizationId: string,
  id: string,
  change: FeedbackChange,
): Promise<boolean> {
  const assignments = toAssignments(change, sql`now()`)
  if (change.tags) {
    assignments.push({ column: 'tags', value: sql`app.change_tags('{}', ${[...change.tags]}::text[], '{}')` })
  }
  if (assignments.length === 0) return false
  const { rows } = await sql`
    update feedback f
    set ${setColumns(assignments)}
    where f.organization_id = ${organizationId} and f.id = ${id} and ${wouldChange(assignments)}
    returning f.id
  `.execute(tx)
  return rows.length > 0
}

/** Whether a user is a member of the organisation. Locks the membership until the transaction ends. */
export async function holdMember(tx: TenantTx, organizationId: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ is_member: boolean }>`
    select app.hold_member(${organizationId}, ${userId}) as is_member
  `.execute(tx)
  return rows[0]?.is_member ?? false
}

/** Moves recently stored items into the main search index, so that no visitor's insert has to. */
export async function tidySearchIndex(database: Database): Promise<void> {
  await database.asSystem('the index holds the words of every organisation', async (tx) => {
    await sql`select set_config('synchronous_commit', 'off', true), app.tidy_search_index()`.execute(tx)
  })
}

/** Ends the snooze of items whose time has come, up to a limit. Returns how many. */
export async function wakeFeedback(database: Database, limit: number): Promise<number> {
  return database.asSystem('items of every organisation are snoozed', async (tx) => {
    const { rows } = await sql<{ count: number }>`select app.wake_feedback(${limit}) as count`.execute(tx)
    return rows[0]?.count ?? 0
  })
}
