import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { sendLiveMessage } from '#server/platform/events/live-channel.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { findProvenPairs, isVisitor, joinVisitors, separateVisitor } from './join-visitors.queries.ts'

/** Visitors that are one person. */
export interface VisitorJoins {
  /** @throws ProductError `visitor_not_found`, `validation_failed` when both are the same visitor. */
  join(
    actor: Actor,
    organizationId: string,
    pair: { into: string; part: string },
  ): Promise<{ key: string; part: string }>
  /** @throws ProductError `visitor_not_found` when it is part of no other. */
  separate(actor: Actor, organizationId: string, part: string): Promise<void>
  /** Joins visitors of answered items whose id and address belong to one person for certain. */
  joinProven(organizationId: string, feedbackIds: readonly string[]): Promise<void>
}

const reason = 'members may only read joins; the caller’s permission is already checked'
// An empty list: open inboxes read theirs again.
const allChanged = { kind: 'feedback.updated', ids: [] } as const

export function createVisitorJoins(database: Database): VisitorJoins {
  return {
    join: async (actor, organizationId, { into, part }) => {
      if (isSameKey(into, part)) throw invalid('body.part', 'must be another visitor')
      await database.withTenant(actor, async (tx) => {
        for (const key of [into, part]) {
          if (!(await isVisitor(tx, organizationId, key))) throw new ProductError('visitor_not_found')
        }
      })
      return database.asSystem(reason, async (tx) => {
        const { id, ...joined } = await joinVisitors(tx, {
          organizationId,
          into,
          part,
          cause: 'member',
          joinedBy: actor.userId,
        })
        if (id === undefined) return joined
        const event = { organizationId, name: 'visitor.joined', ids: [id], actorUserId: actor.userId } as const
        await recordEvent(tx, { ...event, payload: { cause: 'member' }, announced: 'never' })
        await sendLiveMessage(tx, organizationId, allChanged)
        return joined
      })
    },

    separate: (actor, organizationId, part) =>
      database.asSystem(reason, async (tx) => {
        const separated = await separateVisitor(tx, organizationId, part)
        if (!separated) throw new ProductError('visitor_not_found')
        if (!separated.isNew) return
        const event = { organizationId, name: 'visitor.separated', ids: [separated.id] } as const
        await recordEvent(tx, { ...event, actorUserId: actor.userId, payload: {}, announced: 'never' })
        await sendLiveMessage(tx, organizationId, allChanged)
      }),

    joinProven: (organizationId, feedbackIds) =>
      database.asSystem('a signed id and a proven address are one person', async (tx) => {
        for (const pair of await findProvenPairs(tx, organizationId, feedbackIds)) {
          const { id } = await joinVisitors(tx, { organizationId, ...pair, cause: 'verified', joinedBy: null })
          if (id === undefined) continue
          const event = { organizationId, name: 'visitor.joined', ids: [id], actorUserId: null } as const
          await recordEvent(tx, { ...event, payload: { cause: 'verified' }, announced: 'never' })
          await sendLiveMessage(tx, organizationId, allChanged)
        }
      }),
  }
}

/** Addresses are keys in any letter case. */
function isSameKey(one: string, other: string): boolean {
  return one === other || (one.includes('@') && one.toLowerCase() === other.toLowerCase())
}
