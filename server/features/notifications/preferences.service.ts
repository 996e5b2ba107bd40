import type {
  NewFeedbackNotification,
  Notification,
  NotificationChange,
  NotificationPreferences,
} from '#contract/notifications.ts'
import type { PlanWarning } from '#contract/plans.ts'
import type { FullQuota } from '#contract/quotas.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { sendLiveMessage } from '#server/platform/events/live-channel.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { listPlanWarnings } from '../billing/billing.service.ts'
import type { Quotas } from '../quotas/quotas.service.ts'
import { readNotificationCursor, writeNotificationCursor } from './notification-cursor.ts'
import * as notifications from './notifications.queries.ts'
import * as queries from './preferences.queries.ts'

const defaultPageSize = 30
const countLimit = 100

export interface NotificationMarks {
  readonly read: boolean
  readonly ids?: readonly string[]
  readonly feedbackId?: string
  readonly projectId?: string
  readonly all?: true
}

/** A member's notifications in the app, and their preferences. */
export interface Notifications {
  list(
    actor: Actor,
    organizationId: string,
    query: { cursor?: string; limit?: number },
  ): Promise<{
    items: Notification[]
    nextCursor: string | null
    unreadCount: number
    newFeedback: NewFeedbackNotification[]
    fullQuotas: FullQuota[]
    planWarnings: PlanWarning[]
  }>
  mark(actor: Actor, organizationId: string, marks: NotificationMarks): Promise<void>
  getPreferences(actor: Actor, organizationId: string): Promise<NotificationPreferences>
  /** @throws ProductError `validation_failed` for an unknown time zone. */
  updatePreferences(actor: Actor, organizationId: string, change: NotificationChange): Promise<NotificationPreferences>
  updateMailContent(actor: Actor, organizationId: string, mailsHoldWords: boolean): Promise<void>
}

export function createNotifications(database: Database, quotas: Pick<Quotas, 'listFull'>): Notifications {
  return {
    list: (actor, organizationId, { cursor, limit = defaultPageSize }) => {
      const before = cursor === undefined ? undefined : readNotificationCursor(cursor)
      return database.withTenant(actor, async (tx) => {
        const { userId } = actor
        const found = await notifications.listNotifications(tx, organizationId, userId, { before, limit: limit + 1 })
        const page = found.slice(0, limit)
        const last = page.at(-1)
        return {
          items: page.map(({ notification }) => notification),
          nextCursor: found.length > limit && last ? writeNotificationCursor(last.place) : null,
          unreadCount: await notifications.countUnread(tx, organizationId, userId, countLimit),
          newFeedback: await queries.listNewFeedback(tx, organizationId, userId),
          fullQuotas: await quotas.listFull(tx, organizationId),
          planWarnings: await listPlanWarnings(tx, organizationId),
        }
      })
    },

    mark: (actor, organizationId, { read, ids, feedbackId, projectId, all }) =>
      database.withTenant(actor, async (tx) => {
        const { userId } = actor
        if (all) await notifications.markNotifications(tx, organizationId, userId, { isRead: read })
        if (ids) await notifications.markNotifications(tx, organizationId, userId, { isRead: read, ids })
        if (feedbackId) await notifications.markNotifications(tx, organizationId, userId, { isRead: read, feedbackId })
        if (read && (all || projectId)) await queries.markSeen(tx, organizationId, userId, all ? undefined : projectId)
        // Their other windows.
        await sendLiveMessage(tx, organizationId, { kind: 'notifications', ids: [userId] })
      }),

    getPreferences: (actor, organizationId) =>
      database.withTenant(actor, (tx) => queries.getPreferences(tx, organizationId, actor.userId)),

    updatePreferences: (actor, organizationId, { timeZone, mutedMails, allProjects, projects }) =>
      database.withTenant(actor, async (tx) => {
        const { userId } = actor
        if (timeZone !== undefined && !(await queries.isTimeZone(tx, timeZone))) {
          throw invalid('body.timeZone', 'must be a time zone such as Europe/Berlin')
        }
        if (timeZone !== undefined || mutedMails) {
          await queries.saveSettings(tx, organizationId, userId, {
            ...(timeZone !== undefined && { timeZone }),
            ...(mutedMails && { mutedMails }),
          })
        }
        if (allProjects) await queries.saveForAllProjects(tx, organizationId, userId, allProjects)
        if (projects) await queries.saveForProjects(tx, organizationId, userId, projects)
        const event = { organizationId, name: 'notification.preferences_updated', ids: [userId], payload: {} } as const
        await recordEvent(tx, event)
        return queries.getPreferences(tx, organizationId, userId)
      }),

    updateMailContent: (actor, organizationId, mailsHoldWords) =>
      database.withTenant(actor, (tx) => queries.saveMailContent(tx, organizationId, mailsHoldWords)),
  }
}
