import type { Feature } from '#server/platform/feature.ts'
import type { CallerLookup } from '#server/platform/http/guard.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createAuditJobs } from './audit.jobs.ts'
import { saveRetention } from './audit.queries.ts'
import { auditRoutes } from './audit.routes.ts'
import { createAudit } from './audit.service.ts'
import { createAuditSubscribers } from './audit.subscribers.ts'
import { createSuperadminLog } from './superadmin-use.ts'

export interface AuditFeature extends Feature, Pick<CallerLookup, 'recordSuperadmin'> {}

/** Who changed what in an organisation, for its owners. */
export function createAuditFeature({ config, database }: Platform): AuditFeature {
  return {
    name: 'audit',
    start: () =>
      database.asSystem('the configuration belongs to no organisation', (tx) =>
        saveRetention(tx, config.auditRetentionDays),
      ),
    routes: (app) => auditRoutes(app, createAudit(database)),
    jobs: () => createAuditJobs(database),
    subscribers: createAuditSubscribers(database),
    recordSuperadmin: createSuperadminLog(database),
  }
}
