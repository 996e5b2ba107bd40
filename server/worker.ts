import { createFeedbackJobs } from './features/feedback/feedback.jobs.ts'
import { createMailJobs, type MailParts } from './features/mail/mail.jobs.ts'
import type { Job } from './platform/jobs/job.ts'

/** Every kind of job the product knows, by feature. */
export function createJobs(parts: MailParts): Job[] {
  return [...createFeedbackJobs(parts.database), ...createMailJobs(parts)]
}
