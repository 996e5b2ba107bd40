import type { Config } from './config.ts'
import { createAnalyticsJobs } from './features/analytics/analytics.jobs.ts'
import { createAuthJobs } from './features/auth/auth.jobs.ts'
import {
  createExportJobs,
  createExportSweepJobs,
  type ExportJobParts,
} from './features/feedback/export/exports.jobs.ts'
import { createFeedbackJobs } from './features/feedback/feedback.jobs.ts'
import { createImportFollowUpJobs, createImportJobs } from './features/feedback/import/imports.jobs.ts'
import { createRetentionJobs } from './features/feedback/retention/retention.jobs.ts'
import { createTriageJobs } from './features/feedback/triage.jobs.ts'
import { createVisitorJobs } from './features/feedback/visitors/visitors.jobs.ts'
import { createFileJobs, createMediaJobs, type FileJobParts } from './features/files/files.jobs.ts'
import { createMailJobs, type MailParts } from './features/mail/mail.jobs.ts'
import { createNotificationJobs } from './features/notifications/notifications.jobs.ts'
import type { UnsubscribeLinks } from './features/notifications/unsubscribe-link.ts'
import { createProjectJobs } from './features/projects/projects.jobs.ts'
import type { Job } from './platform/jobs/job.ts'
import { createLimitJobs } from './platform/limits/limits.jobs.ts'

/** Every kind of job the product knows, by feature. */
export function createJobs(
  config: Pick<Config, 'auth' | 'supabase' | 'appUrl'>,
  parts: MailParts & FileJobParts & { links: UnsubscribeLinks },
): Job[] {
  const { database } = parts
  return [
    ...createFeedbackJobs(database),
    ...createAnalyticsJobs(database),
    ...createRetentionJobs(database),
    ...createProjectJobs(database),
    ...createNotificationJobs({ ...parts, appUrl: config.appUrl }),
    ...createTriageJobs(database),
    ...createVisitorJobs(database),
    ...createMailJobs(parts),
    ...createFileJobs(parts),
    ...createExportSweepJobs(database),
    ...createImportFollowUpJobs(database),
    ...createLimitJobs(database),
    // What an external Supabase project keeps in schema `auth` is its own business.
    ...(config.supabase ? [] : createAuthJobs({ database, auditLogDays: config.auth.auditLogDays })),
  ]
}

/** Jobs that take minutes. They have workers of their own, so that no other has to wait for one to end. */
export function createLongJobs(parts: FileJobParts): Job[] {
  return createMediaJobs(parts)
}

/** Files of feedback that come and go: minutes for those who brought or asked for many, and apart from recordings. */
export function createTransferJobs(parts: ExportJobParts): Job[] {
  return [...createExportJobs(parts), ...createImportJobs(parts)]
}
