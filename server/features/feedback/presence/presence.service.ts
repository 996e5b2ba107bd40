import type { Presence } from '#contract/triage.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { toNotice } from '../notice.ts'
import { hasFeedback, listOthers, notifyPresence, recordPage } from './presence.queries.ts'

/** Who has an item open at the moment. */
export interface PresenceBoard {
  /**
   * Notes which item a page of the caller's shows, and tells those who have the same one open.
   *
   * @param announcement.feedbackId null: none any more.
   * @returns others who have it open.
   * @throws ProductError `feedback_not_found`.
   */
  announce(
    actor: Actor,
    organizationId: string,
    announcement: { pageId: string; feedbackId: string | null },
  ): Promise<Presence[]>
}

export function createPresenceBoard(database: Database): PresenceBoard {
  return {
    announce: async (actor, organizationId, { pageId, feedbackId: givenId }) => {
      const feedbackId = givenId?.toLowerCase() ?? null
      const page = { organizationId, userId: actor.userId, pageId }
      const formerId = await database.withTenant(actor, async (tx) => {
        if (feedbackId !== null && !(await hasFeedback(tx, organizationId, feedbackId)))
          throw new ProductError('feedback_not_found')
        return recordPage(tx, page, feedbackId)
      })
      const isNews = formerId !== (feedbackId ?? undefined)
      const concerned = [formerId, feedbackId].filter((id) => typeof id === 'string')
      if (concerned.length === 0) return []
      // In a transaction of its own: of two who come at once, at least one then sees the other.
      return database.withTenant(actor, async (tx) => {
        const others = await listOthers(tx, page, concerned)
        // Where nobody else looks, nobody needs to be told.
        const ids = [...new Set(others.map((other) => other.feedbackId))]
        if (isNews && ids.length > 0) await notifyPresence(tx, toNotice(organizationId, { kind: 'presence', ids }))
        return others.filter((other) => other.feedbackId === feedbackId)
      })
    },
  }
}
