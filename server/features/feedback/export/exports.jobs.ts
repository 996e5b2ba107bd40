import Type from 'typebox'
import { v7 as uuidV7 } from 'uuid'
import { exportKeepDays } from '#contract/exports.ts'
import { Uuid } from '#contract/text.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Quotas } from '../../quotas/quotas.service.ts'
import { ExportTooLargeError } from './export-too-large.ts'
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
import { writeApart } from './write-apart.ts'

type ExportJobParts = Pick<Platform, 'config' | 'database' | 'storage' | 'log' | 'stopping'> & {
  readonly quotas: Pick<Quotas, 'require' | 'findExportRoom'>
}

const Named = Type.Object({ organizationId: Uuid, id: Uuid })
const reason = 'an export’s state is stored for its author; its items are read as the author'
const maxAttempts = 3
// By attempt: items may be so large that fewer of them fit into an export's memory.
const pageSizes = [200, 25, 1]
/** How often progress is stored, which also detects a cancelled export. */
const progressMs = 1_000

/** Its author is no member any more, or the API key was revoked or has expired. */
class AccessLostError extends Error {}

/** The export was cancelled, or another process writes it now. */
class NotOursError extends Error {}

/** Writes exports, and every night deletes those older than a week, with their bytes. */
export function createExportJobs(parts: ExportJobParts): Job[] {
  const { database } = parts
  return [
    defineJob(
      'write_export',
      Named,
      async ({ organizationId, id }) => {
        const storageKey = `${organizationId}/${uuidV7()}`
        const attempt = await database.asSystem(reason, (tx) => beginExport(tx, { organizationId, id, storageKey }))
        if (attempt) await tryExport(attempt, parts)
      },
      { pool: 'transfer' },
    ),
    defineCron('sweep_exports', { at: '23 3 * * *', catchUpHours: 24 }, async () => {
      await deleteInBatches((limit) =>
        database.asSystem('exports of every organisation end', (tx) => deleteExpiredExports(tx, limit)),
      )
    }),
  ]
}

async function tryExport(attempt: Attempt, parts: ExportJobParts): Promise<void> {
  const { database, storage, stopping, log } = parts
  const asSystem = (fn: (tx: SystemTx) => Promise<void>) => database.asSystem(reason, fn)
  // Stop retrying: earlier attempts may have crashed the worker.
  if (attempt.attempts > maxAttempts) {
    return asSystem((tx) => fail(tx, attempt, 'It could not be written. Please try again with fewer items.'))
  }
  try {
    await write(attempt, parts)
  } catch (error) {
    await storage.remove(attempt.storageKey).catch((cause) => log.warn({ err: cause }, 'an export left bytes behind'))
    if (error instanceof NotOursError) return
    const refusal = describeRefusal(error, attempt)
    if (refusal !== undefined) return asSystem((tx) => fail(tx, attempt, refusal))
    if (stopping.aborted) await asSystem((tx) => putBackExport(tx, attempt))
    else if (attempt.attempts >= maxAttempts) {
      log.error({ err: error }, 'export failed')
      return asSystem((tx) => fail(tx, attempt, 'It could not be written. Please try again.'))
    }
    throw error
  }
}

/** Why another attempt would end like this one. */
function describeRefusal(error: unknown, { isByKey }: Attempt): string | undefined {
  if (error instanceof AccessLostError) {
    return isByKey
      ? 'The API key that requested it was revoked or has expired.'
      : 'Its author is not a member of the organisation any more.'
  }
  if (error instanceof ExportTooLargeError) {
    return 'It would exceed the limit for exports. Delete an export, or select fewer items.'
  }
  if (error instanceof ProductError && error.code === 'disk_nearly_full') {
    return 'The server is low on disk space. Please try again later.'
  }
  return undefined
}

async function write(attempt: Attempt, { config, database, storage, stopping, quotas }: ExportJobParts): Promise<void> {
  await quotas.require({ kind: 'export_in_progress' })
  const stop = new AbortController()
  let progress: Progress | undefined
  let isNoting = false
  const timer = setInterval(async () => {
    if (isNoting) return
    isNoting = true
    try {
      if (!(await database.asSystem(reason, (tx) => noteProgress(tx, attempt, progress))))
        stop.abort(new NotOursError())
      await quotas.require({ kind: 'export_in_progress' })
    } catch (error) {
      stop.abort(error)
    }
    isNoting = false
  }, progressMs)
  const maxBytes = await quotas.findExportRoom(attempt.organizationId)
  const order = { ...attempt, pageSize: pageSizes[attempt.attempts - 1] ?? 1, maxBytes }
  const made = await writeApart(
    {
      order,
      databaseUrl: config.databaseUrl,
      databaseDirectUrl: config.databaseDirectUrl,
      // The first attempt may have failed because the replica went away, or because replay ended its read.
      databaseReplicaUrl: attempt.attempts === 1 ? config.databaseReplicaUrl : null,
      storage: { dataDir: config.dataDir, s3: config.s3 },
    },
    {
      signal: AbortSignal.any([stopping, stop.signal]),
      onProgress: (latest) => {
        progress = latest
      },
    },
  ).finally(() => clearInterval(timer))
  if (!made) throw new AccessLostError()
  const { count, bytes, missingFiles } = made
  // The report comes from another process: check that the announced bytes exist.
  if ((await storage.stat(attempt.storageKey))?.bytes !== bytes)
    throw new Error('an export’s bytes are not in the storage')
  const note = missingFiles === 0 ? null : `Files whose bytes were not there: ${missingFiles}.`
  const outcome = { count, bytes, note, keepDays: exportKeepDays }
  if (!(await database.asSystem(reason, (tx) => complete(tx, attempt, outcome)))) throw new NotOursError()
}

/** @returns false when the export belongs to another process: delete the bytes. */
async function complete(
  tx: SystemTx,
  attempt: Attempt,
  outcome: Parameters<typeof completeExport>[2],
): Promise<boolean> {
  if (!(await completeExport(tx, attempt, outcome))) return false
  const payload = { format: attempt.format, count: outcome.count }
  await recordEvent(tx, { ...toEvent(attempt), name: 'export.completed', payload })
  return true
}

async function fail(tx: SystemTx, attempt: Attempt, note: string): Promise<void> {
  if (await failExport(tx, attempt, note))
    await recordEvent(tx, { ...toEvent(attempt), name: 'export.failed', payload: {} })
}

function toEvent({ organizationId, id, createdBy }: Attempt) {
  return { organizationId, ids: [id], actorUserId: createdBy, announced: 'never' } as const
}
