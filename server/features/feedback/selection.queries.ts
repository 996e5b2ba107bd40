import { type RawBuilder, sql } from 'kysely'
import type { FeedbackSelection, MediaKind } from '#contract/inbox.ts'
import { readItemNumber, toSearchQuery } from './search-query.ts'

/**
 * The condition under which an item of `feedback f` belongs to a selection. It holds for a tenant and for the system
 * alike; the organisation is the caller's to ask for. Words stand for nothing else than words: what is near to a typed
 * one is found where `searchQuery` says so, which is the text of a tsquery.
 */
export function matchesSelection(
  selection: FeedbackSelection,
  searchQuery = selection.q === undefined ? undefined : toSearchQuery(selection.q),
): RawBuilder<boolean> {
  const { projectId, status, priority, type, source, media, rating, tag, assignee, unread, visitor, from, to } =
    selection
  const conditions: RawBuilder<unknown>[] = [sql`f.place = ${selection.place ?? 'inbox'}`]
  if (projectId) conditions.push(sql`f.project_id = any (${projectId}::uuid[])`)
  if (status) conditions.push(sql`f.status = any (${status}::text[])`)
  if (priority) conditions.push(sql`f.priority = any (${priority}::text[])`)
  if (type) conditions.push(sql`f.type = any (${type}::text[])`)
  if (source) conditions.push(sql`f.source = any (${source}::text[])`)
  if (media) conditions.push(any(media.map(hasMedia)))
  if (rating) conditions.push(sql`f.rating = any (${rating}::smallint[])`)
  if (tag) {
    conditions.push(sql`exists (
      select from unnest(f.tags) as t (tag) where lower(t.tag) in (select lower(w.tag) from unnest(${tag}::text[]) as w (tag)))`)
  }
  if (assignee) conditions.push(any(assignee.map(isAssigned)))
  if (unread) conditions.push(sql`f.first_viewed_at is null`)
  if (visitor !== undefined) {
    conditions.push(
      sql`(f.visitor_id = ${visitor} or (f.visitor_id is null and lower(f.visitor_email) = lower(${visitor})))`,
    )
  }
  if (from !== undefined) conditions.push(sql`f.created_at >= ${from}::timestamptz`)
  if (to !== undefined) conditions.push(sql`f.created_at < ${to}::timestamptz`)
  const number = readItemNumber(selection.q)
  if (number !== undefined) conditions.push(sql`f.number = ${number}`)
  else if (searchQuery !== undefined) conditions.push(sql`f.search @@ ${searchQuery}::tsquery`)
  // Only signs were typed: there is no word that an item could hold.
  else if (selection.q !== undefined && selection.q.trim() !== '') conditions.push(sql`false`)
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

function any(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`(${sql.join(conditions, sql` or `)})`
}

function hasMedia(kind: MediaKind): RawBuilder<unknown> {
  if (kind === 'text') return sql`f.message <> ''`
  if (kind === 'rating') return sql`f.rating is not null`
  return sql`exists (
    select from feedback_attachments a
    where a.organization_id = f.organization_id and a.feedback_id = f.id and a.kind = ${kind})`
}

function isAssigned(assignee: string): RawBuilder<unknown> {
  return assignee === 'none' ? sql`f.assignee_user_id is null` : sql`f.assignee_user_id = ${assignee}::uuid`
}
