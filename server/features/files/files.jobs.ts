import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { sweepScratchFolders } from '#server/platform/storage/scratch.ts'
import { FileMissingError, type Storage } from '#server/platform/storage/storage.ts'
import { judgeApart } from './content/judge-apart.ts'
import { isMedia } from './content/judge-content.ts'
import type { Verdict } from './content/verdict.ts'
import {
  enqueueConversion,
  type Findings,
  findClaimingFeedback,
  findUpload,
  storeFindings,
  type Upload,
} from './files.queries.ts'
import { convertMedia } from './media/convert-media.ts'
import type { MediaTools } from './media/media-tools.ts'
import {
  deleteUnclaimedUploads,
  endStuckUploads,
  endUnfinishedUploads,
  findOrphans,
  forgetRemovedFiles,
  listRemovedFiles,
} from './sweep.queries.ts'

export interface FileJobParts {
  readonly database: Database
  readonly storage: Storage
  /** Searched since the start. Undefined: recordings are not converted. */
  readonly mediaTools: Promise<MediaTools | undefined>
  /** After this, files that no feedback claims are deleted. */
  readonly keepHours: number
}

const Named = Type.Object({ organizationId: Uuid, id: Uuid })
const reason = 'a file is checked and converted before a member sees it'

const waitForRestDays = 7
const waitForJobsDays = 3
// A process that stores a file writes its row within this time.
const orphanAgeMs = 7 * 24 * 3_600_000
// No conversion takes that long.
const scratchAgeMs = 2 * 24 * 3_600_000
const batchSize = 500

/** Checks and converts received files, and deletes the bytes of removed ones. */
export function createFileJobs(parts: FileJobParts): Job[] {
  const { database, storage, keepHours } = parts
  return [
    defineJob('process_upload', Named, async ({ organizationId, id }) => {
      const upload = await findIn(database, organizationId, id)
      // Refused by an earlier run that crashed before the removal.
      if (upload?.state === 'refused') await storage.remove(upload.storageKey)
      if (upload?.state === 'processing') await processUpload(upload, parts)
    }),
    defineJob('remove_files', Type.Object({}), () => removeFiles(database, storage)),
    defineCron('sweep_uploads', { at: '17 * * * *', catchUpHours: 24 }, async () => {
      const sweep = (fn: (tx: SystemTx, limit: number) => Promise<number>) =>
        deleteInBatches((limit) => database.asSystem('old uploads of every project', (tx) => fn(tx, limit)))
      await sweep((tx, limit) => deleteUnclaimedUploads(tx, keepHours, limit))
      await sweep((tx, limit) => endUnfinishedUploads(tx, waitForRestDays, limit))
      await database.asSystem('old uploads of every project', (tx) => endStuckUploads(tx, waitForJobsDays))
      // In case its own job failed while the storage was unavailable.
      await removeFiles(database, storage)
    }),
    defineCron('sweep_storage', { at: '41 3 * * *', catchUpHours: 24 }, async () => {
      await sweepStorage(database, storage)
      await sweepScratchFolders(scratchAgeMs)
    }),
    defineJob(
      'convert_media',
      Named,
      async ({ organizationId, id }) => {
        const upload = await findIn(database, organizationId, id)
        const isUnfinished =
          upload?.state === 'processing' || (upload?.state === 'ready' && upload.playbackKey === null)
        if (upload && isUnfinished && upload.mime !== null) await convert(upload, upload.mime, parts)
      },
      { pool: 'media' },
    ),
  ]
}

function findIn(database: Database, organizationId: string, id: string): Promise<Upload | undefined> {
  return database.asSystem(reason, (tx) => findUpload(tx, organizationId, id))
}

async function processUpload(upload: Upload, parts: FileJobParts): Promise<void> {
  const { storage } = parts
  await storage.finish(upload.storageKey)
  const verdict = await judge(upload, storage)
  if ('refusal' in verdict) return refuse(upload, verdict.refusal, parts)
  if (!isMedia(verdict.mime)) return settle(upload, { state: 'ready', ...verdict }, parts)
  if (!(await parts.mediaTools)) return settle(upload, { state: 'ready', ...verdict, note: notConverted }, parts)
  await settle(upload, { state: 'processing', ...verdict }, parts, (tx) => enqueueConversion(tx, upload))
}

const notConverted = 'As recorded; no conversion on this server.'

async function judge(upload: Upload, storage: Storage): Promise<Verdict> {
  try {
    return await storage.withLocalFile(upload.storageKey, (path) => {
      const { kind, name, bytes } = upload
      return judgeApart({ path, kind, name, bytes })
    })
  } catch (error) {
    if (error instanceof FileMissingError) return { refusal: 'Its bytes are lost.' }
    throw error
  }
}

async function convert(upload: Upload, mime: string, parts: FileJobParts): Promise<void> {
  const { storage } = parts
  const mediaTools = await parts.mediaTools
  if (!mediaTools) return settle(upload, { state: 'ready', note: notConverted }, parts)
  const made = await convertMedia(mediaTools, storage, { storageKey: upload.storageKey, mime }, (watchable) =>
    settle(upload, { state: 'ready', ...watchable }, parts),
  )
  if ('refusal' in made) return refuse(upload, made.refusal, parts)
  await settle(upload, { state: 'ready', ...made }, parts)
}

async function refuse(upload: Upload, note: string, parts: FileJobParts): Promise<void> {
  await settle(upload, { state: 'refused', note }, parts)
  await parts.storage.remove(upload.storageKey)
}

/** Stores the verdict and sends a change notice. Deletes the bytes of a file that was deleted meanwhile. */
async function settle(
  upload: Upload,
  findings: Findings,
  { database, storage }: FileJobParts,
  also: (tx: SystemTx) => Promise<void> = async () => {},
): Promise<void> {
  const isThere = await database.asSystem(reason, async (tx) => {
    if (!(await storeFindings(tx, upload, findings))) return false
    await also(tx)
    const feedbackId = await findClaimingFeedback(tx, upload)
    if (feedbackId !== undefined) {
      const { organizationId } = upload
      await recordEvent(tx, { organizationId, name: 'feedback.files_changed', ids: [feedbackId], payload: {} })
    }
    return true
  })
  if (!isThere) await storage.remove(upload.storageKey)
}

async function removeFiles(database: Database, storage: Storage): Promise<void> {
  const why = 'files whose rows are gone, of every project'
  for (;;) {
    const keys = await database.asSystem(why, (tx) => listRemovedFiles(tx, batchSize))
    for (const key of keys) await storage.remove(key)
    await database.asSystem(why, (tx) => forgetRemovedFiles(tx, keys))
    if (keys.length < batchSize) return
  }
}

/** Removes stored files without a row, which crashed processes leave. */
async function sweepStorage(database: Database, storage: Storage): Promise<void> {
  const removeOrphans = async (keys: readonly string[]) => {
    const orphans = await database.asSystem('files of every project', (tx) => findOrphans(tx, keys))
    for (const key of orphans) await storage.remove(key)
  }
  let keys: string[] = []
  for await (const { key, changedAt } of storage.list()) {
    if (changedAt.getTime() > Date.now() - orphanAgeMs) continue
    keys.push(key)
    if (keys.length < batchSize) continue
    await removeOrphans(keys)
    keys = []
  }
  await removeOrphans(keys)
}
