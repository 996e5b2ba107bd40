import type { FeedbackStatus } from '#contract/feedback.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { insertTrackedNote, listTrackedNotes, lockTracked, setTrackedStatus } from './tracked-items.queries.ts'

/** A note of the team, as an issue gets it. */
export interface TrackedNote {
  readonly id: string
  readonly author: string
  readonly text: string
}

/** Items that are kept like issues of a tracker, in the name of the integration. */
export interface TrackedItems {
  /** Undefined: the item no longer exists. Notes are those that the integration did not write. */
  read(
    organizationId: string,
    id: string,
    integrationId: string,
  ): Promise<{ status: FeedbackStatus; version: number; notes: TrackedNote[] } | undefined>
  /** @returns false when the item has changed since that version: nothing was written. */
  setStatus(
    tx: SystemTx,
    item: { organizationId: string; id: string; version: number },
    status: FeedbackStatus,
  ): Promise<boolean>
  /** Adds a note once: with an id that is there, nothing happens. */
  addNote(item: { organizationId: string; id: string }, note: TrackedNote & { integrationId: string }): Promise<void>
}

const reason = 'an item is compared with its issue'

export function createTrackedItems(database: Database): TrackedItems {
  return {
    read: (organizationId, id, integrationId) =>
      database.asSystem(reason, async (tx) => {
        const item = await lockTracked(tx, organizationId, id)
        return item && { ...item, notes: await listTrackedNotes(tx, { organizationId, id, integrationId }) }
      }),

    setStatus: async (tx, { organizationId, id, version }, status) => {
      const item = await lockTracked(tx, organizationId, id)
      if (item?.version !== version) return false
      await setTrackedStatus(tx, organizationId, id, status)
      return true
    },

    addNote: ({ organizationId, id: feedbackId }, { integrationId, ...note }) =>
      database.asIntegration(integrationId, async (tx) => {
        if (!(await insertTrackedNote(tx, { organizationId, feedbackId, integrationId, ...note }))) return
        const payload = { commentId: note.id, mentionedUserIds: [] }
        await recordEvent(tx, { organizationId, name: 'feedback.commented', ids: [feedbackId], payload })
      }),
  }
}
