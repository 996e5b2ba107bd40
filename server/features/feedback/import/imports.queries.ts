import { sql } from 'kysely'
import {
  type Import,
  type ImportLayout,
  type ImportMapping,
  type ImportProblem,
  maxImportProblems,
} from '#contract/imports.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { ImportedItem } from './read-row.ts'

interface ImportRow {
  id: string
  project_id: string
  name: string
  state: Import['state']
  layout: ImportLayout | null
  mapping: ImportMapping | null
  total: number | null
  processed: number
  accepted: number
  refused: number
  note: string | null
  imported_before_at: Date | null
  created_by_name: string | null
  created_at: Date
}

const shownRows = sql`
  select i.id, i.project_id, i.name, i.state, i.layout, i.mapping, i.total, i.processed, i.accepted, i.refused, i.note,
    i.created_at, coalesce(nullif(p.full_name, ''), p.email) as created_by_name,
    (select max(o.imported_at) from imports o
      where o.organization_id = i.organization_id and o.project_id = i.project_id and o.id <> i.id
        and o.content_hash = i.content_hash and o.state = 'imported') as imported_before_at
  from imports i
  left join profiles p on p.user_id = i.created_by
`

export async function listImports(tx: TenantTx, organizationId: string): Promise<Import[]> {
  const { rows } = await sql<ImportRow>`
    ${shownRows}
    where i.organization_id = ${organizationId} and i.expires_at > now()
    order by i.created_at desc, i.id desc
    limit 100
  `.execute(tx)
  return rows.map(toImport)
}

export async function findImport(tx: TenantTx, organizationId: string, id: string): Promise<Import | undefined> {
  const { rows } = await sql<ImportRow>`
    ${shownRows} where i.organization_id = ${organizationId} and i.id = ${id} and i.expires_at > now()
  `.execute(tx)
  return rows[0] && toImport(rows[0])
}

function toImport(row: ImportRow): Import {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    state: row.state,
    layout: row.layout,
    mapping: row.mapping,
    total: row.total,
    processed: row.processed,
    accepted: row.accepted,
    refused: row.refused,
    note: row.note,
    importedBeforeAt: row.imported_before_at?.toISOString() ?? null,
    createdByName: row.created_by_name,
    createdAt: row.created_at.toISOString(),
  }
}

export interface AskedImport {
  readonly organizationId: string
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly createdBy: string
}

/** @returns `taken` when the id is; `no_project` when there is none. */
export async function insertImport(
  tx: TenantTx,
  { organizationId, id, projectId, name, createdBy }: AskedImport,
): Promise<'inserted' | 'taken' | 'no_project'> {
  const projects = await sql`
    select id from projects where organization_id = ${organizationId} and id = ${projectId}
  `.execute(tx)
  if (projects.rows.length === 0) return 'no_project'
  const { rows } = await sql`
    insert into imports (organization_id, id, project_id, created_by, name)
    values (${organizationId}, ${id}, ${projectId}, ${createdBy}, ${name})
    on conflict (organization_id, id) do nothing
    returning id
  `.execute(tx)
  return rows.length > 0 ? 'inserted' : 'taken'
}

export async function isAskedImport(tx: TenantTx, asked: AskedImport): Promise<boolean> {
  const { rows } = await sql`
    select id from imports
    where organization_id = ${asked.organizationId} and id = ${asked.id} and created_by = ${asked.createdBy}
      and project_id = ${asked.projectId} and name = ${asked.name}
  `.execute(tx)
  return rows.length > 0
}

interface ImportName {
  readonly organizationId: string
  readonly id: string
}

/** Notes the file that arrived, in place of one that came before. @returns false when it is too late for a file. */
export async function setImportFile(
  tx: SystemTx,
  { organizationId, id }: ImportName,
  file: { storageKey: string; contentHash: Buffer; layout: ImportLayout },
): Promise<boolean> {
  const { rows } = await sql<{ formerKey: string | null }>`
    with former as materialized (
      select storage_key from imports
      where organization_id = ${organizationId} and id = ${id} and state in ('waiting', 'uploaded', 'checked')
      for update
    )
    update imports i
    set storage_key = ${file.storageKey}, content_hash = ${file.contentHash}, layout = ${JSON.stringify(file.layout)},
      state = 'uploaded', mapping = null, total = null, processed = 0, accepted = 0, refused = 0, note = null
    from former
    where i.organization_id = ${organizationId} and i.id = ${id}
    returning former.storage_key as "formerKey"
  `.execute(tx)
  const row = rows[0]
  if (!row) return false
  if (row.formerKey !== null) await removeFile(tx, row.formerKey)
  return true
}

