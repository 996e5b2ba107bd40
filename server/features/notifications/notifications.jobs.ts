import Type from 'typebox'
import type { MailList } from '#contract/notifications.ts'
import { Uuid } from '#contract/text.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron, defineJob, type Job } from '#server/platform/jobs/job.ts'
import { queueListedEmail, type RenderedMail, renderNewFeedback, renderNotices } from '../mail/mail.service.ts'
import { listRecipients, type MailedMode, type MemberOf, takeNews } from './digest.queries.ts'
import * as mailing from './mailing.queries.ts'
import { deleteOldNotices } from './notices.queries.ts'
import type { UnsubscribeLinks } from './unsubscribe-link.ts'

export interface NotificationJobParts {
  readonly database: Database
  readonly links: UnsubscribeLinks
  readonly appUrl: string
}

const reason = 'members of every organisation are told'
const recipientsAtATime = 100
const againSeconds = 30
const keptDays = 90

/** Mails to members. Each is written in the transaction that notes it, so a job that runs twice writes it once. */
export function createNotificationJobs({ database, links, appUrl }: NotificationJobParts): Job[] {
  async function queueMail(
    tx: SystemTx,
    member: MemberOf,
    list: MailList,
    recipient: mailing.Recipient,
    feedbackIds: readonly string[],
    render: (frame: { appUrl: string; unsubscribeUrl: string; organizationName: string }) => RenderedMail,
  ): Promise<void> {
    const unsubscribeUrl = `${appUrl}/unsubscribe/${links.writeToken({ ...member, list })}`
    const { organizationName } = recipient
    const mail = render({ appUrl, unsubscribeUrl, organizationName })
    const { organizationId } = member
    await queueListedEmail(tx, { to: recipient.email, mail, unsubscribeUrl, organizationId, feedbackIds })
  }

  async function mailNews(mode: MailedMode, member: MemberOf): Promise<void> {
    await database.asSystem(reason, async (tx) => {
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
      const shown = projects.flatMap(({ items }) => items.map(({ id }) => id))
      await queueMail(tx, member, 'new_feedback', recipient, shown, (frame) => renderNewFeedback(projects, mode, frame))
      if (mode === 'instant') await mailing.countInstantMail(tx, member)
    })
  }

  async function mailAll(mode: MailedMode, organizationId?: string): Promise<void> {
    let after: MemberOf | undefined
    do {
      const page = await database.asSystem(reason, (tx) =>
        listRecipients(tx, mode, { ...(organizationId && { organizationId }), after, limit: recipientsAtATime }),
      )
      for (const member of page) await mailNews(mode, member)
      after = page.length < recipientsAtATime ? undefined : page.at(-1)
    } while (after)
  }

  const mailNotices = defineJob('mail_notices', Type.Object({ organizationId: Uuid, userId: Uuid }), async (member) => {
    await database.asSystem(reason, async (tx) => {
      const recipient = await mailing.lockRecipient(tx, member)
      if (recipient && recipient.waitSeconds > 0) {
        const key = `mail_notices:${member.organizationId}:${member.userId}`
        await mailing.enqueueAgain(tx, { name: 'mail_notices', payload: member, key, seconds: recipient.waitSeconds })
        return
      }
      const taken = await mailing.takeMailNotices(tx, member)
      if (!recipient || recipient.mutedMails.includes('personal') || taken.length === 0) return
      const notices = recipient.mailsHoldWords ? taken : taken.map((notice) => ({ ...notice, message: null }))
      const named = notices.map(({ id }) => id)
      await queueMail(tx, member, 'personal', recipient, named, (frame) => renderNotices(notices, frame))
      await mailing.countInstantMail(tx, member)
    })
  })

  const mailNewFeedback = defineJob(
    'mail_new_feedback',
    Type.Object({ organizationId: Uuid }),
    async ({ organizationId }) => {
      await mailAll('instant', organizationId)
      await database.asSystem(reason, async (tx) => {
        const waiting = await listRecipients(tx, 'instant', { organizationId, limit: 1, includeUnsettled: true })
        if (waiting.length === 0) return
        const key = `mail_new_feedback:${organizationId}`
        const payload = { organizationId }
        await mailing.enqueueAgain(tx, { name: 'mail_new_feedback', payload, key, seconds: againSeconds })
      })
    },
  )

  return [
    mailNotices as Job,
    mailNewFeedback as Job,
    defineCron('mail_hourly_digests', { at: '2 * * * *', catchUpHours: 2 }, () => mailAll('hourly')),
    // Everywhere it is eight o'clock at some quarter of an hour.
    defineCron('mail_daily_digests', { at: '*/15 * * * *', catchUpHours: 1 }, () => mailAll('daily')),
    defineCron('prune_notices', { at: '41 3 * * *', catchUpHours: 24 }, async () => {
      await deleteInBatches((limit) =>
        database.asSystem(reason, (tx) => deleteOldNotices(tx, { days: keptDays, limit })),
      )
    }),
  ]
}
