import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { defineJob, type Job } from '#server/platform/jobs/job.ts'
import { noteNewItems } from '../analytics/analytics.service.ts'
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
  return [
    defineJob('feedback_received', Received, async ({ items }) => {
      const notices: string[] = []
      for (const [organizationId, own] of Map.groupBy(items, (item) => item.organizationId)) {
        for (let start = 0; start < own.length; start += idsPerNotice) {
          const ids = own.slice(start, start + idsPerNotice).map((item) => item.id)
          notices.push(toNotice(organizationId, { kind: 'feedback.created', ids }))
        }
      }
      await announceFeedback(database, notices)
      await database.asSystem('new items of every organisation are counted', (tx) => noteNewItems(tx, items))
      await database.asSystem('who sent feedback, to any organisation', (tx) => noteVisitors(tx, items))
      for (const [organizationId, own] of Map.groupBy(items, (item) => item.organizationId)) {
        const ids = own.map((item) => item.id)
        await learnWords(database, organizationId, ids)
      }
      await database.asSystem('members of every organisation are told', (tx) => noteNewFeedback(tx, items))
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
