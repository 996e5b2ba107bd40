import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { bookmarksRoutes } from './bookmarks.routes.ts'
import { createBookmarks } from './bookmarks.service.ts'

export function createBookmarksFeature({ database }: Platform): Feature {
  return { name: 'bookmarks', routes: (app) => bookmarksRoutes(app, createBookmarks(database)) }
}
