import type { Readable } from 'node:stream'
import { v7 as uuidV7 } from 'uuid'
import type { FeedbackListItem } from '#contract/feedback.ts'
import {
  type Visitor,
  type VisitorErasure,
  type VisitorErasurePreview,
  type VisitorListItem,
  type VisitorSort,
  visitorCountLimit,
} from '#contract/visitors.ts'
import { type Actor, isKey } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import {
  findErasure,
  findErasureUnderWay,
  hashSubject,
  hasItems,
  insertErasure,
  previewErasure,
} from './erase-visitor.queries.ts'
import { listExportedItems } from './export-visitor.queries.ts'
import { listKeys } from './join-visitors.queries.ts'
import { readVisitorCursor, type VisitorPosition, writeVisitorCursor } from './visitor.cursor.ts'
import { findCopies } from './visitor-copies.ts'
import { findVisitor, listVisitorFeedback, listVisitors, type VisitorScope } from './visitors.queries.ts'
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
  list(
    actor: Actor,
    organizationId: string,
    query: Paging & { q?: string; sort?: VisitorSort },
  ): Promise<Page<VisitorListItem>>
  /**
   * For an API key: from items of its project that carry the visitor's id or address themselves.
   *
   * @throws ProductError `visitor_not_found`.
   */
  get(actor: Actor, organizationId: string, visitor: string): Promise<Visitor>
  listFeedback(
    actor: Actor,
    organizationId: string,
    query: Paging & { visitor: string },
  ): Promise<Page<FeedbackListItem>>
  /**
   * Every item that carries the visitor's id or address itself, as a ZIP, made while it is read.
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
  /**
   * Enqueues the erasure of a visitor from the project of an API key, or finds the one that is running.
   *
   * @returns undefined when no item of the project is theirs: nothing was written.
   */
  eraseFromProject(
    actor: Actor,
    scope: { organizationId: string; projectId: string },
    visitor: string,
  ): Promise<VisitorErasure | undefined>
  /** @throws ProductError `erasure_not_found`. */
  getErasure(actor: Actor, organizationId: string, id: string): Promise<VisitorErasure>
}

export function createVisitors(database: Database, storage: Storage): Visitors {
  return {
    list: async (actor, organizationId, { q = '', sort = 'seen', cursor, limit = defaultPageSize }) => {
      const after = cursor === undefined ? undefined : readVisitorCursor(cursor, 'visitors')
      const pattern = toPattern(q)
      const found = await database.withTenant(actor, (tx) =>
        listVisitors(tx, organizationId, { pattern, sort, after, limit: limit + 1, isForKey: isKey(actor) }),
      )
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return {
        items: page.map(({ visitor }) => visitor),
        nextCursor: found.length > limit && last ? writeVisitorCursor(last.position) : null,
      }
    },

    get: (actor, organizationId, visitor) =>
      readVisitor(database, actor, organizationId, { visitor, scope: isKey(actor) ? 'own' : 'claimed' }),

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
      const profile = await readVisitor(database, actor, organizationId, { visitor, scope: 'own' })
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
        const isNew = await beginErasure(tx, {
          organizationId,
          projectId: null,
          id,
          visitor,
          requestedBy: actor.userId,
        })
        const found = await findErasure(tx, organizationId, id)
        if (!found?.subjectHash.equals(hashSubject(organizationId, visitor))) throw new ProductError('id_reused')
        return { erasure: found.erasure, isNew }
      })
    },

    eraseFromProject: (actor, scope, visitor) =>
      database.withTenant(actor, (tx) => eraseFromProject(tx, actor, scope, visitor)),

    getErasure: async (actor, organizationId, id) => {
      const found = await database.withTenant(actor, (tx) => findErasure(tx, organizationId, id))
      if (!found) throw new ProductError('erasure_not_found')
      return found.erasure
    },
  }
}

async function eraseFromProject(
  tx: TenantTx,
  actor: Actor,
  scope: { organizationId: string; projectId: string },
  visitor: string,
): Promise<VisitorErasure | undefined> {
  const { organizationId } = scope
  // As the key sees them: merges are out of its reach.
  const [key = visitor] = await listKeys(tx, organizationId, visitor)
  let id = await findErasureUnderWay(tx, scope, key)
  if (id === undefined) {
    if (!(await hasItems(tx, scope, [key]))) return undefined
    id = uuidV7()
    await beginErasure(tx, { ...scope, id, visitor: key, requestedBy: actor.userId })
  }
  return (await findErasure(tx, organizationId, id))?.erasure
}

/** False when the id is taken: nothing was written. */
async function beginErasure(tx: TenantTx, erasure: Parameters<typeof insertErasure>[1]): Promise<boolean> {
  const isNew = await insertErasure(tx, erasure)
  if (!isNew) return false
  const { organizationId, id } = erasure
  const event = { organizationId, name: 'visitor.erasure_requested', ids: [id], payload: {} } as const
  await recordEvent(tx, { ...event, announced: 'never' })
  return true
}

async function readVisitor(
  database: Database,
  actor: Actor,
  organizationId: string,
  { visitor, scope }: { visitor: string; scope: VisitorScope },
): Promise<Visitor> {
  const found = await database.withTenant(actor, (tx) =>
    findVisitor(tx, organizationId, visitor, { limit: visitorCountLimit, scope }),
  )
  if (!found) throw new ProductError('visitor_not_found')
  return found
}

async function preview(
  parts: { database: Database; storage: Storage },
  organizationId: string,
  visitor: string,
): Promise<VisitorErasurePreview> {
  const { keys, counts } = await parts.database.asSystem(
    'other members’ private views count too; the caller’s permission is already checked',
    async (tx) => {
      const found = await listKeys(tx, organizationId, visitor)
      return { keys: found, counts: await previewErasure(tx, organizationId, found) }
    },
  )
  const copies = await findCopies(parts, { organizationId, projectId: null }, keys, maxPreviewReadMs)
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
