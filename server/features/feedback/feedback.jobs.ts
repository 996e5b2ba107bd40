import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { forgoDisk } from '#server/platform/database/forgo-disk.ts'
import { defineJob, type Job } from '#server/platform/jobs/job.ts'
import { createRefreshRequest, markNewItems } from '../analytics/analytics.service.ts'
import { noteNewFeedback } from '../notifications/notifications.service.ts'
import { foldFeedbackCounts } from './counts.queries.ts'
import { announceFeedback, tidySearchIndex } from './feedback.queries.ts'
import { idsPerNotice, toNotice } from './notice.ts'
import { learnWords } from './search.queries.ts'
import { noteVisitors } from './visitors/note-visitors.queries.ts'

// Often enough that the index's waiting list stays short under any load, seldom enough to move many at once.
const tidyPauseMs = 250

// Counting adds up what waits: as long as that is little, it costs nothing.
const foldPauseMs = 2000

const Received = Type.Object({ items: Type.Array(Type.Object({ organizationId: Uuid, id: Uuid })) })

/** What follows from new feedback: whoever has the inbox open sees it. */
export function createFeedbackJobs(database: Database): Job[] {
  let tidiedAtMs = 0
  let foldedAtMs = 0
  const requestRefresh = createRefreshRequest(database)
  return [
    defineJob('feedback_received', Received, async ({ items }) => {
      const notices: string[] = []
      const byOrganization = Map.groupBy(items, (item) => item.organizationId)
      for (const [organizationId, own] of byOrganization) {
        for (let start = 0; start < own.length; start += idsPerNotice) {
          const ids = own.slice(start, start + idsPerNotice).map((item) => item.id)
          notices.push(toNotice(organizationId, { kind: 'feedback.created', ids }))
        }
      }
      await announceFeedback(database, notices)
      // In one transaction, whose end nobody waits for the disk for: should it be lost, so is the note that this job ran.
      await database.asSystem('new items of every organisation', async (tx) => {
        await forgoDisk(tx)
        await markNewItems(tx, items)
        await noteVisitors(tx, items)
        for (const [organizationId, own] of [...byOrganization].sort(([a], [b]) => (a < b ? -1 : 1))) {
          const ids = own.map((item) => item.id)
          await learnWords(tx, organizationId, ids)
        }
        await noteNewFeedback(tx, items)
      })
      await requestRefresh()
      const nowMs = performance.now()
      if (nowMs - foldedAtMs >= foldPauseMs) {
        foldedAtMs = nowMs
        await foldFeedbackCounts(database)
      }
      if (nowMs - tidiedAtMs < tidyPauseMs) return
      tidiedAtMs = nowMs
      await tidySearchIndex(database)
    }),
  ]
}
