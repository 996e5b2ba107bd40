import type { Readable } from 'node:stream'
import type { FeedbackListItem } from '#contract/feedback.ts'
import {
  type Visitor,
  type VisitorErasure,
  type VisitorErasurePreview,
  type VisitorListItem,
  visitorCountLimit,
} from '#contract/visitors.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { findErasure, hashSubject, insertErasure, previewErasure } from './erase-visitor.queries.ts'
import { listExportedItems } from './export-visitor.queries.ts'
import { readVisitorCursor, type VisitorPosition, writeVisitorCursor } from './visitor.cursor.ts'
import { findCopies } from './visitor-copies.ts'
import { findVisitor, listVisitorFeedback, listVisitors } from './visitors.queries.ts'
import { writeVisitorArchive } from './write-visitor-archive.ts'

const defaultPageSize = 50
const exportPageSize = 100
/** How long a preview may read the files of waiting imports, in milliseconds. */
const maxPreviewReadMs = 1_000
/** Fewer characters than this match almost every visitor. */
const leastSearched = 2

interface Page<T> {
  items: T[]
  nextCursor: string | null
}

interface Paging {
  cursor?: string
  limit?: number
}

export interface Visitors {
  list(actor: Actor, organizationId: string, query: Paging & { q?: string }): Promise<Page<VisitorListItem>>
  /** @throws ProductError `visitor_not_found`. */
  get(actor: Actor, organizationId: string, visitor: string): Promise<Visitor>
  listFeedback(
    actor: Actor,
    organizationId: string,
    query: Paging & { visitor: string },
  ): Promise<Page<FeedbackListItem>>
  /**
   * Everything about a visitor as a ZIP, made while it is read.
   *
   * @throws ProductError `visitor_not_found`.
   */
  export(actor: Actor, organizationId: string, visitor: string): Promise<Readable>
  /** What an erasure would delete now. Zeros for a visitor that nothing names. */
  previewErasure(organizationId: string, visitor: string): Promise<VisitorErasurePreview>
  /**
   * Enqueues the erasure of a visitor. A retry gives the same erasure.
   *
   * @throws ProductError `confirmation_differs`, `id_reused`.
   */
  erase(
    actor: Actor,
    organizationId: string,
    request: { id: string; visitor: string; confirmation: string },
  ): Promise<{ erasure: VisitorErasure; isNew: boolean }>
  /** @throws ProductError `erasure_not_found`. */
  getErasure(actor: Actor, organizationId: string, id: string): Promise<VisitorErasure>
}

export function createVisitors(database: Database, storage: Storage): Visitors {
  const get: Visitors['get'] = async (actor, organizationId, visitor) => {
    const found = await database.withTenant(actor, (tx) => findVisitor(tx, organizationId, visitor, visitorCountLimit))
    if (!found) throw new ProductError('visitor_not_found')
    return found
  }

  return {
    list: async (actor, organizationId, { q = '', cursor, limit = defaultPageSize }) => {
      const after = cursor === undefined ? undefined : readVisitorCursor(cursor, 'visitors')
      const pattern = toPattern(q)
      const found = await database.withTenant(actor, (tx) =>
        listVisitors(tx, organizationId, { pattern, after, limit: limit + 1 }),
      )
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return {
        items: page.map(({ visitor }) => visitor),
        nextCursor: found.length > limit && last ? writeVisitorCursor(last.position) : null,
      }
    },

    get,

    listFeedback: async (actor, organizationId, { visitor, cursor, limit = defaultPageSize }) => {
      const after = cursor === undefined ? undefined : readVisitorCursor(cursor, 'items')
      const found = await database.withTenant(actor, (tx) =>
        listVisitorFeedback(tx, organizationId, visitor, after, limit + 1),
      )
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return {
        items: page.map(({ item }) => item),
        nextCursor: found.length > limit && last ? writeVisitorCursor(last.position) : null,
      }
    },

    export: async (actor, organizationId, visitor) => {
      const profile = await get(actor, organizationId, visitor)
      async function* readPages() {
        let after: VisitorPosition | undefined
        for (;;) {
          const from = after
          const page = await database.withTenant(actor, (tx) =>
            listExportedItems(tx, organizationId, visitor, from, exportPageSize),
          )
          yield page
          after = page.at(-1)?.position
          if (page.length < exportPageSize) return
        }
      }
      return writeVisitorArchive(profile, readPages, storage)
    },

    previewErasure: (organizationId, visitor) => preview({ database, storage }, organizationId, visitor),

    erase: async (actor, organizationId, { id: typedId, visitor, confirmation }) => {
      if (toTyped(confirmation) !== toTyped(visitor)) {
        throw new ProductError('confirmation_differs')
      }
      const id = typedId.toLowerCase()
      return database.withTenant(actor, async (tx) => {
        const isNew = await insertErasure(tx, { organizationId, id, visitor, requestedBy: actor.userId })
        if (isNew) {
          const event = { organizationId, name: 'visitor.erasure_requested', ids: [id], payload: {} } as const
          await recordEvent(tx, { ...event, announced: 'never' })
        }
        const found = await findErasure(tx, organizationId, id)
        if (!found?.subjectHash.equals(hashSubject(organizationId, visitor))) throw new ProductError('id_reused')
        return { erasure: found.erasure, isNew }
      })
    },

    getErasure: async (actor, organizationId, id) => {
      const found = await database.withTenant(actor, (tx) => findErasure(tx, organizationId, id))
      if (!found) throw new ProductError('erasure_not_found')
      return found.erasure
    },
  }
}

async function preview(
  parts: { database: Database; storage: Storage },
  organizationId: string,
  visitor: string,
): Promise<VisitorErasurePreview> {
  const { addresses, ...counts } = await parts.database.asSystem(
    'other members’ private views count too; the caller’s permission is already checked',
    (tx) => previewErasure(tx, organizationId, visitor),
  )
  const copies = await findCopies(parts, organizationId, { key: visitor, addresses }, maxPreviewReadMs)
  return {
    ...counts,
    savedViews: copies.views.length,
    exports: copies.exports.length,
    imports: copies.imports.length,
    unreadImports: copies.unreadImports,
  }
}

/** The LIKE pattern: anywhere in a word from three characters on, a word's beginning below that. */
function toPattern(q: string): string | undefined {
  const text = q.trim().toLowerCase()
  if (text.length < leastSearched) return undefined
  const literal = text.replace(/[\\%_]/g, '\\$&')
  return text.length === leastSearched ? `% ${literal}%` : `%${literal}%`
}

/** Normalises a one-line text as typed: letter case and space make no difference. */
function toTyped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
