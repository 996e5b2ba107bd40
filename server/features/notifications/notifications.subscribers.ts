import type { AnyEvent } from '#contract/events.ts'
import type { Database } from '#server/platform/database/database.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'
import { defineSubscriber, type Subscriber } from '#server/platform/events/subscriber.ts'
import { enqueueInstantMails, type NewNotification, recordNotifications } from './notifications.queries.ts'

const reason = 'members of every organisation are notified'
const personal = ['feedback.assigned', 'feedback.commented', 'feedback.answered'] as const

/** Notifies members of assignments, mentions, visitors' answers and new items. */
export function createNotificationSubscribers(database: Database): Subscriber[] {
  return [
    defineSubscriber('notify_members', personal, async (events) => {
      for (const event of events) {
        const notifications = toNotifications(event)
        await database.asSystem(reason, (tx) => recordNotifications(tx, event, notifications))
      }
    }),
    // For members who want instant emails. Their items are found by time, so that nothing here grows with members or items,
    // and running it twice does no harm.
    defineSubscriber('mail_new_items', ['feedback.created'], (events) =>
      database.asSystem(reason, async (tx) => {
        await skipFlush(tx)
        await enqueueInstantMails(tx, [...new Set(events.map(({ organizationId }) => organizationId))])
      }),
    ),
  ]
}

function toNotifications(event: AnyEvent<(typeof personal)[number]>): NewNotification[] {
  const [feedbackId = ''] = event.ids
  switch (event.name) {
    case 'feedback.assigned': {
      const { assigneeUserId: userId, itemCount } = event.payload
      return [{ userId, kind: 'assigned', feedbackId, itemCount }]
    }
    case 'feedback.commented':
      return event.payload.mentionedUserIds.map((userId) => ({ userId, kind: 'mentioned', feedbackId }))
    case 'feedback.answered': {
      const { itemId, concernedUserIds } = event.payload
      return concernedUserIds.map((userId) => ({ userId, kind: 'visitor_replied', feedbackId: itemId }))
    }
  }
}
