import type { FastifyInstance } from 'fastify'
import type { Database } from '#server/platform/database/database.ts'
import { bulkRoutes } from './bulk/bulk.routes.ts'
import { createBulkOperations } from './bulk/bulk.service.ts'
import { presenceRoutes } from './presence/presence.routes.ts'
import { createPresenceBoard } from './presence/presence.service.ts'
import { viewsRoutes } from './views/views.routes.ts'
import { createSavedViews } from './views/views.service.ts'

export interface TriageParts {
  readonly database: Database
}

/** Changing many items at once, saved views, and who has an item open. */
export function triageRoutes(app: FastifyInstance, { database }: TriageParts): void {
  bulkRoutes(app, createBulkOperations(database))
  viewsRoutes(app, createSavedViews(database))
  presenceRoutes(app, createPresenceBoard(database))
}
