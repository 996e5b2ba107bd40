import Type from 'typebox'
import { v7 as uuidV7 } from 'uuid'
import { exportKeepDays } from '#contract/exports.ts'
import { Uuid } from '#contract/text.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import {
  type Attempt,
  beginExport,
  completeExport,
  deleteExpiredExports,
  failExport,
  noteProgress,
  putBackExport,
} from './exports.queries.ts'
import type { Progress } from './make-file.ts'
import { type StorageSettings, writeApart } from './write-apart.ts'

export interface ExportJobParts {
  readonly database: Database
  readonly storage: Storage
  /** What the process needs that does the writing. */
  readonly apart: { readonly databaseUrl: string; readonly storage: StorageSettings }
  readonly log: Log
  /** Aborted when the server stops: what is being written is written anew by whoever works next. */
  readonly signal: AbortSignal
}

const Named = Type.Object({ organizationId: Uuid, id: Uuid })
const reason = 'the state of an export is kept for whoever asked; its items are read as them'
const maxAttempts = 3
// By attempt: items may be so large that fewer of them fit into an export's memory.
const pageSizes = [200, 25, 1]
/** How often progress is noted, and looked whether the export is still wanted. */
const progressMs = 1_000

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

async function write(attempt: Attempt, { database, storage, signal, apart }: ExportJobParts): Promise<void> {
  const stop = new AbortController()
  let progress: Progress | undefined
  let isNoting = false
  const timer = setInterval(async () => {
    if (isNoting) return
    isNoting = true
    try {
      if (!(await database.asSystem(reason, (tx) => noteProgress(tx, attempt, progress))))
        stop.abort(new NotOursError())
    } catch (error) {
      stop.abort(error)
    }
    isNoting = false
  }, progressMs)
  const order = { ...attempt, pageSize: pageSizes[attempt.attempts - 1] ?? 1 }
  const made = await writeApart(
    { order, ...apart },
    {
      signal: AbortSignal.any([signal, stop.signal]),
      onProgress: (latest) => {
        progress = latest
      },
    },
  ).finally(() => clearInterval(timer))
  if (!made) {
    await database.asSystem(reason, (tx) =>
      failExport(tx, attempt, 'Who asked for it is not a member of the organisation any more.'),
    )
    return
  }
  const { count, bytes, missingFiles } = made
  // The word of another process: what is announced must be there.
  if ((await storage.stat(attempt.storageKey))?.bytes !== bytes)
    throw new Error('an export’s bytes are not in the storage')
  const note = missingFiles === 0 ? null : `Files whose bytes were not there: ${missingFiles}.`
  const outcome = { count, bytes, note, keepDays: exportKeepDays }
  if (!(await database.asSystem(reason, (tx) => completeExport(tx, attempt, outcome)))) throw new NotOursError()
}
