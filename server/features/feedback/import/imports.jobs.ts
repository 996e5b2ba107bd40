import Type from 'typebox'
import type { ImportProblem } from '#contract/imports.ts'
import { Uuid } from '#contract/text.ts'
import { actFor } from '#server/platform/database/actor.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { sendLiveMessage } from '#server/platform/events/live-channel.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import type { Platform } from '#server/platform/platform.ts'
import { FileMissingError } from '#server/platform/storage/storage.ts'
import { UnreadableFileError } from './import-file.ts'
import { readRows } from './import-rows.ts'
import {
  deleteExpiredImports,
  type EndOfRun,
  endRun,
  type ImportRun,
  listReadable,
  noteBatch,
  storeItems,
  takeUpRun,
  trashItems,
} from './import-runs.queries.ts'
import { createRowReader, type ImportedItem, idOfRow } from './read-row.ts'

type ImportJobParts = Pick<Platform, 'database' | 'storage' | 'log' | 'stopping'>

const Run = Type.Object({ organizationId: Uuid, id: Uuid, runId: Uuid, actorUserId: Uuid })
const reason = 'rows of a file become items of a project that the caller may fill'
const maxAttempts = 5
// A project's visitors wait while a batch is stored: few at a time.
const batchSize = 100
const rowsPerCheck = 2_000

/** The step was cancelled, or its project is gone. */
class StoppedError extends Error {}

/** Checks, imports and undoes imports. Nightly, deletes unfinished imports after a week, others after a month. */
export function createImportJobs(parts: ImportJobParts): Job[] {
  const { database } = parts
  return [
    defineJob(
      'run_import',
      Run,
      async ({ organizationId, id, runId, actorUserId }) => {
        const run = await database.asSystem(reason, (tx) => takeUpRun(tx, { organizationId, id, runId }))
        if (run) await tryRun(run, actorUserId, parts)
      },
      { pool: 'transfer' },
    ),
    defineCron('sweep_imports', { at: '29 3 * * *', catchUpHours: 24 }, async () => {
      await deleteInBatches((limit) =>
        database.asSystem('imports of every organisation end', (tx) => deleteExpiredImports(tx, limit)),
      )
    }),
  ]
}

async function tryRun(run: ImportRun, actorUserId: string, parts: ImportJobParts): Promise<void> {
  const { database, log, stopping } = parts
  const fail = (note: string) => database.asSystem(reason, (tx) => end(tx, run, 'failed', { note }))
  if (run.attempts > maxAttempts) return fail('The import failed. You can undo the rows imported so far.')
  try {
    if (run.state === 'undoing') await undo(run, actorUserId, parts)
    else await readFile(run, parts)
  } catch (error) {
    if (error instanceof StoppedError) return
    if (error instanceof UnreadableFileError) return fail(error.message)
    if (error instanceof FileMissingError) return fail('The file was deleted. Upload it again.')
    if (!stopping.aborted && run.attempts >= maxAttempts) {
      log.error({ err: error }, 'import failed')
      return fail('The import failed. You can undo the rows imported so far.')
    }
    throw error
  }
}

/** Checks every row; an import step also stores the valid ones. A batch and its progress are one transaction. */
async function readFile(run: ImportRun, { database, storage, stopping }: ImportJobParts): Promise<void> {
  const { layout, mapping, questions, storageKey } = run
  if (!layout || !mapping || storageKey === null) throw new UnreadableFileError('The file was deleted.')
  const isImport = run.state === 'importing'
  const reader = createRowReader(mapping, layout.columns, questions)
  let items: ImportedItem[] = []
  let problems: ImportProblem[] = []
  let lastRow = run.processed
  let hasStored = false

  const flush = async () => {
    stopping.throwIfAborted()
    const outcome = { lastRow, accepted: items.length, problems }
    await database.asSystem(reason, async (tx) => {
      if (isImport && (await storeItems(tx, run, items)) === undefined) throw new StoppedError()
      if (isImport && items.length > 0) {
        const { organizationId, id: importId } = run
        // Locked ones are told of when they are unlocked.
        const ids = await listReadable(
          tx,
          organizationId,
          items.map(({ id }) => id),
        )
        const event = { organizationId, name: 'feedback.imported', ids, payload: { importId } } as const
        if (ids.length > 0) await recordEvent(tx, { ...event, announced: 'never' })
      }
      if (!(await noteBatch(tx, run, outcome))) throw new StoppedError()
    })
    hasStored ||= isImport && items.length > 0
    items = []
    problems = []
  }

  const source = await storage.read(storageKey)
  let rows = 0
  try {
    for await (const { number, cells } of readRows(source, layout)) {
      rows += 1
      if (number <= run.processed) continue
      const read = cells ? reader.read(run.id, number, cells) : { reason: 'it is no object with named values' }
      if ('item' in read) items.push(read.item)
      const reason = 'item' in read ? read.leftOut : read.reason
      if (reason !== undefined) problems.push({ row: number, reason, isRowLeftOut: !('item' in read) })
      lastRow = number
      if (items.length + problems.length >= (isImport ? batchSize : rowsPerCheck)) await flush()
    }
    await flush()
  } finally {
    source.destroy()
    // Also after a cancellation: the items imported until then show.
    if (hasStored) await sendLiveMessage(database, run.organizationId, { kind: 'feedback.updated', ids: [] })
  }
  await database.asSystem(reason, (tx) => end(tx, run, isImport ? 'imported' : 'checked', { total: rows }))
}

async function undo(run: ImportRun, actorUserId: string, { database, stopping }: ImportJobParts): Promise<void> {
  const { organizationId, id } = run
  // The header counts as a row; a few ids without an item do no harm.
  const last = (run.total ?? 0) + 1
  for (let from = run.processed + 1; from <= last; from += 500) {
    stopping.throwIfAborted()
    const ids = Array.from({ length: Math.min(500, last - from + 1) }, (_, at) => idOfRow(id, from + at))
    await database.withTenant(actFor(actorUserId, organizationId), (tx) => trashItems(tx, organizationId, ids))
    const outcome = { lastRow: Math.min(from + 499, last), accepted: 0, problems: [] }
    if (!(await database.asSystem(reason, (tx) => noteBatch(tx, run, outcome)))) throw new StoppedError()
  }
  await database.asSystem(reason, (tx) => end(tx, run, 'undone'))
}

/** Ends a step, and records the outcome of the import. A check alone is no event. */
async function end(tx: SystemTx, run: ImportRun, ...outcome: EndOfRun): Promise<void> {
  const ended = await endRun(tx, run, ...outcome)
  const [state] = outcome
  if (!ended || state === 'checked') return
  const { organizationId, projectId } = run
  const event = { organizationId, ids: [run.id], actorUserId: ended.createdBy, announced: 'never' } as const
  const payload = { projectId }
  if (state === 'imported')
    await recordEvent(tx, { ...event, name: 'import.completed', payload: { projectId, count: ended.accepted } })
  else await recordEvent(tx, { ...event, name: state === 'undone' ? 'import.undone' : 'import.failed', payload })
}
