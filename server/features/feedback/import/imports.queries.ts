import { sql } from 'kysely'
import type { Import, ImportLayout, ImportMapping, ImportProblem, ImportSummary } from '#contract/imports.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Refined, Row } from '#server/platform/database/row.ts'
import { questionsOfProject, removeFile, type StoredQuestion, toQuestion } from './import-runs.queries.ts'

interface SummaryRow
  extends Row<
    'imports',
    | 'id'
    | 'project_id'
    | 'name'
    | 'state'
    | 'total'
    | 'processed'
    | 'accepted'
    | 'refused'
    | 'incomplete'
    | 'note'
    | 'created_at'
  > {
  undo_until: Date | null
  created_by_name: string | null
}

interface ImportRow extends SummaryRow {
  layout: Refined<'imports', 'layout', ImportLayout>
  mapping: Refined<'imports', 'mapping', ImportMapping>
  questions: StoredQuestion[]
  imported_before_at: Date | null
}

const summaryColumns = sql`
  i.id, i.project_id, i.name, i.state, i.total, i.processed, i.accepted, i.refused, i.incomplete, i.note, i.created_at,
  case when i.state in ('imported', 'cancelled', 'failed') and i.accepted > 0 then i.expires_at end as undo_until,
  coalesce(nullif(p.full_name, ''), p.email) as created_by_name
`

export async function listImports(tx: TenantTx, organizationId: string): Promise<ImportSummary[]> {
  const { rows } = await sql<SummaryRow>`
    select ${summaryColumns}
    from imports i
    left join profiles p on p.user_id = i.created_by
    where i.organization_id = ${organizationId} and i.expires_at > now()
    order by i.created_at desc, i.id desc
    limit 100
  `.execute(tx)
  return rows.map(toSummary)
}

export async function findImport(tx: TenantTx, organizationId: string, id: string): Promise<Import | undefined> {
  const { rows } = await sql<ImportRow>`
    select ${summaryColumns}, i.layout, i.mapping, ${questionsOfProject} as questions,
      (select max(o.imported_at) from imports o
        where o.organization_id = i.organization_id and o.project_id = i.project_id and o.id <> i.id
          and o.content_hash = i.content_hash and o.state = 'imported') as imported_before_at
    from imports i
    left join profiles p on p.user_id = i.created_by
    where i.organization_id = ${organizationId} and i.id = ${id} and i.expires_at > now()
  `.execute(tx)
  const row = rows[0]
  return (
    row && {
      ...toSummary(row),
      layout: row.layout,
      mapping: row.mapping,
      questions: row.questions.map(toQuestion),
      importedBeforeAt: row.imported_before_at?.toISOString() ?? null,
    }
  )
}

function toSummary(row: SummaryRow): ImportSummary {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    state: row.state,
    total: row.total,
    processed: row.processed,
    accepted: row.accepted,
    refused: row.refused,
    incomplete: row.incomplete,
    note: row.note,
    undoUntil: row.undo_until?.toISOString() ?? null,
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
      state = 'uploaded', mapping = null, total = null, processed = 0, accepted = 0, refused = 0,
      incomplete = 0, note = null
    from former
    where i.organization_id = ${organizationId} and i.id = ${id}
    returning former.storage_key as "formerKey"
  `.execute(tx)
  const row = rows[0]
  if (!row) return false
  if (row.formerKey !== null) await removeFile(tx, row.formerKey)
  return true
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
      incomplete = case when ${step} = 'undoing' then incomplete else 0 end,
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
    select row_number as row, reason, is_row_left_out as "isRowLeftOut" from import_problems
    where organization_id = ${organizationId} and import_id = ${id} order by row_number
  `.execute(tx)
  return rows
}

/** Where the file of an import is, and how it is read; undefined: there is none. */
export async function findImportFile(
  tx: SystemTx,
  { organizationId, id }: ImportName,
): Promise<{ storageKey: string; layout: ImportLayout } | undefined> {
  const { rows } = await sql<{ storageKey: string; layout: ImportLayout }>`
    select storage_key as "storageKey", layout from imports
    where organization_id = ${organizationId} and id = ${id} and storage_key is not null and layout is not null
      and expires_at > now()
  `.execute(tx)
  return rows[0]
}
