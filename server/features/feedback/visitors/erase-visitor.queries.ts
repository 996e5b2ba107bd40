import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { VisitorErasure } from '#contract/visitors.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Present, Row, RowAs } from '#server/platform/database/row.ts'

type ErasureRow = Row<
  'visitor_erasures',
  'id' | 'state' | 'total' | 'items' | 'files' | 'created_at' | 'finished_at' | 'subject_hash'
>

/** Proves an erasure later to anyone who knows the visitor. */
export function hashSubject(organizationId: string, visitor: string): Buffer {
  return createHash('sha256').update(organizationId.toLowerCase()).update(visitor.toLowerCase()).digest()
}

/** Begins an erasure with its job. False when the id is taken: nothing was written. */
export async function insertErasure(
  tx: TenantTx,
  erasure: { organizationId: string; id: string; visitor: string; requestedBy: string },
): Promise<boolean> {
  const { organizationId, id, visitor, requestedBy } = erasure
  const { rows } = await sql`
    insert into visitor_erasures (organization_id, id, subject, subject_hash, requested_by)
    values (${organizationId}, ${id}, ${visitor}, ${hashSubject(organizationId, visitor)}, ${requestedBy})
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

/** A running erasure. `addresses` is null until it begins. */
export interface RunningErasure
  extends Readonly<RowAs<'visitor_erasures', { addresses: 'addresses'; requestedBy: 'requested_by' }>>,
    Readonly<Present<RowAs<'visitor_erasures', { subject: 'subject' }>>> {}

export async function findRunningErasure(
  tx: SystemTx,
  organizationId: string,
  id: string,
): Promise<RunningErasure | undefined> {
  const { rows } = await sql<RunningErasure>`
    select subject, addresses, requested_by as "requestedBy" from visitor_erasures
    where organization_id = ${organizationId} and id = ${id} and state = 'running' and subject is not null
  `.execute(tx)
  return rows[0]
}

const everyItem = 1_000_000_000

/** Stores the visitor's addresses before the first item is removed, so that an interrupted run still knows them. */
export async function beginErasure(
  tx: SystemTx,
  organizationId: string,
  id: string,
  subject: string,
): Promise<string[]> {
  const { rows } = await sql<{ addresses: string[] }>`
    update visitor_erasures set addresses = app.find_visitor_addresses(${organizationId}, ${subject}, ${everyItem})
    where organization_id = ${organizationId} and id = ${id}
    returning addresses
  `.execute(tx)
  const addresses = rows[0]?.addresses ?? []
  await sql`
    update visitor_erasures set total = (select count(*) from feedback f where ${isTheirs(organizationId, subject, addresses)})
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
  return addresses
}

function isTheirs(organizationId: string, subject: string, addresses: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`f.organization_id = ${organizationId} and (
    f.visitor_id = ${subject}
    or lower(f.visitor_email) = ${subject.toLowerCase()}
    or lower(f.visitor_email) = any (${[...addresses]}::text[]) and f.visitor_id is null)`
}

/** Counts what an erasure would remove, and finds the addresses it would look for. */
export async function previewErasure(
  tx: SystemTx,
  organizationId: string,
  subject: string,
): Promise<{ addresses: string[]; items: number; files: number }> {
  const { rows } = await sql<{ addresses: string[] | null }>`
    select app.find_visitor_addresses(${organizationId}, ${subject}, ${everyItem}) as addresses
  `.execute(tx)
  const addresses = rows[0]?.addresses ?? []
  const counted = await sql<{ items: number; files: number }>`
    with own as materialized (select f.id from feedback f where ${isTheirs(organizationId, subject, addresses)})
    select (select count(*) from own) as items, (select count(*) from own o join feedback_attachments a
      on a.organization_id = ${organizationId} and a.feedback_id = o.id) as files
  `.execute(tx)
  const { items = 0, files = 0 } = counted.rows[0] ?? {}
  return { addresses, items, files }
}

/** The next items of a visitor, with their search words and the visitors they are listed under. */
export async function listErasable(
  tx: SystemTx,
  organizationId: string,
  { subject, addresses }: { subject: string; addresses: readonly string[] },
  limit: number,
): Promise<{ ids: string[]; words: string[]; keys: string[] }> {
  const { rows } = await sql<{ ids: string[] | null; words: string[] | null; keys: string[] | null }>`
    with own as materialized (
      select f.id, f.search, coalesce(f.visitor_id, lower(f.visitor_email)) as key from feedback f
      where ${isTheirs(organizationId, subject, addresses)} limit ${limit}
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

export async function forgetWords(tx: SystemTx, organizationId: string, words: readonly string[]): Promise<void> {
  await sql`select app.forget_words(${organizationId}, ${[...words]}::text[])`.execute(tx)
}

/**
 * Ends an erasure: its time, author and counts remain. Idempotent.
 *
 * @returns the erasure's author; null when it had ended already.
 */
export async function endErasure(tx: SystemTx, organizationId: string, id: string): Promise<string | null> {
  const { rows } = await sql<{ requestedBy: string | null }>`
    with ended as (
      update visitor_erasures set state = 'done', finished_at = now(), subject = null, addresses = null
      where organization_id = ${organizationId} and id = ${id} and state = 'running' and subject is not null
      returning requested_by, subject_hash, items, files
    )
    insert into audit_log (organization_id, actor_user_id, action, target_type, target_id, details)
    select ${organizationId}, requested_by, 'visitor.erased', 'visitor_erasure', ${id},
      jsonb_build_object('subjectSha256', encode(subject_hash, 'hex'), 'items', items, 'files', files)
    from ended
    returning actor_user_id as "requestedBy"
  `.execute(tx)
  return rows[0]?.requestedBy ?? null
}
