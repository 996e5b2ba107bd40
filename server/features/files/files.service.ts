import type { Attachment } from '#contract/files.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import { type AttachmentRow, listAttachmentRows } from './files.queries.ts'
import type { FileForm, FileLinks } from './serve/file-link.ts'

/** What other features ask about files. */
export interface Files {
  /** Attachments of some items, by item. Whoever `tx` acts for must be allowed to see the items. */
  listAttachments(
    tx: TenantTx,
    organizationId: string,
    feedbackIds: readonly string[],
  ): Promise<ReadonlyMap<string, Attachment[]>>
}

export function createFiles(links: FileLinks): Files {
  return {
    listAttachments: async (tx, organizationId, feedbackIds) => {
      if (feedbackIds.length === 0) return new Map()
      const rows = await listAttachmentRows(tx, organizationId, feedbackIds)
      const byItem = Map.groupBy(rows, (row) => row.feedbackId)
      return new Map([...byItem].map(([id, own]) => [id, own.map((row) => toAttachment(row, links))]))
    },
  }
}

function toAttachment(row: AttachmentRow, links: FileLinks): Attachment {
  const { storageKey } = row
  const state = row.state === null || row.state === 'receiving' ? 'pending' : row.state
  // Before its content was judged, nobody is sent to it.
  const isShown = storageKey !== null && row.mime !== null && (state === 'ready' || state === 'processing')
  const link = (form: FileForm) => (isShown ? links.make({ storageKey, form }) : null)
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
    waveform: row.waveform,
    url: link('original'),
    playbackUrl: row.playbackKey === null ? null : link('playback'),
    posterUrl: row.posterKey === null ? null : link('poster'),
    createdAt: row.createdAt.toISOString(),
  }
}
