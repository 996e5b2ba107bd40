import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { defineJob, type Job } from '#server/platform/jobs/job.ts'
import { notifyFeedbackChanged } from './feedback.queries.ts'
import { toNotice } from './feedback.service.ts'

// A notice holds at most 8,000 bytes; an id takes 39.
const idsPerNotice = 150

const Received = Type.Object({ items: Type.Array(Type.Object({ organizationId: Uuid, id: Uuid })) })

/** What follows from new feedback: whoever has the inbox open sees it. */
export function createFeedbackJobs(database: Database): Job[] {
  return [
    defineJob('feedback_received', Received, async ({ items }) => {
      const byOrganization = Map.groupBy(items, (item) => item.organizationId)
      await database.asSystem('a batch holds items of several organisations', async (tx) => {
        for (const [organizationId, own] of byOrganization) {
          for (let start = 0; start < own.length; start += idsPerNotice) {
            const ids = own.slice(start, start + idsPerNotice).map((item) => item.id)
            await notifyFeedbackChanged(tx, toNotice(organizationId, { kind: 'feedback.created', ids }))
          }
        }
      })
    }),
  ]
}
