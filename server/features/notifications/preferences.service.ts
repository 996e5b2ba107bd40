import type { NewFeedbackNotice, Notice, NotificationChange, NotificationPreferences } from '#contract/notifications.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { readNoticeCursor, writeNoticeCursor } from './notice-cursor.ts'
import * as notices from './notices.queries.ts'
import * as queries from './preferences.queries.ts'

const defaultPageSize = 30
const countLimit = 100

export interface NoticeMarks {
  readonly read: boolean
  readonly ids?: readonly string[]
  readonly feedbackId?: string
  readonly projectId?: string
  readonly all?: true
}

/** What one member is told in the app, and how they want to be told. */
export interface Notifications {
  list(
    actor: Actor,
    organizationId: string,
    query: { cursor?: string; limit?: number },
  ): Promise<{ items: Notice[]; nextCursor: string | null; unreadCount: number; newFeedback: NewFeedbackNotice[] }>
  mark(actor: Actor, organizationId: string, marks: NoticeMarks): Promise<void>
  getPreferences(actor: Actor, organizationId: string): Promise<NotificationPreferences>
  /** @throws ProductError `validation_failed` for an unknown time zone. */
  updatePreferences(actor: Actor, organizationId: string, change: NotificationChange): Promise<NotificationPreferences>
  updateMailContent(actor: Actor, organizationId: string, mailsHoldWords: boolean): Promise<void>
}

export function createNotifications(database: Database): Notifications {
  return {
    list: (actor, organizationId, { cursor, limit = defaultPageSize }) => {
      const before = cursor === undefined ? undefined : readNoticeCursor(cursor)
      return database.withTenant(actor, async (tx) => {
        const { userId } = actor
        const found = await notices.listNotices(tx, organizationId, userId, { before, limit: limit + 1 })
        const page = found.slice(0, limit)
        const last = page.at(-1)
        return {
          items: page.map(({ notice }) => notice),
          nextCursor: found.length > limit && last ? writeNoticeCursor(last.place) : null,
          unreadCount: await notices.countUnread(tx, organizationId, userId, countLimit),
          newFeedback: await queries.listNewFeedback(tx, organizationId, userId),
        }
      })
    },

    mark: (actor, organizationId, { read, ids, feedbackId, projectId, all }) =>
      database.withTenant(actor, async (tx) => {
        const { userId } = actor
        if (all) await notices.markNotices(tx, organizationId, userId, { isRead: read })
        if (ids) await notices.markNotices(tx, organizationId, userId, { isRead: read, ids })
        if (feedbackId) await notices.markNotices(tx, organizationId, userId, { isRead: read, feedbackId })
        if (read && (all || projectId)) await queries.markSeen(tx, organizationId, userId, all ? undefined : projectId)
        await notices.announceToMember(tx, organizationId.toLowerCase(), userId)
      }),

    getPreferences: (actor, organizationId) =>
      database.withTenant(actor, (tx) => queries.getPreferences(tx, organizationId, actor.userId)),

    updatePreferences: (actor, organizationId, { timeZone, mutedMails, projects }) =>
      database.withTenant(actor, async (tx) => {
        const { userId } = actor
        if (timeZone !== undefined && !(await queries.isTimeZone(tx, timeZone))) {
          throw new ProductError('validation_failed', {
            fields: [{ path: 'body.timeZone', message: 'must be a time zone such as Europe/Berlin' }],
          })
        }
        if (timeZone !== undefined || mutedMails) {
          await queries.saveSettings(tx, organizationId, userId, {
            ...(timeZone !== undefined && { timeZone }),
            ...(mutedMails && { mutedMails }),
          })
        }
        if (projects) await queries.savePreferences(tx, organizationId, userId, projects)
        return queries.getPreferences(tx, organizationId, userId)
      }),

    updateMailContent: (actor, organizationId, mailsHoldWords) =>
      database.withTenant(actor, (tx) => queries.saveMailContent(tx, organizationId, mailsHoldWords)),
  }
}
