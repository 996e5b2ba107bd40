import type { ExportFormat } from '#contract/exports.ts'
import type { FeedbackSelection } from '#contract/inbox.ts'
import { actAsKey, actForExporter } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { countItems, listQuestions } from './export-items.queries.ts'
import { listSubjects } from './export-subjects.ts'
import { ExportTooLargeError } from './export-too-large.ts'
import { findExport } from './exports.queries.ts'
import { readItems } from './read-items.ts'
import { passesOf, writeExport } from './write-export.ts'

/** The export to write, its author, and its storage key. */
export interface Order {
  readonly organizationId: string
  readonly id: string
  readonly createdBy: string
  /** Whether `createdBy` is an API key. */
  readonly isByKey: boolean
  readonly format: ExportFormat
  readonly selection: FeedbackSelection
  /** Excludes newer items. */
  readonly startedAt: Date
  readonly storageKey: string
  /** Items in memory at a time. */
  readonly pageSize: number
  /** The longest file; null: no limit. */
  readonly maxBytes: number | null
}

/** The written file. */
export interface MadeFile {
  readonly count: number
  readonly bytes: number
  /** Files of items whose bytes were missing. */
  readonly missingFiles: number
}

export interface Progress {
  readonly count: number
  /** Items of it that are done; of a format that goes through them several times, as a share of all its passes. */
  readonly processed: number
}

const maxQuestions = 200

async function* limitBytes(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new ExportTooLargeError()
    yield chunk
  }
}

/**
 * Writes an export into the storage, with the access of its author.
 *
 * @returns undefined when the author lost access.
 * @throws ExportTooLargeError
 */
export async function makeFile(
  order: Order,
  parts: {
    database: Database
    /** Where items are read: a replica, or the same. */
    source: Database
    storage: Storage
    onProgress: (progress: Progress) => void
  },
): Promise<MadeFile | undefined> {
  const { organizationId, id, createdBy, isByKey, format, selection, startedAt, storageKey, pageSize, maxBytes } = order
  const { database, source: itemSource, storage, onProgress } = parts
  const actor = isByKey ? actAsKey(createdBy, organizationId) : actForExporter(createdBy, organizationId)
  const found = await database.withTenant(actor, async (tx) => {
    // A removed member or a revoked key must not get items that they can no longer see.
    if (!(await findExport(tx, organizationId, id))) return undefined
    const count = await countItems(tx, organizationId, selection, startedAt)
    return { count, questions: await listQuestions(tx, organizationId, selection, maxQuestions) }
  })
  if (!found) return undefined
  let finishedPasses = 0
  let written = 0
  let missingFiles = 0
  const onPage = (read: number) => {
    const processed = Math.floor((finishedPasses * found.count + read) / passesOf[format])
    onProgress({ count: found.count, processed: Math.min(processed, found.count) })
  }
  const subjects = listSubjects(database, { organizationId, id })
  const reading = { actor, organizationId, selection, until: startedAt }
  const source = writeExport(format, {
    questions: found.questions,
    storage,
    items: async function* (isWhole) {
      let read = 0
      for await (const item of readItems(itemSource, reading, { isWhole, pageSize, onPage })) {
        await subjects.add(item)
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
  const bytes = await storage.append(storageKey, maxBytes === null ? source : limitBytes(source, maxBytes), 0)
  await subjects.finish()
  // Who lost access meanwhile read no more items: the file is incomplete.
  if (!(await database.withTenant(actor, (tx) => findExport(tx, organizationId, id)))) return undefined
  await storage.finish(storageKey)
  return { count: written, bytes, missingFiles }
}
