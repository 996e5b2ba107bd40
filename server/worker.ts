import type { Config } from './config.ts'
import { createAuthJobs } from './features/auth/auth.jobs.ts'
import { createFeedbackJobs } from './features/feedback/feedback.jobs.ts'
import { createMailJobs, type MailParts } from './features/mail/mail.jobs.ts'
import type { Job } from './platform/jobs/job.ts'
import { createLimitJobs } from './platform/limits/limits.jobs.ts'

/** Every kind of job the product knows, by feature. */
export function createJobs(config: Pick<Config, 'auth' | 'supabase'>, parts: MailParts): Job[] {
  const { database } = parts
  return [
    ...createFeedbackJobs(database),
    ...createMailJobs(parts),
    ...createLimitJobs(database),
    // What an external Supabase project keeps in schema `auth` is its own business.
    ...(config.supabase ? [] : createAuthJobs({ database, auditLogDays: config.auth.auditLogDays })),
  ]
}
