import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { defineJob, type Job } from '#server/platform/jobs/job.ts'
import type { Platform } from '#server/platform/platform.ts'
import { forgetWaitingEmails } from '../../mail/mail.service.ts'
import { removeFeedback } from '../retention/remove-feedback.queries.ts'
import { addUp } from '../retention/retention.service.ts'
import { type FrequentWords, forgetWords, listFrequentWords } from '../retention/words.queries.ts'
import * as queries from './erase-visitor.queries.ts'
import { forgetJoins } from './join-visitors.queries.ts'
import { countMarkedVisitors, removeVisitorsWithoutItems } from './note-visitors.queries.ts'
import { deleteVisitorCopies } from './visitor-copies.ts'

// Each batch sends a change notice, which can name no more items.
const batchSize = 150
const reason = 'a person is erased from the projects of an organisation'

/** Counts visitors; erases one, a few items at a time, and a retry continues an interrupted run. */
export function createVisitorJobs({ database, storage }: Pick<Platform, 'database' | 'storage'>): Job[] {
  return [
    defineJob('count_marked_visitors', Type.Object({}), () => countMarkedVisitors(database)),
    defineJob('erase_visitor', Type.Object({ organizationId: Uuid, id: Uuid }), async ({ organizationId, id }) => {
      const erasure = await database.asSystem(reason, (tx) => queries.findRunningErasure(tx, organizationId, id))
      if (!erasure) return
      const { subject, projectId } = erasure
      const scope = { organizationId, projectId }
      const keys =
        erasure.keys ?? (await database.asSystem(reason, (tx) => queries.beginErasure(tx, scope, id, subject)))
      // A visitor is listed by an address in lower case.
      const spellings = [...keys, ...keys.map((key) => key.toLowerCase())]
      const frequent = await database.asSystem(reason, (tx) => listFrequentWords(tx, organizationId, spellings))
      while (await eraseBatch(database, { scope, id, keys, frequent })) {
        // Until no item is left, including items that arrive meanwhile.
      }
      await deleteVisitorCopies({ database, storage }, scope, keys)
      await database.asSystem(reason, async (tx) => {
        // Items of other projects may still name them.
        if (projectId === null) await forgetJoins(tx, organizationId, keys)
        await removeVisitorsWithoutItems(
          tx,
          spellings.map((key) => ({ organizationId, key })),
        )
        const ended = await queries.endErasure(tx, organizationId, id)
        if (!ended) return
        const { requestedBy: actorUserId, ...payload } = ended
        const event = { organizationId, name: 'visitor.erased', ids: [id], payload, actorUserId } as const
        await recordEvent(tx, { ...event, announced: 'never' })
      })
    }),
  ]
}

interface Erasure {
  readonly scope: queries.ErasureScope
  readonly id: string
  readonly keys: readonly string[]
  readonly frequent: FrequentWords
}

async function eraseBatch(database: Database, { scope, id, keys: erasedKeys, frequent }: Erasure): Promise<boolean> {
  const { organizationId } = scope
  return database.asSystem(reason, async (tx) => {
    const { ids, words, keys } = await queries.listErasable(tx, scope, erasedKeys, batchSize)
    if (ids.length === 0) return false
    const removed = await removeFeedback(tx, queries.namedItems(organizationId, ids), { withDuplicates: false })
    await removeVisitorsWithoutItems(
      tx,
      keys.map((key) => ({ organizationId, key })),
    )
    await forgetWords(tx, organizationId, { words, frequent })
    await forgetWaitingEmails(tx, organizationId, ids)
    await queries.countErased(tx, organizationId, id, addUp(removed))
    await recordEvent(tx, { organizationId, name: 'feedback.deleted', ids, payload: {} })
    return true
  })
}