async function removeFile(tx: SystemTx, storageKey: string): Promise<void> {
  await sql`insert into app.removed_files (storage_key) values (${storageKey}) on conflict do nothing`.execute(tx)
  await sql`select app.enqueue_job('remove_files', '{}'::json, 'remove_files')`.execute(tx)
}

export type Step = 'checking' | 'importing' | 'undoing'

/**
 * Begins a step of an import, as a run of its own: whatever another run still does is refused.
 *
 * @param from states in which the step may begin.
 */
export async function beginStep(
  tx: SystemTx,
  { organizationId, id }: ImportName,
  step: Step,
  options: { runId: string; from: readonly Import['state'][]; actorUserId: string; mapping?: ImportMapping },
): Promise<boolean> {
  const { runId, from, actorUserId, mapping } = options
  const { rows } = await sql`
    update imports
    set state = ${step}, run_id = ${runId}, attempts = 0, processed = 0, note = null,
      -- As far as any of its rows were stored.
      total = case when ${step} = 'undoing' then greatest(total, processed) else total end,
      accepted = case when ${step} = 'undoing' then accepted else 0 end,
      refused = case when ${step} = 'undoing' then refused else 0 end,
      mapping = coalesce(${mapping === undefined ? null : JSON.stringify(mapping)}::jsonb, mapping),
      expires_at = case when ${step} = 'checking' then expires_at else now() + interval '30 days' end
    where organization_id = ${organizationId} and id = ${id} and state = any (${[...from]}::text[])
      and (${step} <> 'importing' or mapping is not null)
    returning id
  `.execute(tx)
  if (rows.length === 0) return false
  if (step !== 'undoing') {
    await sql`delete from import_problems where organization_id = ${organizationId} and import_id = ${id}`.execute(tx)
  }
  const payload = JSON.stringify({ organizationId, id, runId, actorUserId })
  await sql`select app.enqueue_in_turn('run_import', ${payload}::json, ${`transfer ${organizationId}`})`.execute(tx)
  return true
}

