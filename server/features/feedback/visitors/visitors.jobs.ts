import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { defineJob, type Job } from '#server/platform/jobs/job.ts'
import type { Platform } from '#server/platform/platform.ts'
import { forgetWaitingEmails } from '../../mail/mail.service.ts'
import { removeFeedback } from '../retention/remove-feedback.queries.ts'
import { addUp } from '../retention/retention.service.ts'
import * as queries from './erase-visitor.queries.ts'
import { removeVisitorsWithoutItems } from './note-visitors.queries.ts'
import { deleteVisitorCopies } from './visitor-copies.ts'

// Each batch sends a change notice, which can name no more items.
const batchSize = 150
const reason = 'a person is erased from every project of an organisation'

/** Erases a visitor, a few items at a time; a retry continues an interrupted run. */
export function createVisitorJobs({ database, storage }: Pick<Platform, 'database' | 'storage'>): Job[] {
  return [
    defineJob('erase_visitor', Type.Object({ organizationId: Uuid, id: Uuid }), async ({ organizationId, id }) => {
      const erasure = await database.asSystem(reason, (tx) => queries.findRunningErasure(tx, organizationId, id))
      if (!erasure) return
      const { subject } = erasure
      const addresses =
        erasure.addresses ??
        (await database.asSystem(reason, (tx) => queries.beginErasure(tx, organizationId, id, subject)))
      while (await eraseBatch(database, { organizationId, id, subject, addresses })) {
        // Until no item is left, including items that arrive meanwhile.
      }
      await deleteVisitorCopies({ database, storage }, organizationId, { key: subject, addresses })
      await database.asSystem(reason, async (tx) => {
        await removeVisitorsWithoutItems(
          tx,
          [subject, ...addresses].map((key) => ({ organizationId, key })),
        )
        const actorUserId = await queries.endErasure(tx, organizationId, id)
        const event = { organizationId, name: 'visitor.erased', ids: [id], payload: {}, actorUserId } as const
        await recordEvent(tx, { ...event, announced: 'never' })
      })
    }),
  ]
}

async function eraseBatch(
  database: Database,
  erasure: { organizationId: string; id: string; subject: string; addresses: readonly string[] },
): Promise<boolean> {
  const { organizationId, id } = erasure
  return database.asSystem(reason, async (tx) => {
    const { ids, words, keys } = await queries.listErasable(tx, organizationId, erasure, batchSize)
    if (ids.length === 0) return false
    const removed = await removeFeedback(tx, queries.namedItems(organizationId, ids), { withDuplicates: false })
    await removeVisitorsWithoutItems(
      tx,
      keys.map((key) => ({ organizationId, key })),
    )
    await queries.forgetWords(tx, organizationId, words)
    await forgetWaitingEmails(tx, organizationId, ids)
    await queries.countErased(tx, organizationId, id, addUp(removed))
    await recordEvent(tx, { organizationId, name: 'feedback.deleted', ids, payload: {} })
    return true
  })
}
