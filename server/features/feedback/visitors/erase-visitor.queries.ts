import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { VisitorErasure } from '#contract/visitors.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Present, Row, RowAs } from '#server/platform/database/row.ts'
import { listKeys } from './join-visitors.queries.ts'

type ErasureRow = Row<
  'visitor_erasures',
  'id' | 'state' | 'total' | 'items' | 'files' | 'created_at' | 'finished_at' | 'subject_hash'
>

/** Proves an erasure later to anyone who knows the visitor. */
export function hashSubject(organizationId: string, visitor: string): Buffer {
  return createHash('sha256').update(organizationId.toLowerCase()).update(visitor.toLowerCase()).digest()
}

/** What an erasure covers: a whole organisation or, requested with an API key, one project of it. */
export interface ErasureScope {
  readonly organizationId: string
  /** Null: all projects. */
  readonly projectId: string | null
}

/** Begins an erasure with its job. False when the id is taken: nothing was written. */
export async function insertErasure(
  tx: TenantTx,
  erasure: ErasureScope & { id: string; visitor: string; requestedBy: string },
): Promise<boolean> {
  const { organizationId, projectId, id, visitor, requestedBy } = erasure
  const { rows } = await sql`
    insert into visitor_erasures (organization_id, project_id, id, subject, subject_hash, requested_by)
    values (${organizationId}, ${projectId}, ${id}, ${visitor}, ${hashSubject(organizationId, visitor)}, ${requestedBy})
    on conflict (organization_id, id) do nothing
    returning id
  `.execute(tx)
  if (rows.length === 0) return false
  await sql`select app.enqueue_own_job('erase_visitor', ${organizationId}, ${id})`.execute(tx)
  return true
}

export async function findErasure(
  tx: TenantTx,
  organizationId: string,
  id: string,
): Promise<{ erasure: VisitorErasure; subjectHash: Buffer } | undefined> {
  const { rows } = await sql<ErasureRow>`
    select id, state, total, items, files, created_at, finished_at, subject_hash from visitor_erasures
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
  const row = rows[0]
  if (!row) return undefined
  const { subject_hash: subjectHash, created_at: createdAt, finished_at: finishedAt, ...rest } = row
  const times = { createdAt: createdAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null }
  return { erasure: { ...rest, ...times }, subjectHash }
}

/** The erasure of a visitor that is running for one project. */
export async function findErasureUnderWay(
  tx: TenantTx,
  { organizationId, projectId }: ErasureScope,
  visitor: string,
): Promise<string | undefined> {
  const { rows } = await sql<Row<'visitor_erasures', 'id'>>`
    select id from visitor_erasures
    where organization_id = ${organizationId} and project_id = ${projectId} and state = 'running'
      and subject_hash = ${hashSubject(organizationId, visitor)}
    order by id limit 1
  `.execute(tx)
  return rows[0]?.id
}

/** Whether any item of the scope carries a key. */
export async function hasItems(tx: TenantTx, scope: ErasureScope, keys: readonly string[]): Promise<boolean> {
  const { rows } = await sql`select from feedback f where ${isTheirs(scope, keys)} limit 1`.execute(tx)
  return rows.length > 0
}

/** A running erasure. `keys` is null until it begins. */
export interface RunningErasure
  extends Readonly<RowAs<'visitor_erasures', { keys: 'keys'; projectId: 'project_id' }>>,
    Readonly<Present<Row<'visitor_erasures', 'subject'>>> {}

export async function findRunningErasure(
  tx: SystemTx,
  organizationId: string,
  id: string,
): Promise<RunningErasure | undefined> {
  const { rows } = await sql<RunningErasure>`
    select subject, keys, project_id as "projectId" from visitor_erasures
    where organization_id = ${organizationId} and id = ${id} and state = 'running' and subject is not null
  `.execute(tx)
  return rows[0]
}

/**
 * Stores the keys of the visitor and of its parts before the first item is removed, so that an interrupted run knows
 * them: without items, the visitor and its joins may be gone. In one project the visitor has no parts: members may have
 * merged them because of items of another.
 */
export async function beginErasure(
  tx: SystemTx,
  scope: ErasureScope,
  id: string,
  subject: string,
): Promise<readonly string[]> {
  const { organizationId } = scope
  const keys = scope.projectId === null ? await listKeys(tx, organizationId, subject) : [subject]
  await sql`
    update visitor_erasures
    set keys = ${keys}::text[], total = (select count(*) from (${theirItems(scope, keys)}) as f)
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
  return keys
}

/**
 * Items that carry a key themselves, as id or as address. An address that an item under a key claims counts for nothing:
 * anyone can type it, and other people's items from that address would be lost.
 */
