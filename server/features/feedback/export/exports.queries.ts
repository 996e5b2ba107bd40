import { sql } from 'kysely'
import type { Export, ExportFormat } from '#contract/exports.ts'
import type { FeedbackSelection } from '#contract/inbox.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Present, Refined, Row, RowAs } from '#server/platform/database/row.ts'

/** An export as the table knows it; the address of its file is made when it is shown. */
export type ExportRecord = Omit<Export, 'downloadUrl'>

interface ExportRow
  extends Row<
    'exports',
    'id' | 'format' | 'state' | 'count' | 'processed' | 'bytes' | 'note' | 'created_at' | 'expires_at'
  > {
  selection: Refined<'exports', 'selection', FeedbackSelection>
  created_by_name: string | null
}

const shownRows = sql`
  select e.id, e.format, e.selection, e.state, e.count, e.processed, e.bytes, e.note, e.created_at, e.expires_at,
    coalesce(nullif(p.full_name, ''), p.email, app.get_key_name(e.organization_id, e.created_by)) as created_by_name
  from exports e
  left join profiles p on p.user_id = e.created_by
`

/** Newest first, without expired ones that the nightly job has not deleted yet. */
export async function listExports(tx: TenantTx, organizationId: string): Promise<ExportRecord[]> {
  const { rows } = await sql<ExportRow>`
    ${shownRows}
    where e.organization_id = ${organizationId} and e.expires_at > now()
    order by e.created_at desc, e.id desc
    limit 100
  `.execute(tx)
  return rows.map(toExport)
}

export async function findExport(tx: TenantTx, organizationId: string, id: string): Promise<ExportRecord | undefined> {
  const { rows } = await sql<ExportRow>`
    ${shownRows}
    where e.organization_id = ${organizationId} and e.id = ${id} and e.expires_at > now()
  `.execute(tx)
  return rows[0] && toExport(rows[0])
}

