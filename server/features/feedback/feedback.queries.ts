import { type RawBuilder, sql } from 'kysely'
import type { FeedbackChange, FeedbackDetail } from '#contract/feedback.ts'
import type { Database, SystemTx, TenantTx } from '#server/platform/database/database.ts'
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

/**
 * Applies a change. A new status other than closed clears the reason for closing.
 *
 * @returns the version after the change; undefined when no such item with the expected version exists.
 */
export async function updateFeedback(
  tx: TenantTx,
  organizationId: string,
  id: string,
  change: FeedbackChange,
): Promise<number | undefined> {
  const { status, priority, closedReason, viewed, version, spam, assigneeId, tags, archived, deleted } = change
  const reason =
    closedReason !== undefined
      ? sql`${closedReason}::text`
      : status !== undefined && status !== 'closed'
        ? sql`null`
        : sql`closed_reason`
  const { rows } = await sql<{ version: number }>`
    update feedback
    set status = ${status === undefined ? sql`status` : status},
        priority = ${priority === undefined ? sql`priority` : priority},
        closed_reason = ${reason},
        spam_reason = ${toSpamReason(spam)},
        assignee_user_id = ${assigneeId === undefined ? sql`assignee_user_id` : assigneeId},
        tags = ${tags === undefined ? sql`tags` : sql`${[...tags]}::text[]`},
        archived_at = ${toMoment('archived_at', archived)},
        deleted_at = ${toMoment('deleted_at', deleted)},
        first_viewed_at = ${viewed ? sql`coalesce(first_viewed_at, now())` : sql`first_viewed_at`}
    where organization_id = ${organizationId} and id = ${id}
      ${version === undefined ? sql`` : sql`and version = ${version}`}
    returning version
  `.execute(tx)
  return rows[0]?.version
}

// What was found by a machine stays the reason when a member agrees.
function toSpamReason(spam: boolean | undefined): RawBuilder<unknown> {
  if (spam === undefined) return sql`spam_reason`
  return spam ? sql`coalesce(spam_reason, 'marked')` : sql`null`
}

// What is so already stays so since when it was.
function toMoment(column: string, isSo: boolean | undefined): RawBuilder<unknown> {
  if (isSo === undefined) return sql.ref(column)
  return isSo ? sql`coalesce(${sql.ref(column)}, now())` : sql`null`
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