function isTheirs(scope: ErasureScope, keys: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${isInScope(scope)} and (
    f.visitor_id = any (${[...keys]}::text[]) or lower(f.visitor_email) = any (${toAddresses(keys)}::text[]))`
}

/**
 * All items of theirs, also locked ones, which carry no key themselves. For the system alone: no member learns whose they are. Two
 * queries: with the second in a condition of the first, every item of the organisation is read.
 */
function theirItems(scope: ErasureScope, keys: readonly string[]): RawBuilder<unknown> {
  return sql`
    select f.id, f.search, f.visitor_id, f.visitor_email from feedback f where ${isTheirs(scope, keys)}
    union all
    select f.id, f.search, f.visitor_id, f.visitor_email
    from app.list_locked_of(${scope.organizationId}, ${[...keys]}::text[], false) as l (id)
    join feedback f on ${isInScope(scope)} and f.id = l.id and f.locked`
}

function isInScope({ organizationId, projectId }: ErasureScope): RawBuilder<boolean> {
  return sql<boolean>`f.organization_id = ${organizationId}
    ${projectId === null ? sql`` : sql`and f.project_id = ${projectId}`}`
}

function toAddresses(keys: readonly string[]): string[] {
  return keys.map((key) => key.toLowerCase())
}

/** How many of the newest items under each key claim addresses, as on the page of a visitor. */
const claimsLookedAt = 1_000

/** Counts what an erasure of these keys would remove, and the items from claimed addresses that it would keep. */
export async function previewErasure(
  tx: SystemTx,
  organizationId: string,
  keys: readonly string[],
): Promise<{ items: number; files: number; claimedItems: number }> {
  const { rows } = await sql<{ items: number; files: number; claimedItems: number }>`
    with own as materialized (select f.id from feedback f where ${isTheirs({ organizationId, projectId: null }, keys)})
    select (select count(*) from own) as items,
      (select count(*) from own o join feedback_attachments a
        on a.organization_id = ${organizationId} and a.feedback_id = o.id) as files,
      (select count(*) from feedback f
        where f.organization_id = ${organizationId} and f.visitor_id is null
          and lower(f.visitor_email) = any (
            app.find_visitor_addresses(${organizationId}, ${[...keys]}::text[], ${claimsLookedAt}))
          and lower(f.visitor_email) <> all (${toAddresses(keys)}::text[])) as "claimedItems"
  `.execute(tx)
  return rows[0] ?? { items: 0, files: 0, claimedItems: 0 }
}

/** The next items of a visitor, with their search words and the visitors they are listed under. */
export async function listErasable(
  tx: SystemTx,
  scope: ErasureScope,
  erasedKeys: readonly string[],
  limit: number,
): Promise<{ ids: string[]; words: string[]; keys: string[] }> {
  const { rows } = await sql<{ ids: string[] | null; words: string[] | null; keys: string[] | null }>`
    with own as materialized (
      select f.id, f.search, coalesce(f.visitor_id, lower(f.visitor_email)) as key
      from (${theirItems(scope, erasedKeys)}) as f limit ${limit}
    )
    select array_agg(id) as ids, array_agg(distinct key) as keys,
      (select array_agg(distinct w.word) from own cross join lateral unnest(tsvector_to_array(own.search)) as w (word)
       where char_length(w.word) between 3 and 40 and w.word !~ '[^[:alpha:]]') as words
    from own
  `.execute(tx)
  return { ids: rows[0]?.ids ?? [], words: rows[0]?.words ?? [], keys: rows[0]?.keys ?? [] }
}

export function namedItems(organizationId: string, ids: readonly string[]): RawBuilder<unknown> {
  return sql`
    select organization_id, id from feedback
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[]) for update
  `
}

export async function countErased(
  tx: SystemTx,
  organizationId: string,
  id: string,
  sum: { items: number; files: number },
): Promise<void> {
  await sql`
    update visitor_erasures set items = items + ${sum.items}, files = files + ${sum.files}
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

type EndedErasure = RowAs<'visitor_erasures', { requestedBy: 'requested_by'; items: 'items'; files: 'files' }>

/**
 * Ends an erasure: its time, author and counts remain. Idempotent.
 *
 * @returns its author and counts; undefined when it had ended already.
 */
export async function endErasure(tx: SystemTx, organizationId: string, id: string): Promise<EndedErasure | undefined> {
  const { rows } = await sql<EndedErasure>`
    update visitor_erasures set state = 'done', finished_at = now(), subject = null, keys = null
    where organization_id = ${organizationId} and id = ${id} and state = 'running' and subject is not null
    returning requested_by as "requestedBy", items, files
  `.execute(tx)
  return rows[0]
}
