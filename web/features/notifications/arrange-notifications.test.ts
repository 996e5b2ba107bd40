import { describe, expect, it } from 'vitest'
import type { NewFeedbackNotification, Notification } from '#contract/notifications.ts'
import { arrangeNotifications } from './arrange-notifications.ts'

const notification = (id: string, createdAt: string): Notification => ({
  id,
  kind: 'mentioned',
  feedbackId: id,
  number: 1,
  projectId: 'p',
  projectName: 'Shop',
  excerpt: '',
  actorName: null,
  itemCount: 1,
  createdAt,
  isRead: false,
})
const news = (projectId: string, latestAt: string): NewFeedbackNotification => ({
  projectId,
  projectName: 'Shop',
  count: 1,
  latestAt,
})

function nameOf(arranged: ReturnType<typeof arrangeNotifications>[number]): string | null {
  if ('own' in arranged) return arranged.own.id
  if ('planWarning' in arranged) return arranged.planWarning.kind
  return 'newFeedback' in arranged ? arranged.newFeedback.projectId : arranged.fullQuota.projectId
}

describe('arrangeNotifications', () => {
  it('orders new feedback, own notifications, full storage and warnings by time, newest first', () => {
    const arranged = arrangeNotifications(
      [news('today', '2026-03-03T09:00:00.000Z'), news('last week', '2026-02-24T09:00:00.000Z')],
      [notification('just now', '2026-03-03T10:00:00.000Z'), notification('yesterday', '2026-03-02T10:00:00.000Z')],
      [{ projectId: 'full', projectName: 'Shop', refusedAt: '2026-03-03T08:00:00.000Z' }],
      [{ kind: 'items', level: 80, used: 400, max: 500, warnedAt: '2026-03-01T08:00:00.000Z' }],
    )
    expect(arranged.map(nameOf)).toEqual(['just now', 'today', 'full', 'yesterday', 'items', 'last week'])
  })
})
