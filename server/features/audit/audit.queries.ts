import { sql } from 'kysely'
import type { AuditEntry, AuditFilters } from '#contract/audit.ts'
import type { AuditFacts } from '#contract/audited-events.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Refined, RowAs } from '#server/platform/database/row.ts'

/** An entry to write. */
export interface NewEntry {
  readonly organizationId: string
  readonly eventId: string
  readonly createdAt: string
  readonly action: string
  readonly category: string
  readonly actorKind: string
  readonly actorUserId: string | null
  readonly actorName: string | null
  readonly targetType: string
  readonly targetId: string
  readonly targetName: string | null
  readonly before: AuditFacts | null
  readonly after: AuditFacts | null
  readonly ip: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
  readonly cause: string | null
  readonly impersonationId: string | null
}

/** Writes entries, once for each event and target, with the target's name if it still exists. */
export async function insertEntries(tx: SystemTx, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return
  await sql`
    -- Held until the entries are stored: a removal waits, and then deletes them too. An organisation that was removed gets none.
    with present as materialized (
      select o.id from organizations o
      where o.id = any (${[...new Set(entries.map(({ organizationId }) => organizationId))]}::uuid[])
      for key share
    )
    insert into audit_log (organization_id, event_id, created_at, action, category, actor_kind, actor_user_id, actor_name,
      target_type, target_id, target_name, before, after, ip, user_agent, request_id, cause,
      impersonation_id)
    select e."organizationId", e."eventId", e."createdAt", e.action, e.category, e."actorKind", e."actorUserId",
      coalesce(e."actorName", (
        select coalesce(nullif(p.full_name, ''), p.email) from profiles p where p.user_id = e."actorUserId"), (
        select k.name from api_keys k where k.organization_id = e."organizationId" and k.id = e."actorUserId")),
      e."targetType", e."targetId",
      coalesce(e."targetName",
        case e."targetType"
          when 'user' then (
            select coalesce(nullif(p.full_name, ''), p.email) from profiles p where p.user_id = e."targetId")
          when 'invitation' then (
            select i.email from invitations i where i.organization_id = e."organizationId" and i.id = e."targetId")
          when 'organization' then (select o.name from organizations o where o.id = e."targetId")
          when 'project' then (
            select p.name from projects p
            where p.organization_id = e."organizationId" and p.id = e."targetId" and p.deleted_at is null)
        end,
        case when e."targetId" = e."actorUserId" then e."actorName" end),
      e.before, e.after, e.ip, e."userAgent", e."requestId", e.cause, e."impersonationId"
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (
      "organizationId" uuid, "eventId" uuid, "createdAt" timestamptz, action text, category text, "actorKind" text,
      "actorUserId" uuid, "actorName" text, "targetType" text, "targetId" uuid, "targetName" text, before jsonb,
      after jsonb, ip inet, "userAgent" text, "requestId" text, cause text,
      "impersonationId" uuid)
    where e."organizationId" in (select id from present)
    on conflict do nothing
  `.execute(tx)
}

interface StoredEntry
  extends RowAs<
    'audit_log',
    {
      id: 'id'
      organizationId: 'organization_id'
      action: 'action'
      category: 'category'
      actorKind: 'actor_kind'
      actorId: 'actor_user_id'
      actorName: 'actor_name'
      targetId: 'target_id'
      targetName: 'target_name'
      ip: 'ip'
      userAgent: 'user_agent'
      requestId: 'request_id'
      cause: 'cause'
    }
  > {
  targetType: Refined<'audit_log', 'target_type', AuditEntry['target']['type']>
  before: Refined<'audit_log', 'before', AuditFacts>
  after: Refined<'audit_log', 'after', AuditFacts>
  /** ISO 8601 in UTC with six decimals. */
  createdAt: string
  /** Null: the organisation was deleted. */
  organizationName: string | null
}

/** Where a page ended. */
export interface AuditPlace {
  /** ISO 8601 in UTC with six decimals: a JavaScript date would lose three of them, and rows with them. */
  readonly createdAt: string
  readonly id: string
}

/** Entries after a place of the list. Without an organisation: of all that the transaction may read. */
export async function listEntries(
  tx: TenantTx | SystemTx,
  organizationId: string | undefined,
  {
    filters,
    after,
    limit,
  }: {
    filters: AuditFilters & { search?: string; impersonationId?: string; order?: 'latest' | 'oldest' }
    after: AuditPlace | undefined
    limit: number
  },
): Promise<StoredEntry[]> {
  const { actorId, actorKind, category, targetId, impersonationId, from, to, search = '', order } = filters
  const [beyond, direction] = order === 'oldest' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const words = toWordQuery(search)
  const { rows } = await sql<StoredEntry>`
    select id, organization_id as "organizationId",
      (select o.name from organizations o where o.id = a.organization_id) as "organizationName",
      action, category, actor_kind as "actorKind", actor_user_id as "actorId", actor_name as "actorName",
      target_type as "targetType", target_id as "targetId",
      -- Entries are written in no order: a deleted target has its name in another.
      coalesce(target_name, (
        select n.target_name from audit_log n
        where n.organization_id = a.organization_id and n.target_id = a.target_id and n.target_name is not null
        order by n.created_at desc, n.id desc limit 1)) as "targetName", before, after, host(ip) as ip,
      user_agent as "userAgent", request_id as "requestId", cause,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt"
    from audit_log a
    where ${organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`}
      ${actorId === undefined ? sql`` : sql`and actor_user_id = ${actorId}`}
      ${actorKind === undefined ? sql`` : sql`and actor_kind = ${actorKind}`}
      ${category === undefined ? sql`` : sql`and category = ${category}`}
      ${targetId === undefined ? sql`` : sql`and target_id = ${targetId}`}
      ${words === undefined ? sql`` : sql`and ${wordsOfEntry} @@ to_tsquery('simple', ${words})`}
      ${impersonationId === undefined ? sql`` : sql`and impersonation_id = ${impersonationId}`}
      ${from === undefined ? sql`` : sql`and created_at >= ${from}::timestamptz`}
      ${to === undefined ? sql`` : sql`and created_at < ${to}::timestamptz`}
      ${after ? sql`and (created_at, id) ${beyond} (${after.createdAt}::timestamptz, ${after.id}::uuid)` : sql``}
    order by created_at ${direction}, id ${direction}
    limit ${limit}
  `.execute(tx)
  return rows
}

/** As the index `audit_log_words_idx` has it. */
const wordsOfEntry = sql`to_tsvector('simple',
  translate(coalesce(actor_name, '') || ' ' || coalesce(target_name, '') || ' ' || action, '@._:+-/', '       '))`

/** Begins of words, all of which must be there; undefined: the text has none. */
function toWordQuery(search: string): string | undefined {
  const words = search.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.length === 0 ? undefined : words.map((word) => `'${word}':*`).join(' & ')
}

/** Deletes entries older than the retention, at most `limit`. @returns how many it deleted. */
export async function pruneEntries(tx: SystemTx, limit: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`select app.prune_audit_log(${limit}) as deleted`.execute(tx)
  return rows[0]?.deleted ?? 0
}

/** Stores the retention, to which the database itself holds every deletion. */
export async function saveRetention(tx: SystemTx, days: number): Promise<void> {
  await sql`
    update app.instance_settings set audit_retention_days = ${days} where audit_retention_days <> ${days}
  `.execute(tx)
}
