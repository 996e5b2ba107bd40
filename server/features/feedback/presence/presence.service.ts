import type { Presence } from '#contract/presence.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'
import { sendLiveMessage } from '#server/platform/events/live-channel.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { hasFeedback, listOthers, recordPage } from './presence.queries.ts'

/** Members who have an item open. */
export interface PresenceBoard {
  /**
   * Stores which item a page of the caller shows, and notifies the members who have the same item open.
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
      // In a transaction of its own: when two open an item at once, at least one sees the other.
      return database.withTenant(actor, async (tx) => {
        const others = await listOthers(tx, page, concerned)
        // No notice for items that no other member has open.
        const ids = [...new Set(others.map((other) => other.feedbackId))]
        if (isNews && ids.length > 0) {
          await skipFlush(tx)
          await sendLiveMessage(tx, organizationId, { kind: 'presence', ids })
        }
        return others.filter((other) => other.feedbackId === feedbackId)
      })
    },
  }
}
