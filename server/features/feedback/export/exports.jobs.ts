import Type from 'typebox'
import { v7 as uuidV7 } from 'uuid'
import { exportKeepDays } from '#contract/exports.ts'
import { Uuid } from '#contract/text.ts'
import { actFor } from '#server/platform/database/actor.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { countItems, listQuestions } from './export-items.queries.ts'
import {
  type Attempt,
  beginExport,
  completeExport,
  deleteExpiredExports,
  failExport,
  findExport as findVisibleExport,
  noteProgress,
  putBackExport,
} from './exports.queries.ts'
import { readItems } from './read-items.ts'
import { passesOf, writeExport } from './write-export.ts'

export interface ExportJobParts {
  readonly database: Database
  readonly storage: Storage
  readonly log: Log
  /** Aborted when the server stops: what is being written is written anew by whoever works next. */
  readonly signal: AbortSignal
}

const Named = Type.Object({ organizationId: Uuid, id: Uuid })
const reason = 'the state of an export is kept for whoever asked; its items are read as them'
const maxAttempts = 3
const maxQuestions = 200

/** The export was cancelled, or somebody else writes it now. */
class NotOursError extends Error {}

/** Writes what was asked for. Long: for workers of its own. */
export function createExportJobs(parts: ExportJobParts): Job[] {
  return [
    defineJob('write_export', Named, async ({ organizationId, id }) => {
      const storageKey = `${organizationId}/${uuidV7()}`
      const attempt = await parts.database.asSystem(reason, (tx) => beginExport(tx, { organizationId, id, storageKey }))
      if (attempt) await tryExport(attempt, parts)
    }),
  ]
}

/** Every night, what is older than a week goes, with its bytes. */
export function createExportSweepJobs(database: Database): Job[] {
  return [
    defineCron('sweep_exports', { at: '23 3 * * *', catchUpHours: 24 }, async () => {
      await deleteInBatches((limit) =>
        database.asSystem('exports of every organisation end', (tx) => deleteExpiredExports(tx, limit)),
      )
    }),
  ]
}

async function tryExport(attempt: Attempt, parts: ExportJobParts): Promise<void> {
  const { database, storage, signal, log } = parts
  const asSystem = (fn: (tx: SystemTx) => Promise<void>) => database.asSystem(reason, fn)
  // Those before may have died with the process that ran them; this one is not to be its end as well.
  if (attempt.attempts > maxAttempts) {
    return asSystem((tx) => failExport(tx, attempt, 'It could not be written. Please try again with fewer items.'))
  }
  try {
    await write(attempt, parts)
  } catch (error) {
    await storage.remove(attempt.storageKey).catch((cause) => log.warn({ err: cause }, 'an export left bytes behind'))
    if (error instanceof NotOursError) return
    if (signal.aborted) await asSystem((tx) => putBackExport(tx, attempt))
    else if (attempt.attempts >= maxAttempts) {
      log.error({ err: error }, 'an export was given up')
      return asSystem((tx) => failExport(tx, attempt, 'It could not be written. Please try again.'))
    }
    throw error
  }
}

async function write(attempt: Attempt, { database, storage, signal }: ExportJobParts): Promise<void> {
  const { organizationId, id, storageKey, selection, format, createdBy, startedAt } = attempt
  const actor = actFor(createdBy, organizationId)
  const found = await database.withTenant(actor, async (tx) => {
    // Whoever was removed since must not get what they could not see now.
    if (!(await findVisibleExport(tx, organizationId, id))) return undefined
    const count = await countItems(tx, organizationId, selection, startedAt)
    return { count, questions: await listQuestions(tx, organizationId, selection, maxQuestions) }
  })
  if (!found) {
    await database.asSystem(reason, (tx) =>
      failExport(tx, attempt, 'Who asked for it is not a member of the organisation any more.'),
    )
    return
  }
  let finishedPasses = 0
  let written = 0
  let missingFiles = 0
  const onPage = async (read: number) => {
    signal.throwIfAborted()
    written = read
    const processed = Math.min(Math.floor((finishedPasses * found.count + read) / passesOf[format]), found.count)
    const progress = { count: found.count, processed }
    if (!(await database.asSystem(reason, (tx) => noteProgress(tx, attempt, progress)))) throw new NotOursError()
  }
  const reading = { actor, organizationId, selection, until: startedAt }
  const source = writeExport(format, {
    questions: found.questions,
    storage,
    items: async function* (isWhole) {
      let read = 0
      for await (const item of readItems(database, reading, { isWhole, onPage })) {
        yield item
        read += 1
      }
      written = read
      finishedPasses += 1
    },
    onMissingFile: () => {
      missingFiles += 1
    },
  })
  const bytes = await storage.append(storageKey, source, 0)
  await storage.finish(storageKey)
  const note = missingFiles === 0 ? null : `Files whose bytes were not there: ${missingFiles}.`
  const outcome = { count: written, bytes, note, keepDays: exportKeepDays }
  if (!(await database.asSystem(reason, (tx) => completeExport(tx, attempt, outcome)))) throw new NotOursError()
}
