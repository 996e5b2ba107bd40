import type { Bookmark, NewBookmark } from '#contract/bookmarks.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { deleteBookmark, insertBookmark, listBookmarks } from './bookmarks.queries.ts'

export interface Bookmarks {
  /** Newest first. */
  list(actor: Actor, organizationId: string): Promise<Bookmark[]>
  /** @throws ProductError `id_reused` when the id has another title or address. */
  create(actor: Actor, organizationId: string, bookmark: NewBookmark): Promise<Bookmark>
  delete(actor: Actor, organizationId: string, id: string): Promise<void>
}

export function createBookmarks(database: Database): Bookmarks {
  return {
    list: (actor, organizationId) => database.withTenant(actor, (tx) => listBookmarks(tx, organizationId)),

    create: (actor, organizationId, bookmark) =>
      database.withTenant(actor, async (tx) => {
        if (await insertBookmark(tx, organizationId, bookmark)) {
          await recordEvent(tx, { organizationId, name: 'bookmark.created', ids: [bookmark.id], payload: {} })
        }
        const [saved] = await listBookmarks(tx, organizationId, bookmark.id)
        if (saved?.title !== bookmark.title || saved.url !== bookmark.url) throw new ProductError('id_reused')
        return saved
      }),

    delete: (actor, organizationId, id) => database.withTenant(actor, (tx) => deleteBookmark(tx, organizationId, id)),
  }
}
