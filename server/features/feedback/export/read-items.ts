import type { FeedbackEvent } from '#contract/feedback.ts'
import type { FeedbackSelection } from '#contract/inbox.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { listStoredFiles, type StoredFile } from '../../files/files.service.ts'
import {
  type ExportComment,
  type ExportDuplicate,
  type ItemPlace,
  type ItemRecord,
  listConversations,
  listItems,
} from './export-items.queries.ts'

/** A file of an item, with the name that it has among the item's files. */
export interface ExportFile extends Omit<StoredFile, 'feedbackId' | 'name'> {
  readonly name: string
}

/** An exported item. */
export interface ExportItem extends Omit<ItemRecord, 'place_time'> {
  readonly attachments: readonly ExportFile[]
  /** Only in exports of whole items. */
  readonly comments: readonly ExportComment[]
  readonly history: readonly FeedbackEvent[]
  readonly duplicates: readonly ExportDuplicate[]
}

/** The selection to read, and the reader. */
export interface Reading {
  readonly actor: Actor
  readonly organizationId: string
  readonly selection: FeedbackSelection
  /** Excludes newer items. */
  readonly until: Date
}

/**
 * Reads all items of a selection, newest first, a page at a time: each page is a transaction of its own, so that a long
 * export holds back neither others nor the clean-up of old rows. Newer items are left out; each item is read in
 * its state at its page's turn.
 *
 * @param options.isWhole with comments and history.
 * @param options.pageSize items in memory at a time.
 * @param options.onPage called with the number of items read so far, before each page is yielded.
 */
export async function* readItems(
  database: Database,
  { actor, organizationId, selection, until }: Reading,
  { isWhole, pageSize, onPage }: { isWhole: boolean; pageSize: number; onPage: (read: number) => void },
): AsyncGenerator<ExportItem> {
  let after: ItemPlace | undefined
  let read = 0
  for (;;) {
    const page = await database.withTenant(actor, async (tx) => {
      const records = await listItems(tx, organizationId, selection, until, after, pageSize)
      const ids = records.map(({ id }) => id)
      const files = ids.length === 0 ? new Map<string, StoredFile[]>() : await listStoredFiles(tx, organizationId, ids)
      const said = isWhole && ids.length > 0 ? await listConversations(tx, organizationId, ids) : undefined
      return { records, files, said }
    })
    onPage(read)
    for (const { place_time: _, ...record } of page.records) {
      yield {
        ...record,
        attachments: nameFiles(page.files.get(record.id) ?? []),
        comments: page.said?.comments.get(record.id) ?? [],
        history: page.said?.history.get(record.id) ?? [],
        duplicates: page.said?.duplicates.get(record.id) ?? [],
      }
    }
    read += page.records.length
    const last = page.records.at(-1)
    if (!last || page.records.length < pageSize) return
    after = { createdAt: last.place_time, id: last.id }
  }
}

/** Gives each file of an item a unique name, ignoring letter case. */
function nameFiles(files: readonly StoredFile[]): ExportFile[] {
  const taken = new Set<string>()
  return files.map(({ feedbackId: _, name, ...file }) => {
    const [, stem = name, ending = ''] = /^(.*?)(\.[^.]*)?$/s.exec(name) ?? []
    let unique = name
    for (let n = 2; taken.has(unique.toLowerCase()); n += 1) unique = `${stem} (${n})${ending}`
    taken.add(unique.toLowerCase())
    return { ...file, name: unique }
  })
}
