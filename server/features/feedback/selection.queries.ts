import { type RawBuilder, sql } from 'kysely'
import { defaultLocation, type FilterName, type MediaKind } from '#contract/filters.ts'
import type { FeedbackSelection } from '#contract/inbox.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import { readItemNumber, toSearchQuery } from './search-query.ts'

/** A selection whose visitor may stand for several keys of one person. */
export interface JoinedSelection extends Omit<FeedbackSelection, 'visitor'> {
  readonly visitor?: string | readonly string[]
}

/** The selection with all keys of its visitor, where several visitors were joined into one. */
export async function followJoins(
  tx: SystemTx | TenantTx,
  organizationId: string,
  selection: FeedbackSelection,
): Promise<JoinedSelection> {
  const { visitor } = selection
  if (visitor === undefined) return selection
  const { rows } = await sql<{ keys: string[] }>`
    select app.list_visitor_keys(${organizationId}, ${visitor}) as keys
  `.execute(tx)
  const keys = rows[0]?.keys ?? []
  return keys.length > 1 ? { ...selection, visitor: keys } : selection
}

/**
 * Whether an item of `feedback f` is unread for the caller; false for one who is no member. Row-level security leaves only
 * the caller's own rows.
 */
export const isUnread = sql<boolean>`(
  coalesce(f.visitor_wrote_at, f.created_at) > coalesce((
    select r.seen_at from feedback_reads r
    where r.organization_id = f.organization_id and r.feedback_id = f.id and r.user_id = (select app.caller_id())
  ), app.get_read_until(f.organization_id)))`

/** The SQL condition of each filter, on `feedback f`. Undefined: it asks for nothing. A filter without one does not compile. */
const conditions: { readonly [Name in FilterName]: ToCondition<Name> } = {
  projectId: (ids) => sql`f.project_id = any (${ids}::uuid[])`,
  status: (values) => sql`f.status = any (${values}::text[])`,
  priority: (values) => sql`f.priority = any (${values}::text[])`,
  type: (values) => sql`f.type = any (${values}::text[])`,
  source: (values) => sql`f.source = any (${values}::text[])`,
  media: (kinds) => any(kinds.map(hasMedia)),
  rating: (values) => sql`f.rating = any (${values}::smallint[])`,
  tag: (tags) => sql`exists (
    select from unnest(f.tags) as t (tag) where lower(t.tag) in (select lower(w.tag) from unnest(${tags}::text[]) as w (tag)))`,
  assignee: (assignees) => any(assignees.map(isAssigned)),
  unread: () => isUnread,
  unanswered: () =>
    sql`(f.last_reply_by = 'visitor' or (f.last_reply_by is null and coalesce(f.visitor_email, '') <> ''))`,
  visitor: isSentBy,
  from: (from) => sql`f.created_at >= ${from}::timestamptz`,
  to: (to) => sql`f.created_at < ${to}::timestamptz`,
  location: (location) => sql`f.location = ${location}`,
  q: matchesText,
}

type ToCondition<Name extends FilterName> = (
  asked: Required<JoinedSelection>[Name],
  searchQuery: string | undefined,
) => RawBuilder<unknown> | undefined

/**
 * The condition under which an item of `feedback f` belongs to a selection, for a tenant and for the system alike. The
 * caller asks for the organisation.
 *
 * @param searchQuery the text of a tsquery that stands for `q`; without it, `q` finds its own words and none that are like them.
 */
export function matchesSelection(
  selection: JoinedSelection,
  searchQuery = selection.q === undefined ? undefined : toSearchQuery(selection.q),
): RawBuilder<boolean> {
  const asked = { ...selection, location: selection.location ?? defaultLocation }
  const toCondition = <Name extends FilterName>(name: Name) => {
    const value: JoinedSelection[Name] = asked[name]
    // Absent fields are undefined, which the type of what is required cannot say for a name that is not known here.
    return value === undefined ? undefined : conditions[name](value as Required<JoinedSelection>[Name], searchQuery)
  }
  // `Object.keys` gives strings; these are all filters.
  const all = (Object.keys(conditions) as FilterName[])
    .map((name) => toCondition(name))
    .filter((each) => each !== undefined)
  return sql<boolean>`(${sql.join(all, sql` and `)})`
}

function matchesText(text: string, searchQuery: string | undefined): RawBuilder<unknown> | undefined {
  const number = readItemNumber(text)
  if (number !== undefined) return sql`f.number = ${number}`
  if (searchQuery !== undefined) return sql`f.search @@ ${searchQuery}::tsquery`
  // Only punctuation was typed: no item contains a word of it.
  return text.trim() === '' ? undefined : sql`false`
}

function any(each: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`(${sql.join(each, sql` or `)})`
}

function hasMedia(kind: MediaKind): RawBuilder<unknown> {
  if (kind === 'text') return sql`f.message <> ''`
  if (kind === 'rating') return sql`f.rating is not null`
  return sql`exists (
    select from feedback_attachments a
    where a.organization_id = f.organization_id and a.feedback_id = f.id and a.kind = ${kind})`
}

function isSentBy(visitor: string | readonly string[]): RawBuilder<unknown> {
  const keys = [visitor].flat()
  return sql`(f.visitor_id = any (${keys}::text[]) or (f.visitor_id is null and lower(f.visitor_email) = any (
    array(select lower(k.key) from unnest(${keys}::text[]) as k (key)))))`
}

function isAssigned(assignee: string): RawBuilder<unknown> {
  return assignee === 'none' ? sql`f.assignee_user_id is null` : sql`f.assignee_user_id = ${assignee}::uuid`
}
