import { type RawBuilder, sql } from 'kysely'
import type { FeedbackListItem } from '#contract/feedback.ts'
import type { Visitor, VisitorListItem, VisitorSort } from '#contract/visitors.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'
import { type ItemRow, itemColumns, toItem } from '../feedback-item.queries.ts'
import { listJoined, listKeys } from './join-visitors.queries.ts'
import type { VisitorPosition } from './visitor.cursor.ts'

/** PostgreSQL's text of a time, to the microsecond, in UTC. */
const exactTime = (column: RawBuilder<unknown>) =>
  sql<string>`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

interface VisitorRow
  extends Row<
    'visitors',
    | 'key'
    | 'visitor_id'
    | 'email'
    | 'name'
    | 'is_verified'
    | 'first_seen_at'
    | 'last_seen_at'
    | 'items'
    | 'open_items'
    | 'unanswered_items'
    | 'last_rating'
  > {
  cursor_time: string
}

/** One page of visitors. `pattern` is a LIKE pattern. */
export async function listVisitors(
  tx: TenantTx,
  organizationId: string,
  options: {
    pattern: string | undefined
    sort: VisitorSort
    after: VisitorPosition | undefined
    limit: number
    /** For an API key: the visitors of its project, last seen first. */
    isForKey: boolean
  },
): Promise<{ visitor: VisitorListItem; position: VisitorPosition }[]> {
  const { pattern, sort, after, limit, isForKey } = options
  const source = isForKey
    ? sql`app.list_key_visitors(${pattern ?? null}, ${after?.at ?? null}::timestamptz, ${after?.key ?? null}, ${limit})`
    : sql`app.list_visitors(
      ${organizationId}, ${pattern ?? null}, ${sort}, ${after?.count ?? 0}, ${after?.at ?? null}::timestamptz,
      ${after?.key ?? null}, ${limit})`
  const { rows } = await sql<VisitorRow>`
    select key, visitor_id, email, name, is_verified, first_seen_at, last_seen_at, items, open_items, unanswered_items,
      last_rating, ${exactTime(sql`last_seen_at`)} as cursor_time
    from ${source}
  `.execute(tx)
  return rows.map((row) => ({
    visitor: {
      key: row.key,
      visitorId: row.visitor_id,
      email: row.email,
      name: row.name,
      isVerified: row.is_verified,
      firstSeenAt: row.first_seen_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      items: row.items,
      openItems: row.open_items,
      unansweredItems: row.unanswered_items,
      lastRating: row.last_rating,
    },
    position: {
      at: row.cursor_time,
      key: row.key,
      ...(sort !== 'seen' && { count: sort === 'items' ? row.items : row.unanswered_items }),
    },
  }))
}

/**
 * Which items count as a visitor's. `own`: those that carry a key of the visitor themselves. `claimed`: also items without
 * an id from an address that an item of the visitor claims. Anyone can type an address, so `claimed` is for the team's eyes
 * alone: nothing is handed out or erased by it.
 */
export type VisitorScope = 'own' | 'claimed'

function visitorItems(
  organizationId: string,
  key: string,
  { after, limit, scope }: { after: VisitorPosition | undefined; limit: number; scope: VisitorScope },
) {
  return sql`app.list_visitor_feedback(${organizationId}, ${key}, ${after?.at ?? null}::timestamptz,
    ${after?.key ?? null}::uuid, ${limit}, ${scope === 'claimed'})`
}

/** One page of a visitor's items, newest first. */
export async function listVisitorFeedback(
  tx: TenantTx,
  organizationId: string,
  key: string,
  after: VisitorPosition | undefined,
  limit: number,
): Promise<{ item: FeedbackListItem; position: VisitorPosition }[]> {
  const { rows } = await sql<ItemRow & { cursor_time: string }>`
    select ${itemColumns}, ${exactTime(sql`f.created_at`)} as cursor_time
    from ${visitorItems(organizationId, key, { after, limit, scope: 'claimed' })} as page
    join feedback f on f.organization_id = ${organizationId} and f.id = page.id
    order by f.created_at desc, f.id desc
  `.execute(tx)
  return rows.map((row) => ({ item: toItem(row), position: { at: row.cursor_time, key: row.id } }))
}

interface ProfileRow {
  total: number
  first_seen_at: Date | null
  last_seen_at: Date | null
  known_since: Date | null
  is_verified: boolean | null
  visitor_ids: string[]
  emails: string[]
  names: string[]
  locations: Record<string, number>
  files: number
  projects: Visitor['projects']
  pages: Visitor['pages']
  user_agents: Visitor['userAgents']
}

const shownValues = 10

/** A visitor's profile, from their newest items; undefined without items. */
export async function findVisitor(
  tx: TenantTx,
  organizationId: string,
  askedKey: string,
  { limit, scope }: { limit: number; scope: VisitorScope },
): Promise<Visitor | undefined> {
  const keys = await listKeys(tx, organizationId, askedKey)
  const [key = askedKey] = keys
  const said = (column: RawBuilder<unknown>) => sql`
    array(select x.value from (select ${column} as value, max(o.created_at) as last from own o group by 1) x
      where x.value is not null order by x.last desc limit ${shownValues})`
  const counted = (value: RawBuilder<unknown>) => sql`
    coalesce((select json_agg(json_build_object('value', x.value, 'count', x.n) order by x.n desc, x.value)
      from (select ${value} as value, count(*) as n from own o group by 1 order by 2 desc limit ${shownValues}) x
      where x.value is not null), '[]')`
  const { rows } = await sql<ProfileRow>`
    with own as materialized (
      select f.id, f.project_id, f.created_at, f.visitor_id, f.visitor_email, f.visitor_name, f.visitor_verified,
        f.location, f.page_url, left(f.context ->> 'userAgent', 1000) as user_agent
      from ${visitorItems(organizationId, key, { after: undefined, limit, scope })} as page
      join feedback f on f.organization_id = ${organizationId} and f.id = page.id
    )
    select count(*) as total, min(own.created_at) as first_seen_at, max(own.created_at) as last_seen_at,
      bool_or(own.visitor_verified) as is_verified,
      (select min(v.first_seen_at) from visitors v
        where v.organization_id = ${organizationId} and v.key = any (${keys}::text[])) as known_since,
      ${said(sql`o.visitor_id`)} as visitor_ids, ${said(sql`lower(o.visitor_email)`)} as emails,
      ${said(sql`o.visitor_name`)} as names,
      coalesce((select json_object_agg(x.location, x.n) from (select location, count(*) as n from own group by 1) x), '{}') as locations,
      (select count(*) from own o join feedback_attachments a
        on a.organization_id = ${organizationId} and a.feedback_id = o.id) as files,
      coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name, 'count', x.n) order by x.n desc, p.name)
        from (select project_id, count(*) as n from own group by 1) x
        join projects p on p.organization_id = ${organizationId} and p.id = x.project_id), '[]') as projects,
      ${counted(sql`o.page_url`)} as pages, ${counted(sql`o.user_agent`)} as user_agents
    from own
  `.execute(tx)
  const row = rows[0]
  if (!row?.first_seen_at || !row.last_seen_at) return undefined
  const firstSeenAt = row.known_since && row.known_since < row.first_seen_at ? row.known_since : row.first_seen_at
  return {
    key,
    visitorIds: row.visitor_ids,
    emails: row.emails,
    names: row.names,
    isVerified: row.is_verified ?? false,
    firstSeenAt: firstSeenAt.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    total: row.total,
    limit,
    locations: row.locations,
    files: row.files,
    projects: row.projects,
    pages: row.pages,
    userAgents: row.user_agents,
    joined: keys.length > 1 ? await listJoined(tx, organizationId, key) : [],
  }
}
