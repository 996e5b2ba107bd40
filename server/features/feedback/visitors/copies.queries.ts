import { type RawBuilder, sql } from 'kysely'
import type { ImportLayout, ImportMapping } from '#contract/imports.ts'
import type { FeedbackSelection } from '#contract/inbox.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Refined, Row, RowAs } from '#server/platform/database/row.ts'
import type { ErasureScope } from './erase-visitor.queries.ts'

/** A view that may name a visitor. */
export type ViewCopy = Readonly<Row<'saved_views', 'id' | 'name' | 'search'>>

/** An export, and whether its file contains items of the visitor. */
export interface ExportCopy extends Readonly<Row<'exports', 'id' | 'state'>> {
  readonly selection: Refined<'exports', 'selection', FeedbackSelection>
  readonly containsItems: boolean
}

/** An import whose first rows are known, and whose file may wait in the storage. */
export interface ImportCopy
  extends Readonly<RowAs<'imports', { id: 'id'; state: 'state'; storageKey: 'storage_key' }>> {
  readonly layout: ImportLayout
  readonly mapping: ImportMapping | null
}

/** None in one project: a view belongs to the organisation. */
export async function listViewCopies(tx: SystemTx, { organizationId, projectId }: ErasureScope): Promise<ViewCopy[]> {
  if (projectId !== null) return []
  const { rows } = await sql<ViewCopy>`
    select id, name, search from saved_views where organization_id = ${organizationId}
  `.execute(tx)
  return rows
}

/** Exports `e` of the scope: in one project, those of its items alone. */
function isInScope({ organizationId, projectId }: ErasureScope): RawBuilder<boolean> {
  return sql<boolean>`e.organization_id = ${organizationId}
    ${projectId === null ? sql`` : sql`and lower((e.selection -> 'projectId')::text) = ${JSON.stringify([projectId])}`}`
}

/** @param subjects numbers of the visitor, see export-subjects.ts. */
export async function listExportCopies(
  tx: SystemTx,
  scope: ErasureScope,
  subjects: readonly string[],
): Promise<ExportCopy[]> {
  // An export from before visitors were listed may contain anyone's items.
  const { rows } = await sql<ExportCopy>`
    select e.id, e.state, e.selection, e.state = 'ready' and (
        not e.lists_subjects and e.count > 0
        or exists (select from app.export_subjects s
          where s.organization_id = e.organization_id and s.export_id = e.id and s.subjects && ${[...subjects]}::bigint[])
      ) as "containsItems"
    from exports e where ${isInScope(scope)}
  `.execute(tx)
  return rows
}

export async function listImportCopies(
  tx: SystemTx,
  { organizationId, projectId }: ErasureScope,
): Promise<ImportCopy[]> {
  const { rows } = await sql<ImportCopy>`
    select id, state, storage_key as "storageKey", layout, mapping from imports
    where organization_id = ${organizationId} and layout is not null
      ${projectId === null ? sql`` : sql`and project_id = ${projectId}`}
  `.execute(tx)
  return rows
}

/** Makes exports that are being written begin again: they may have read items that are erased now. */
export async function restartRunningExports(tx: SystemTx, scope: ErasureScope): Promise<void> {
  const { organizationId } = scope
  // Their jobs notice that the export is not theirs any more. Another job of the same queue begins after them.
  const { rows } = await sql<Row<'exports', 'id'>>`
    update exports e set state = 'queued', attempts = greatest(attempts - 1, 0)
    where ${isInScope(scope)} and state = 'running'
    returning id
  `.execute(tx)
  for (const { id } of rows) {
    const payload = JSON.stringify({ organizationId, id })
    await sql`select app.enqueue_in_turn('write_export', ${payload}::json, ${`transfer ${organizationId}`})`.execute(tx)
  }
}

type CopyTable = 'saved_views' | 'exports' | 'imports'

/** Deletes copies by id; a job deletes the bytes of files. */
export async function deleteCopies(
  tx: SystemTx,
  organizationId: string,
  table: CopyTable,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    delete from ${sql.table(table)} where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[])
  `.execute(tx)
}

/** Stops an import that already stored rows, and deletes its file. The record stays, so that it can be undone. */
export async function stopImport(tx: SystemTx, organizationId: string, { id, storageKey }: ImportCopy): Promise<void> {
  await sql`
    update imports
    set storage_key = null, run_id = case when state = 'importing' then null else run_id end,
      state = case when state = 'importing' then 'cancelled' else state end
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
  if (storageKey === null) return
  await sql`insert into app.removed_files (storage_key) values (${storageKey}) on conflict do nothing`.execute(tx)
  await sql`select app.enqueue_job('remove_files', '{}'::json, 'remove_files')`.execute(tx)
}

export async function setFirstRows(
  tx: SystemTx,
  organizationId: string,
  id: string,
  rows: ImportLayout['rows'],
): Promise<void> {
  await sql`
    update imports set layout = jsonb_set(layout, '{rows}', ${JSON.stringify(rows)}::jsonb)
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}
