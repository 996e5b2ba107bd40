import { sql } from 'kysely'
import type { FeedbackChange, FeedbackDetail } from '#contract/feedback.ts'
import type { Database, SystemTx, TenantTx } from '#server/platform/database/database.ts'
import { setColumns, toAssignments, wouldChange } from './assignments.queries.ts'
import { listComments } from './comments.queries.ts'
import { type ItemRow, itemColumns, toItem } from './feedback-item.queries.ts'
import { listHistory } from './history.queries.ts'
import { findRelatives } from './related-items.queries.ts'

interface DetailRow extends ItemRow {
  message: string
  fields: Record<string, string | boolean>
  questions: { id: string; label: string }[] | null
  consent: boolean | null
  closed_reason: FeedbackDetail['closedReason']
  page_title: string | null
  context: Record<string, unknown>
  metadata: Record<string, unknown>
  first_response_at: Date | null
  resolved_at: Date | null
  deleted_at: Date | null
}

export async function findFeedback(
  tx: TenantTx,
  organizationId: string,
  id: string,
): Promise<Omit<FeedbackDetail, 'attachments'> | undefined> {
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
    history: await listHistory(tx, organizationId, id),
    ...(await findRelatives(tx, organizationId, { id, mergedInto: row.merged_into })),
    comments: await listComments(tx, organizationId, id),
  }
}

/** Answers as the team reads them: by the questions' words and in their order; what is asked no more comes last. */
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

/** Keeps others from changing an item until the transaction ends. Undefined when there is none. */
export async function lockFeedback(
  tx: TenantTx,
  organizationId: string,
  id: string,
): Promise<Pick<FeedbackDetail, 'version' | 'status' | 'assigneeId'> | undefined> {
  const { rows } = await sql<Pick<FeedbackDetail, 'version' | 'status' | 'assigneeId'>>`
    select version, status, assignee_user_id as "assigneeId" from feedback
    where organization_id = ${organizationId} and id = ${id}
    for no key update
  `.execute(tx)
  return rows[0]
}

/**
 * Applies a change to an item that is locked. A new status other than closed clears the reason for closing.
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

/** Whether somebody is a member of the organisation; who is, stays so until the transaction ends. */
export async function holdMember(tx: TenantTx, organizationId: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ is_member: boolean }>`
    select app.hold_member(${organizationId}, ${userId}) as is_member
  `.execute(tx)
  return rows[0]?.is_member ?? false
}

/** Tells everyone who follows the organisation, once this transaction commits. */
export async function notifyFeedbackChanged(tx: SystemTx | TenantTx, notice: string): Promise<void> {
  await sql`select pg_notify('feedback_changed', ${notice})`.execute(tx)
}

/** Puts what was stored lately into the search index proper, so that no visitor's insert has to. */
export async function tidySearchIndex(database: Database): Promise<void> {
  await database.asSystem('the index holds the words of every organisation', async (tx) => {
    await sql`select set_config('synchronous_commit', 'off', true), app.tidy_search_index()`.execute(tx)
  })
}

/** Tells everyone who follows, about what is stored already. Reads and writes nothing, so it needs no role. */
export async function announceFeedback(database: Database, notices: readonly string[]): Promise<void> {
  // Nothing here outlives the listeners, so no disk is waited for; ingest has better use for it.
  await sql`
    select set_config('synchronous_commit', 'off', true), pg_notify('feedback_changed', notice)
    from unnest(${[...notices]}::text[]) as n (notice)
  `.execute(database.powerless)
}
