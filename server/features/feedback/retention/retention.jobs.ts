import Type from 'typebox'
import { Timestamp, Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { sendLiveMessage } from '#server/platform/events/live-channel.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { listRetentions } from './remove-feedback.queries.ts'
import { recordEmptyTrash, removeForgottenVisitors, removeOldFeedback, removeTrash } from './retention.service.ts'
import { sweepWords, wordSlices } from './sweep-words.ts'

const dayMs = 24 * 3_600_000
/** Deleted items can be restored this long. */
const trashDays = 30

const EmptyTrash = Type.Object({ organizationId: Uuid, actorUserId: Uuid, before: Timestamp })

/** Every night, removes feedback whose retention time is over. */
export function createRetentionJobs(database: Database): Job[] {
  return [
    defineCron('expire_trash', { at: '33 2 * * *', catchUpHours: 48 }, async () => {
      const sums = await removeTrash(database, new Date(Date.now() - trashDays * dayMs))
      await database.asSystem('what was removed is noted', async (tx) => {
        for (const [organizationId, sum] of sums) {
          const event = { organizationId, name: 'feedback.trash_expired', ids: [organizationId] } as const
          await recordEvent(tx, { ...event, payload: { ...sum }, announced: 'never' })
        }
      })
    }),

    defineCron('apply_retention', { at: '48 2 * * *', catchUpHours: 48 }, async () => {
      const projects = await database.asSystem('how long projects keep feedback', listRetentions)
      for (const { organizationId, projectId, days } of projects) {
        const sum = await removeOldFeedback(
          database,
          { organizationId, projectId },
          new Date(Date.now() - days * dayMs),
        )
        if (sum.items === 0) continue
        const event = { organizationId, name: 'project.retention_applied', ids: [projectId] } as const
        await database.asSystem('what was removed is noted', (tx) =>
          recordEvent(tx, { ...event, payload: { days, ...sum }, announced: 'never' }),
        )
      }
    }),

    // After the two above: removes visitors whose last item they removed.
    defineCron('forget_visitors', { at: '23 3 * * *', catchUpHours: 48 }, () => removeForgottenVisitors(database)),

    // Words that no remaining item contains are not suggested for a mistyped word.
    defineCron('forget_words', { at: '37 3 * * *', catchUpHours: 48 }, () =>
      sweepWords(database, Math.floor(Date.now() / dayMs) % wordSlices),
    ),

    defineJob('empty_trash', EmptyTrash, async ({ organizationId, actorUserId, before }) => {
      const sum = (await removeTrash(database, new Date(before), organizationId)).get(organizationId)
      if (!sum) return
      await database.asSystem('what was removed is noted', async (tx) => {
        await recordEmptyTrash(tx, { organizationId, actorUserId }, sum)
        // Open trash lists reload.
        await sendLiveMessage(tx, organizationId, { kind: 'feedback.updated', ids: [] })
      })
    }),
  ]
}
