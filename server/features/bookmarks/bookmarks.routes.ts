import type { FastifyInstance } from 'fastify'
import { createBookmark, deleteBookmark, listBookmarks } from '#contract/bookmarks.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Bookmarks } from './bookmarks.service.ts'

export function bookmarksRoutes(app: FastifyInstance, bookmarks: Bookmarks): void {
  addRoute(app, listBookmarks, async ({ params, caller }) =>
    answer(200, { items: await bookmarks.list(caller.actor, params.organizationId) }),
  )

  addRoute(app, createBookmark, async ({ params, body, caller }) =>
    answer(201, await bookmarks.create(caller.actor, params.organizationId, body)),
  )

  addRoute(app, deleteBookmark, async ({ params, caller }) => {
    await bookmarks.delete(caller.actor, params.organizationId, params.bookmarkId)
    return answer(204, null)
  })
}
