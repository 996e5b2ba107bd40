import { sql } from 'kysely'
import type { JoinedVisitor } from '#contract/visitor-joins.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'
import { refreshSums } from './visitor-sums.queries.ts'

/** Keys of a visitor, the one that all are shown under first. */
export async function listKeys(tx: SystemTx | TenantTx, organizationId: string, key: string): Promise<string[]> {
  const { rows } = await sql<{ keys: string[] }>`
    select app.list_visitor_keys(${organizationId}, ${key}) as keys
  `.execute(tx)
  return rows[0]?.keys ?? [key]
}

/** Lets joins and separations of an organisation happen one after the other, until the transaction ends. */
async function lockJoins(tx: SystemTx, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('visitor_joins ' || ${organizationId}, 0))`.execute(tx)
}

export interface Join {
  readonly organizationId: string
  readonly into: string
  readonly part: string
  readonly cause: JoinedVisitor['cause']
  readonly joinedBy: string | null
}

/**
 * Makes a visitor, with its parts, part of another.
 *
 * @returns the key that both are shown under, the key that became a part, and the join's id; no id when they were one.
 */
export async function joinVisitors(
  tx: SystemTx,
  { organizationId, into, part, cause, joinedBy }: Join,
): Promise<{ key: string; part: string; id?: string }> {
  await lockJoins(tx, organizationId)
  const [root = into] = await listKeys(tx, organizationId, into)
  const [partRoot = part] = await listKeys(tx, organizationId, part)
  if (root === partRoot) return { key: root, part }
  const { rows } = await sql<Row<'visitor_joins', 'id'>>`
    insert into visitor_joins as j (organization_id, part_key, into_key, root_key, cause, joined_by)
    values (${organizationId}, ${partRoot}, ${root}, ${root}, ${cause}, ${joinedBy})
    on conflict (organization_id, part_key) do update set
      into_key = excluded.into_key, root_key = excluded.root_key, cause = excluded.cause,
      joined_by = excluded.joined_by, joined_at = now(), separated_at = null
    returning id
  `.execute(tx)
  await sql`
    update visitor_joins set root_key = ${root}
    where organization_id = ${organizationId} and root_key = ${partRoot} and separated_at is null
  `.execute(tx)
  await refreshVisitor(tx, organizationId, root)
  return { key: root, part: partRoot, ...(rows[0] && { id: rows[0].id }) }
}

/**
 * Takes a part, with the parts that were merged into it, out of the visitor that it was merged into.
 *
 * @returns the join's id; undefined when it is no part. `isNew`: false when it was undone before.
 */
export async function separateVisitor(
  tx: SystemTx,
  organizationId: string,
  part: string,
): Promise<{ id: string; isNew: boolean } | undefined> {
  await lockJoins(tx, organizationId)
  const { rows } = await sql<{ id: string; root: string; isNew: boolean }>`
    select id, root_key as root, separated_at is null as "isNew" from visitor_joins
    where organization_id = ${organizationId} and part_key = ${part}
  `.execute(tx)
  const [found] = rows
  if (!found?.isNew) return found
  await sql`
    with recursive below (part_key) as (
      select j.part_key from visitor_joins j
      where j.organization_id = ${organizationId} and j.into_key = ${part} and j.separated_at is null
      union
      select j.part_key from below b
      join visitor_joins j on j.organization_id = ${organizationId} and j.into_key = b.part_key and j.separated_at is null
    )
    update visitor_joins j set root_key = ${part} from below b
    where j.organization_id = ${organizationId} and j.part_key = b.part_key
  `.execute(tx)
  await sql`
    update visitor_joins set separated_at = now() where organization_id = ${organizationId} and part_key = ${part}
  `.execute(tx)
  for (const key of [found.root, part].sort()) await refreshVisitor(tx, organizationId, key)
  return found
}

/** Sets the times and sums of a listed visitor from its items and its parts. */
async function refreshVisitor(tx: SystemTx, organizationId: string, key: string): Promise<void> {
  await sql`
    with times as (
      select min(t.first) as first, max(t.last) as last, bool_or(t.verified) as verified
      from (
        select min(f.created_at), max(f.created_at), bool_or(f.visitor_verified) from feedback f
        where f.organization_id = ${organizationId} and f.visitor_id = ${key}
        union all
        select min(f.created_at), max(f.created_at), false from feedback f
        where f.organization_id = ${organizationId} and lower(f.visitor_email) = ${key} and f.visitor_id is null
        union all
        select v.first_seen_at, v.last_seen_at, v.is_verified
        from visitor_joins j
        join visitors v on v.organization_id = j.organization_id and v.key = j.part_key
        where j.organization_id = ${organizationId} and j.root_key = ${key} and j.separated_at is null
      ) as t (first, last, verified)
    )
    update visitors v
    set first_seen_at = t.first, last_seen_at = t.last, is_verified = coalesce(t.verified, false)
    from times t
    where v.organization_id = ${organizationId} and v.key = ${key} and t.first is not null
  `.execute(tx)
  await refreshSums(tx, [{ organizationId, key }])
}

/** The parts of a visitor, in the order in which they were joined. */
export async function listJoined(tx: TenantTx, organizationId: string, root: string): Promise<JoinedVisitor[]> {
  const { rows } = await sql<Omit<JoinedVisitor, 'joinedAt'> & { joinedAt: Date }>`
    select j.part_key as key, v.name, v.email, j.cause, j.joined_at as "joinedAt",
      coalesce(nullif(p.full_name, ''), p.email) as "joinedByName"
    from visitor_joins j
    left join visitors v on v.organization_id = j.organization_id and v.key = j.part_key
    left join profiles p on p.user_id = j.joined_by
    where j.organization_id = ${organizationId} and j.root_key = ${root} and j.separated_at is null
    order by j.joined_at, j.part_key
  `.execute(tx)
  return rows.map((row) => ({ ...row, joinedAt: row.joinedAt.toISOString() }))
}

export async function isVisitor(tx: TenantTx, organizationId: string, key: string): Promise<boolean> {
  const { rows } = await sql`
    select id from app.list_visitor_feedback(${organizationId}, ${key}, null, null, 1, false)
  `.execute(tx)
  return rows.length > 0
}

/**
 * Ids and addresses that belong to one person for certain: the id is signed by the website, and the owner of the address
 * answered by the link that was emailed there. An address alone proves nothing, because a visitor types it. Addresses of
 * several signed ids are shared, and pairs that a member separated stay apart.
 */
export async function findProvenPairs(
  tx: SystemTx,
  organizationId: string,
  feedbackIds: readonly string[],
): Promise<{ into: string; part: string }[]> {
  const { rows } = await sql<{ into: string; part: string }>`
    select distinct f.visitor_id as into, lower(f.visitor_email) as part from feedback f
    where f.organization_id = ${organizationId} and f.id = any (${[...feedbackIds]}::uuid[])
      and f.visitor_verified and f.visitor_id <> lower(f.visitor_email)
      and exists (
        select from feedback_comments c
        where c.organization_id = f.organization_id and c.feedback_id = f.id and c.from_visitor)
      and not exists (
        select from feedback o
        where o.organization_id = f.organization_id and lower(o.visitor_email) = lower(f.visitor_email)
          and o.visitor_verified and o.visitor_id <> f.visitor_id)
      and not exists (
        select from visitor_joins j
        where j.organization_id = f.organization_id and j.part_key = lower(f.visitor_email))
  `.execute(tx)
  return rows
}

/** Deletes what is known of joins of these visitors, those that were undone as well. */
export async function forgetJoins(tx: SystemTx, organizationId: string, keys: readonly string[]): Promise<void> {
  await sql`
    delete from visitor_joins
    where organization_id = ${organizationId}
      and (part_key = any (${[...keys]}::text[]) or into_key = any (${[...keys]}::text[])
        or root_key = any (${[...keys]}::text[]))
  `.execute(tx)
}
