import type { Attachment } from '#contract/files.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import { type AttachmentRow, listAttachmentRows } from './files.queries.ts'
import { toFileName } from './serve/content-disposition.ts'
import type { FileForm, FileLinks } from './serve/file-link.ts'

/** What other features ask about files. */
export interface Files {
  /**
   * Attachments of some items, by item. The person of `tx` must be allowed to see the items.
   *
   * @param options.linkDays for how long links to the files work. Default: half an hour to an hour.
   */
  listAttachments(
    tx: TenantTx | SystemTx,
    organizationId: string,
    feedbackIds: readonly string[],
    options?: { linkDays?: number },
  ): Promise<ReadonlyMap<string, Attachment[]>>
}

export function createFiles(links: FileLinks): Files {
  return {
    listAttachments: async (tx, organizationId, feedbackIds, { linkDays } = {}) => {
      if (feedbackIds.length === 0) return new Map()
      const rows = await listAttachmentRows(tx, organizationId, feedbackIds)
      const byItem = Map.groupBy(rows, (row) => row.feedbackId)
      return new Map([...byItem].map(([id, own]) => [id, own.map((row) => toAttachment(row, links, linkDays))]))
    },
  }
}

function toAttachment(row: AttachmentRow, links: FileLinks, linkDays?: number): Attachment {
  const { storageKey } = row
  const state = row.state === null || row.state === 'receiving' ? 'pending' : row.state
  // No link before the content is checked.
  const isShown = storageKey !== null && row.mime !== null && (state === 'ready' || state === 'processing')
  const link = (form: FileForm) => (isShown ? links.make({ storageKey, form }, linkDays) : null)
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    state,
    note: row.note,
    mime: row.mime,
    bytes: row.bytes,
    width: row.width,
    height: row.height,
    durationMs: row.durationMs,
    missing: row.missing,
    waveform: row.waveform,
    url: link('original'),
    playbackUrl: row.playbackKey === null ? null : link('playback'),
    posterUrl: row.posterKey === null ? null : link('poster'),
    annotation: row.annotates === null ? null : { of: row.annotates, byName: row.addedByName },
    createdAt: row.createdAt.toISOString(),
  }
}

/** A file that lies in the storage, for those who take it from there. */
export interface StoredFile {
  readonly feedbackId: string
  readonly id: string
  readonly kind: Attachment['kind']
  /** Ends in what it is by its content, and is fit for any file system. */
  readonly name: string
  readonly state: Attachment['state']
  readonly mime: string | null
  readonly bytes: number | null
  readonly durationMs: number | null
  /** Null: there is nothing to take, not yet or not any more. */
  readonly storageKey: string | null
  /** It is stored as gzip. */
  readonly isPacked: boolean
}

/** Files of some items as the visitors sent them, by item. The person of `tx` must be allowed to see the items. */
export async function listStoredFiles(
  tx: TenantTx,
  organizationId: string,
  feedbackIds: readonly string[],
): Promise<ReadonlyMap<string, StoredFile[]>> {
  const rows = await listAttachmentRows(tx, organizationId, feedbackIds)
  return Map.groupBy(rows.map(toStoredFile), (file) => file.feedbackId)
}

function toStoredFile(row: AttachmentRow): StoredFile {
  const state = row.state === null || row.state === 'receiving' ? 'pending' : row.state
  const isPacked = row.kind === 'replay' && row.mime === 'application/gzip'
  const isThere = row.mime !== null && (state === 'ready' || state === 'processing')
  return {
    feedbackId: row.feedbackId,
    id: row.id,
    kind: row.kind,
    name: row.mime === null ? (row.name ?? row.kind) : toFileName(row.mime, row.name, row.kind),
    state,
    mime: row.mime,
    bytes: row.bytes,
    durationMs: row.durationMs,
    storageKey: isThere ? row.storageKey : null,
    isPacked,
  }
}