export async function countOpenImports(tx: TenantTx, organizationId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from imports
    where organization_id = ${organizationId} and state in ('checking', 'importing', 'undoing')
  `.execute(tx)
  return rows[0]?.open ?? 0
}

/** Stops whatever runs. What cannot be stopped stays as it is. */
export async function cancelImport(tx: SystemTx, { organizationId, id }: ImportName): Promise<void> {
  await sql`
    update imports
    set state = case when state = 'importing' then 'cancelled' else 'uploaded' end, run_id = null
    where organization_id = ${organizationId} and id = ${id} and state in ('checking', 'importing')
  `.execute(tx)
}

export async function listProblems(tx: TenantTx, organizationId: string, id: string): Promise<ImportProblem[]> {
  const { rows } = await sql<ImportProblem>`
    select row_number as row, reason from import_problems
    where organization_id = ${organizationId} and import_id = ${id} order by row_number
  `.execute(tx)
  return rows
}

/** A step at hand. */
export interface ImportRun extends ImportName {
  readonly runId: string
  readonly projectId: string
  readonly state: Import['state']
  readonly storageKey: string | null
  readonly layout: ImportLayout | null
  readonly mapping: ImportMapping | null
  readonly total: number | null
  /** Rows that an earlier attempt at this step has done. */
  readonly processed: number
  readonly attempts: number
}

/** @returns undefined when the step was cancelled, or is over. */
export async function takeUpRun(
  tx: SystemTx,
  { organizationId, id, runId }: Pick<ImportRun, 'organizationId' | 'id' | 'runId'>,
): Promise<ImportRun | undefined> {
  const { rows } = await sql<ImportRun>`
    update imports set attempts = attempts + 1
    where organization_id = ${organizationId} and id = ${id} and run_id = ${runId}
      and state in ('checking', 'importing', 'undoing')
    returning organization_id as "organizationId", id, run_id as "runId", project_id as "projectId", state,
      storage_key as "storageKey", layout, mapping, total, processed, attempts
  `.execute(tx)
  return rows[0]
}

/** What a batch of rows came to. */
export interface BatchOutcome {
  readonly lastRow: number
  readonly accepted: number
  readonly problems: readonly ImportProblem[]
}

/** @returns false when the step was cancelled meanwhile: what this transaction did must not stay. */
export async function noteBatch(tx: SystemTx, run: ImportRun, outcome: BatchOutcome): Promise<boolean> {
  const { rows } = await sql<{ refused: number }>`
    update imports
    set processed = ${outcome.lastRow}, accepted = accepted + ${outcome.accepted},
      refused = refused + ${outcome.problems.length}
    where organization_id = ${run.organizationId} and id = ${run.id} and run_id = ${run.runId}
    returning refused
  `.execute(tx)
  const refused = rows[0]?.refused
  if (refused === undefined) return false
  const room = Math.max(0, maxImportProblems - (refused - outcome.problems.length))
  const kept = outcome.problems.slice(0, room)
  if (kept.length > 0) {
    await sql`
      insert into import_problems (organization_id, import_id, row_number, reason)
      select ${run.organizationId}, ${run.id}, p.row, p.reason
      from unnest(${kept.map(({ row }) => row)}::integer[], ${kept.map(({ reason }) => reason)}::text[]) as p (row, reason)
      on conflict do nothing
    `.execute(tx)
  }
  return true
}

/** @returns how many were new; undefined when the project is gone. */
export async function storeItems(
  tx: SystemTx,
  { organizationId, projectId }: ImportRun,
  items: readonly ImportedItem[],
): Promise<number | undefined> {
  if (items.length === 0) return 0
  const { rows } = await sql<{ stored: number | null }>`
    select app.store_imported(${organizationId}, ${projectId}, ${JSON.stringify(items)}::json) as stored
  `.execute(tx)
  return rows[0]?.stored ?? undefined
}

/** Ends a step. After an import its file is not needed any more. */
export async function endRun(
  tx: SystemTx,
  run: ImportRun,
  state: 'checked' | 'imported' | 'undone' | 'failed',
  options: { total?: number; note?: string } = {},
): Promise<void> {
  const { rows } = await sql<{ storageKey: string | null }>`
    update imports
    set state = ${state}, run_id = null, note = ${options.note ?? null},
      total = coalesce(${options.total ?? null}::integer, total),
      processed = coalesce(${options.total ?? null}::integer, processed),
      imported_at = case when ${state} = 'imported' then now() else imported_at end
    where organization_id = ${run.organizationId} and id = ${run.id} and run_id = ${run.runId}
    returning storage_key as "storageKey"
  `.execute(tx)
  const key = rows[0]?.storageKey
  if (state !== 'imported' || key === undefined || key === null) return
  await sql`
    update imports set storage_key = null where organization_id = ${run.organizationId} and id = ${run.id}
  `.execute(tx)
  await removeFile(tx, key)
  await sql`
    insert into audit_log (organization_id, actor_user_id, action, target_type, target_id, details)
    select organization_id, created_by, 'feedback.imported', 'import', id,
      jsonb_build_object('project', project_id, 'count', accepted)
    from imports where organization_id = ${run.organizationId} and id = ${run.id}
  `.execute(tx)
}

/** Moves items to the trash, in the name of whoever `tx` acts for. What lies there already stays as it is. */
export async function trashItems(tx: TenantTx, organizationId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update feedback set deleted_at = now()
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[]) and deleted_at is null
  `.execute(tx)
}

/** Deletes those whose time is over; their bytes follow by a job. */
export async function deleteExpiredImports(tx: SystemTx, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from imports where (organization_id, id) in (
      select organization_id, id from imports where expires_at < now() order by expires_at limit ${limit}
    ) returning id
  `.execute(tx)
  return rows.length
}
