import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { Database } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { renderNewFeedback, renderNotifications } from '../mail/mail.service.ts'
import { listRecipients, type MailedMode, type MemberOf, takeNews } from './digest.queries.ts'
import * as mailing from './mailing.queries.ts'
import { deleteOldNotifications } from './notifications.queries.ts'
import { queueMemberMail } from './queue-member-mail.ts'
import type { UnsubscribeLinks } from './unsubscribe-link.ts'

export interface NotificationJobParts {
  readonly database: Database
  readonly links: UnsubscribeLinks
  readonly appUrl: string
}

const reason = 'emails to members of every organisation'
const recipientsAtATime = 100
const againSeconds = 30
const keptDays = 90

/** Emails to members. One transaction writes an email and its mark, so a job that runs twice writes it once. */
export function createNotificationJobs(parts: NotificationJobParts): Job[] {
  const { database } = parts
  return [
    definePersonalJob(parts),
    defineInstantJob(parts),
    defineCron('mail_hourly_digests', { at: '2 * * * *', catchUpHours: 2 }, () => mailEveryRecipient(parts, 'hourly')),
    // Every 15 minutes: eight o'clock falls on a quarter of an hour in every time zone.
    defineCron('mail_daily_digests', { at: '*/15 * * * *', catchUpHours: 1 }, () => mailEveryRecipient(parts, 'daily')),
    defineCron('prune_notifications', { at: '41 3 * * *', catchUpHours: 24 }, async () => {
      await deleteInBatches((limit) =>
        database.asSystem(reason, (tx) => deleteOldNotifications(tx, { days: keptDays, limit })),
      )
    }),
  ]
}

/** Emails one member's notifications, or waits until the member may get another instant email. */
function definePersonalJob(parts: NotificationJobParts) {
  const name = 'mail_notifications'
  return defineJob(name, Type.Object({ organizationId: Uuid, userId: Uuid }), (member) =>
    parts.database.asSystem(reason, async (tx) => {
      const recipient = await mailing.lockRecipient(tx, member)
      if (recipient && recipient.waitSeconds > 0) {
        const key = `${name}:${member.organizationId}:${member.userId}`
        await mailing.enqueueAgain(tx, { name, payload: member, key, seconds: recipient.waitSeconds })
        return
      }
      const taken = await mailing.takeMailNotifications(tx, member)
      if (!recipient || recipient.mutedMails.includes('personal') || taken.length === 0) return
      const notifications = recipient.mailsHoldWords
        ? taken
        : taken.map((notification) => ({ ...notification, message: null }))
      await queueMemberMail(tx, parts, {
        member,
        list: 'personal',
        recipient,
        feedbackIds: notifications.map(({ id }) => id),
        render: (frame) => renderNotifications(notifications, frame),
      })
      await mailing.countInstantMail(tx, member)
    }),
  )
}

/** Emails an organisation's new items to members with instant emails, and again while unsettled items remain. */
function defineInstantJob(parts: NotificationJobParts) {
  const name = 'mail_new_feedback'
  return defineJob(name, Type.Object({ organizationId: Uuid }), async ({ organizationId }) => {
    await mailEveryRecipient(parts, 'instant', organizationId)
    await parts.database.asSystem(reason, async (tx) => {
      const waiting = await listRecipients(tx, 'instant', { organizationId, limit: 1, includeUnsettled: true })
      if (waiting.length === 0) return
      const key = `${name}:${organizationId}`
      await mailing.enqueueAgain(tx, { name, payload: { organizationId }, key, seconds: againSeconds })
    })
  })
}

async function mailEveryRecipient(
  parts: NotificationJobParts,
  mode: MailedMode,
  organizationId?: string,
): Promise<void> {
  let after: MemberOf | undefined
  do {
    const page = await parts.database.asSystem(reason, (tx) =>
      listRecipients(tx, mode, { ...(organizationId && { organizationId }), after, limit: recipientsAtATime }),
    )
    for (const member of page) await mailNewItems(parts, mode, member)
    after = page.length < recipientsAtATime ? undefined : page.at(-1)
  } while (after)
}

async function mailNewItems(parts: NotificationJobParts, mode: MailedMode, member: MemberOf): Promise<void> {
  await parts.database.asSystem(reason, async (tx) => {
    const recipient = await mailing.lockRecipient(tx, member)
    if (!recipient || recipient.mutedMails.includes('new_feedback')) return
    if (mode === 'instant' && recipient.waitSeconds > 0) return
    const news = await takeNews(tx, mode, member)
    if (mode === 'daily') await mailing.noteDailyDigest(tx, member)
    if (news.length === 0) return
    const projects = news.map((project) => ({
      ...project,
      items: project.items.map((item) => ({
        ...item,
        projectName: project.projectName,
        message: recipient.mailsHoldWords ? item.message : null,
      })),
    }))
    await queueMemberMail(tx, parts, {
      member,
      list: 'new_feedback',
      recipient,
      feedbackIds: projects.flatMap(({ items }) => items.map(({ id }) => id)),
      render: (frame) => renderNewFeedback(projects, mode, frame),
    })
    if (mode === 'instant') await mailing.countInstantMail(tx, member)
  })
}
