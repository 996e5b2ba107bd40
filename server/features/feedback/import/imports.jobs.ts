import Type from 'typebox'
import type { ImportProblem } from '#contract/imports.ts'
import { Uuid } from '#contract/text.ts'
import { actFor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import type { Log } from '#server/platform/log/log.ts'
import { FileMissingError, type Storage } from '#server/platform/storage/storage.ts'
import { noteNewItems } from '../../analytics/analytics.service.ts'
import { announceFeedback } from '../feedback.queries.ts'
import { toNotice } from '../notice.ts'
import { learnWords } from '../search.queries.ts'
import { noteVisitors } from '../visitors/note-visitors.queries.ts'
import { UnreadableFileError } from './import-file.ts'
import { readRows } from './import-rows.ts'
import {
  deleteExpiredImports,
  endRun,
  enqueueFollowUp,
  type ImportRun,
  noteBatch,
  storeItems,
  takeUpRun,
  trashItems,
} from './import-runs.queries.ts'
import { createRowReader, type ImportedItem, idOfRow } from './read-row.ts'

export interface ImportJobParts {
  readonly database: Database
  readonly storage: Storage
  readonly log: Log
  /** Aborted when the server stops: whoever works next goes on where it was. */
  readonly signal: AbortSignal
}

const Run = Type.Object({ organizationId: Uuid, id: Uuid, runId: Uuid, actorUserId: Uuid })
const Imported = Type.Object({ organizationId: Uuid, ids: Type.Array(Uuid) })
const reason = 'rows of a file become items of a project that the caller may fill'
const maxAttempts = 5
// A project's visitors wait while a batch is stored: few at a time.
const batchSize = 100
const rowsPerCheck = 2_000

/** The step was cancelled, or its project is gone. */
class StoppedError extends Error {}

/** Checks, imports and undoes imports. Long: for workers of its own. */
export function createImportJobs(parts: ImportJobParts): Job[] {
  return [
    defineJob('run_import', Run, async ({ organizationId, id, runId, actorUserId }) => {
      const run = await parts.database.asSystem(reason, (tx) => takeUpRun(tx, { organizationId, id, runId }))
      if (run) await tryRun(run, actorUserId, parts)
    }),
  ]
}

/**
 * What follows from imported items: their visitors are listed and their words known. Nobody is told of them. And every
 * night, imports that came to nothing go after a week, others after a month.
 */
export function createImportFollowUpJobs(database: Database): Job[] {
  return [
    defineJob('feedback_imported', Imported, async ({ organizationId, ids }) => {
      const items = ids.map((id) => ({ organizationId, id }))
      await database.asSystem('who is said to have sent feedback', async (tx) => {
        await noteVisitors(tx, items)
        await learnWords(tx, organizationId, ids)
      })
    }),
    defineCron('sweep_imports', { at: '29 3 * * *', catchUpHours: 24 }, async () => {
      await deleteInBatches((limit) =>
        database.asSystem('imports of every organisation end', (tx) => deleteExpiredImports(tx, limit)),
      )
    }),
  ]
}

async function tryRun(run: ImportRun, actorUserId: string, parts: ImportJobParts): Promise<void> {
  const { database, log, signal } = parts
  const fail = (note: string) => database.asSystem(reason, (tx) => endRun(tx, run, 'failed', { note }))
  if (run.attempts > maxAttempts) return fail('It was given up. What was imported until then can be undone.')
  try {
    if (run.state === 'undoing') await undo(run, actorUserId, parts)
    else await readFile(run, parts)
  } catch (error) {
    if (error instanceof StoppedError) return
    if (error instanceof UnreadableFileError) return fail(error.message)
    if (error instanceof FileMissingError) return fail('Its file is not there any more. Please send it again.')
    if (!signal.aborted && run.attempts >= maxAttempts) {
      log.error({ err: error }, 'an import was given up')
      return fail('It was given up. What was imported until then can be undone.')
    }
    throw error
  }
}

/** Looks at every row, and stores what can be stored if the step is to. Each batch is whole, with its progress, or not. */
async function readFile(run: ImportRun, { database, storage, signal }: ImportJobParts): Promise<void> {
  const { layout, mapping, questions, storageKey } = run
  if (!layout || !mapping || storageKey === null) throw new UnreadableFileError('Its file is not there any more.')
  const isImport = run.state === 'importing'
  const reader = createRowReader(mapping, layout.columns, questions)
  let items: ImportedItem[] = []
  let problems: ImportProblem[] = []
  let lastRow = run.processed
  let hasStored = false

  const flush = async () => {
    signal.throwIfAborted()
    const outcome = { lastRow, accepted: items.length, problems }
    await database.asSystem(reason, async (tx) => {
      if (isImport && (await storeItems(tx, run, items)) === undefined) throw new StoppedError()
      if (isImport && items.length > 0) {
        const ids = items.map(({ id }) => id)
        await noteNewItems(
          tx,
          ids.map((id) => ({ organizationId: run.organizationId, id })),
        )
        await enqueueFollowUp(tx, run, ids)
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
      if ('reason' in read) problems.push({ row: number, reason: read.reason })
      else items.push(read)
      lastRow = number
      if (items.length + problems.length >= (isImport ? batchSize : rowsPerCheck)) await flush()
    }
    await flush()
  } finally {
    source.destroy()
    // Also where it was stopped: what came in until then shows.
    if (hasStored) await announceMany(database, run.organizationId)
  }
  await database.asSystem(reason, (tx) => endRun(tx, run, isImport ? 'imported' : 'checked', { total: rows }))
}

async function undo(run: ImportRun, actorUserId: string, { database, signal }: ImportJobParts): Promise<void> {
  const { organizationId, id } = run
  // The line of names counts as a row; a few ids that stand for no item do no harm.
  const last = (run.total ?? 0) + 1
  for (let from = run.processed + 1; from <= last; from += 500) {
    signal.throwIfAborted()
    const ids = Array.from({ length: Math.min(500, last - from + 1) }, (_, at) => idOfRow(id, from + at))
    await database.withTenant(actFor(actorUserId, organizationId), (tx) => trashItems(tx, organizationId, ids))
    const outcome = { lastRow: Math.min(from + 499, last), accepted: 0, problems: [] }
    if (!(await database.asSystem(reason, (tx) => noteBatch(tx, run, outcome)))) throw new StoppedError()
    await announceMany(database, organizationId)
  }
  await database.asSystem(reason, (tx) => endRun(tx, run, 'undone'))
}

/** Whoever has the inbox open reads it again: there is too much to name. */
async function announceMany(database: Database, organizationId: string): Promise<void> {
  await announceFeedback(database, [toNotice(organizationId, { kind: 'feedback.updated', ids: [] })])
}
