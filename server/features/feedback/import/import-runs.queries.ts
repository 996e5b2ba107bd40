import { sql } from 'kysely'
import {
  type Import,
  type ImportLayout,
  type ImportMapping,
  type ImportProblem,
  type ImportQuestion,
  maxImportProblems,
} from '#contract/imports.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'
import type { ImportedItem } from './read-row.ts'

/** A question as stored in a widget's settings. */
export type StoredQuestion = Pick<ImportQuestion, 'id' | 'label'> & Partial<ImportQuestion>

/** The current custom questions of the project of import `i`. */
export const questionsOfProject = sql<StoredQuestion[]>`coalesce((
  select w.settings -> 'fields' from widgets w
  where w.organization_id = i.organization_id and w.project_id = i.project_id
    and jsonb_typeof(w.settings -> 'fields') = 'array'), '[]')`

export function toQuestion({ id, kind = 'text', label, options }: StoredQuestion): ImportQuestion {
  return { id, kind, label, ...(options && { options }) }
}

/** Deletes the bytes of a file after this transaction. */
export async function removeFile(tx: SystemTx, storageKey: string): Promise<void> {
  await sql`insert into app.removed_files (storage_key) values (${storageKey}) on conflict do nothing`.execute(tx)
  await sql`select app.enqueue_job('remove_files', '{}'::json, 'remove_files')`.execute(tx)
}

/** A running step. */
export interface ImportRun {
  readonly organizationId: string
  readonly id: string
  readonly runId: string
  readonly projectId: string
  readonly state: Import['state']
  readonly storageKey: string | null
  readonly layout: ImportLayout | null
  readonly mapping: ImportMapping | null
  readonly questions: readonly ImportQuestion[]
  readonly total: number | null
  /** Rows that earlier attempts at this step processed. */
  readonly processed: number
  readonly attempts: number
}

/** @returns undefined when the step was cancelled, or is over. */
export async function takeUpRun(
  tx: SystemTx,
  { organizationId, id, runId }: Pick<ImportRun, 'organizationId' | 'id' | 'runId'>,
): Promise<ImportRun | undefined> {
  const { rows } = await sql<Omit<ImportRun, 'questions'> & { questions: StoredQuestion[] }>`
    update imports i set attempts = attempts + 1
    where organization_id = ${organizationId} and id = ${id} and run_id = ${runId}
      and state in ('checking', 'importing', 'undoing')
    returning organization_id as "organizationId", id, run_id as "runId", project_id as "projectId", state,
      storage_key as "storageKey", layout, mapping, ${questionsOfProject} as questions, total, processed, attempts
  `.execute(tx)
  const run = rows[0]
  return run && { ...run, questions: run.questions.map(toQuestion) }
}

/** The outcome of a batch of rows. */
export interface BatchOutcome {
  readonly lastRow: number
  readonly accepted: number
  readonly problems: readonly ImportProblem[]
}

/** @returns false when the step was cancelled meanwhile: roll this transaction back. */
export async function noteBatch(tx: SystemTx, run: ImportRun, outcome: BatchOutcome): Promise<boolean> {
  const refused = outcome.problems.filter(({ isRowLeftOut }) => isRowLeftOut).length
  const { rows } = await sql<Row<'imports', 'refused' | 'incomplete'>>`
    update imports
    set processed = ${outcome.lastRow}, accepted = accepted + ${outcome.accepted}, refused = refused + ${refused},
      incomplete = incomplete + ${outcome.problems.length - refused}
    where organization_id = ${run.organizationId} and id = ${run.id} and run_id = ${run.runId}
    returning refused, incomplete
  `.execute(tx)
  const sums = rows[0]
  if (sums === undefined) return false
  const room = Math.max(0, maxImportProblems - (sums.refused + sums.incomplete - outcome.problems.length))
  const kept = outcome.problems.slice(0, room)
  if (kept.length > 0) {
    await sql`
      insert into import_problems (organization_id, import_id, row_number, reason, is_row_left_out)
      select ${run.organizationId}, ${run.id}, p.row, p.reason, p.is_row_left_out
      from unnest(${kept.map(({ row }) => row)}::integer[], ${kept.map(({ reason }) => reason)}::text[],
        ${kept.map(({ isRowLeftOut }) => isRowLeftOut)}::boolean[]) as p (row, reason, is_row_left_out)
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

/** The end of a step. */
export type EndOfRun = [
  state: 'checked' | 'imported' | 'undone' | 'failed',
  options?: { readonly total?: number; readonly note?: string },
]

/**
 * Ends a step. The end of an import deletes its file.
 *
 * @returns undefined when it was over already.
 */
export async function endRun(
  tx: SystemTx,
  run: ImportRun,
  ...[state, options = {}]: EndOfRun
): Promise<{ accepted: number; createdBy: string } | undefined> {
  const { rows } = await sql<{ storageKey: string | null; accepted: number; createdBy: string }>`
    update imports
    set state = ${state}, run_id = null, note = ${options.note ?? null},
      -- Rows that were only checked cannot be undone.
      accepted = case when state = 'checking' and ${state} = 'failed' then 0 else accepted end,
      total = coalesce(${options.total ?? null}::integer, total),
      processed = coalesce(${options.total ?? null}::integer, processed),
      imported_at = case when ${state} = 'imported' then now() else imported_at end
    where organization_id = ${run.organizationId} and id = ${run.id} and run_id = ${run.runId}
    returning storage_key as "storageKey", accepted, created_by as "createdBy"
  `.execute(tx)
  const [ended] = rows
  if (state !== 'imported' || !ended || ended.storageKey === null) return ended
  await sql`
    update imports set storage_key = null where organization_id = ${run.organizationId} and id = ${run.id}
  `.execute(tx)
  await removeFile(tx, ended.storageKey)
  return ended
}

/** Moves items to the trash as the actor of `tx`. Items in the trash keep their time. */
export async function trashItems(tx: TenantTx, organizationId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update feedback set deleted_at = now()
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[]) and deleted_at is null
  `.execute(tx)
}

/** Deletes expired imports; a job deletes their bytes. */
export async function deleteExpiredImports(tx: SystemTx, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from imports where (organization_id, id) in (
      select organization_id, id from imports where expires_at < now() order by expires_at limit ${limit}
    ) returning id
  `.execute(tx)
  return rows.length
}

/** Those of the items that are not locked. */
export async function listReadable(tx: SystemTx, organizationId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<Row<'feedback', 'id'>>`
    select id from feedback where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[]) and not locked
  `.execute(tx)
  return rows.map(({ id }) => id)
}