function toExport(row: ExportRow): ExportRecord {
  return {
    id: row.id,
    format: row.format,
    selection: row.selection,
    state: row.state,
    count: row.count,
    processed: row.processed,
    bytes: row.bytes,
    note: row.note,
    createdByName: row.created_by_name,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}

export interface AskedExport {
  readonly organizationId: string
  readonly id: string
  readonly createdBy: string
  /** Whether `createdBy` is an API key. */
  readonly isByKey: boolean
  readonly format: ExportFormat
  readonly selection: FeedbackSelection
}

/**
 * Stores the request and enqueues its writing, in turn with the organisation's other exports.
 *
 * @returns `full` when the limit of open exports is reached; `taken` when the id is.
 */
export async function insertExport(
  tx: TenantTx,
  asked: AskedExport,
  maxOpen: number,
): Promise<'inserted' | 'full' | 'taken'> {
  const { organizationId, id, createdBy, isByKey, format, selection } = asked
  // Two requests at once would both see room.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`exports of ${organizationId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ open: number; taken: boolean }>`
    select app.count_open_exports(${organizationId}) as open,
      exists (select from exports where organization_id = ${organizationId} and id = ${id}) as taken
  `.execute(tx)
  if (rows[0]?.taken) return 'taken'
  if ((rows[0]?.open ?? 0) >= maxOpen) return 'full'
  await sql`
    insert into exports (organization_id, id, created_by, is_by_key, format, selection)
    values (${organizationId}, ${id}, ${createdBy}, ${isByKey}, ${format}, ${JSON.stringify(selection)})
  `.execute(tx)
  await sql`select app.enqueue_own_job('write_export', ${organizationId}, ${id})`.execute(tx)
  return 'inserted'
}

/** The same member's or API key's export with this id. */
export async function findAskedExport(
  tx: TenantTx,
  { organizationId, id, createdBy }: Pick<AskedExport, 'organizationId' | 'id' | 'createdBy'>,
): Promise<Pick<AskedExport, 'format' | 'selection'> | undefined> {
  const { rows } = await sql<Pick<AskedExport, 'format' | 'selection'>>`
    select format, selection from exports
    where organization_id = ${organizationId} and id = ${id} and created_by = ${createdBy}
  `.execute(tx)
  return rows[0]
}

/** Deletes an export in any state. A job deletes its bytes, and a process that writes it stops. */
export async function deleteExport(tx: TenantTx, organizationId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from exports where organization_id = ${organizationId} and id = ${id} returning id
  `.execute(tx)
  return rows.length > 0
}

/** The storage key of an export that the caller may see. */
export async function findExportFile(
  tx: TenantTx,
  organizationId: string,
  id: string,
): Promise<{ storageKey: string; format: ExportFormat; createdAt: Date } | undefined> {
  // A ready export has its key: exports_check.
  const { rows } = await sql<
    Present<RowAs<'exports', { storageKey: 'storage_key'; format: 'format'; createdAt: 'created_at' }>>
  >`
    select storage_key as "storageKey", format, created_at as "createdAt" from exports
    where organization_id = ${organizationId} and id = ${id} and state = 'ready' and expires_at > now()
  `.execute(tx)
  return rows[0]
}

/** An export that is being written, by the place it is written to. */
export interface Attempt extends AskedExport {
  readonly attempts: number
  readonly storageKey: string
  readonly startedAt: Date
}

type AttemptName = Pick<Attempt, 'organizationId' | 'id' | 'storageKey'>
export type ExportName = Pick<Attempt, 'organizationId' | 'id'>

/**
 * Begins to write an export, under a storage key of its own. Removes the bytes of an earlier attempt.
 *
 * @returns undefined when it was cancelled, or written already.
 */
export async function beginExport(
  tx: SystemTx,
  { organizationId, id, storageKey }: AttemptName,
): Promise<Attempt | undefined> {
  const { rows } = await sql<Omit<Attempt, 'storageKey'> & { formerKey: string | null }>`
    with former as materialized (
      select storage_key from exports
      where organization_id = ${organizationId} and id = ${id} and state in ('queued', 'running')
      for update
    )
    update exports e
    set state = 'running', attempts = e.attempts + 1, storage_key = ${storageKey}, processed = 0, count = null, note = null,
      lists_subjects = true
    from former
    where e.organization_id = ${organizationId} and e.id = ${id}
    returning e.organization_id as "organizationId", e.id, e.created_by as "createdBy", e.is_by_key as "isByKey", e.format,
      e.selection, e.attempts, now() as "startedAt", former.storage_key as "formerKey"
  `.execute(tx)
  const row = rows[0]
  if (!row) return undefined
  await sql`delete from app.export_subjects where organization_id = ${organizationId} and export_id = ${id}`.execute(tx)
  const { formerKey, ...attempt } = row
  if (formerKey !== null) {
    await sql`insert into app.removed_files (storage_key) values (${formerKey}) on conflict do nothing`.execute(tx)
    await sql`select app.enqueue_job('remove_files', '{}'::json, 'remove_files')`.execute(tx)
  }
  return { ...attempt, storageKey }
}

/** Adds a part of the list of an export's visitors. Does nothing for an export that was deleted meanwhile. */
export async function addSubjects(
  tx: SystemTx,
  { organizationId, id }: ExportName,
  subjects: readonly string[],
): Promise<void> {
  await sql`
    insert into app.export_subjects (organization_id, export_id, subjects)
    select organization_id, id, ${[...subjects]}::bigint[] from exports
    where organization_id = ${organizationId} and id = ${id}
    for key share
  `.execute(tx)
}

/**
 * @param progress undefined: nothing is known yet.
 * @returns false when it was cancelled, or another process writes it now: stop.
 */
export async function noteProgress(
  tx: SystemTx,
  { organizationId, id, storageKey }: AttemptName,
  progress: { count: number; processed: number } | undefined,
): Promise<boolean> {
  const { rows } = await sql`
    update exports set count = ${progress?.count ?? null}, processed = ${progress?.processed ?? 0}
    where organization_id = ${organizationId} and id = ${id} and storage_key = ${storageKey} and state = 'running'
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** @returns false when it was cancelled, or another process writes it now: delete the bytes. */
export async function completeExport(
  tx: SystemTx,
  { organizationId, id, storageKey }: AttemptName,
  { count, bytes, note, keepDays }: { count: number; bytes: number; note: string | null; keepDays: number },
): Promise<boolean> {
  const { rows } = await sql`
    update exports
    set state = 'ready', count = ${count}, processed = ${count}, bytes = ${bytes}, note = ${note},
      expires_at = now() + make_interval(days => ${keepDays})
    where organization_id = ${organizationId} and id = ${id} and storage_key = ${storageKey} and state = 'running'
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** @returns false when it was cancelled, or another process writes it now. */
export async function failExport(
  tx: SystemTx,
  { organizationId, id, storageKey }: AttemptName,
  note: string,
): Promise<boolean> {
  const { rows } = await sql`
    update exports set state = 'failed', note = ${note}, storage_key = null
    where organization_id = ${organizationId} and id = ${id} and storage_key = ${storageKey} and state = 'running'
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** Resets an export that the stopping server interrupted: it starts again later, without counting an attempt. */
export async function putBackExport(tx: SystemTx, { organizationId, id, storageKey }: AttemptName): Promise<void> {
  await sql`
    update exports set state = 'queued', attempts = attempts - 1, storage_key = null
    where organization_id = ${organizationId} and id = ${id} and storage_key = ${storageKey} and state = 'running'
  `.execute(tx)
}

/** Deletes expired exports; a job deletes their bytes. */
export async function deleteExpiredExports(tx: SystemTx, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from exports where (organization_id, id) in (
      select organization_id, id from exports where expires_at < now() order by expires_at limit ${limit}
    ) returning id
  `.execute(tx)
  return rows.length
}
