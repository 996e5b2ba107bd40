import { type ContactMessage, sendContactMessage } from '#contract/contact.ts'
import * as overview from '#contract/superadmin-overview.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import type { Feature } from '#server/platform/feature.ts'
import { addRoute, answer, spend } from '#server/platform/http/add-route.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { rateKeyOf } from '#server/platform/http/token-buckets.ts'
import { deleteInBatches } from '#server/platform/jobs/delete-in-batches.ts'
import { defineCron } from '#server/platform/jobs/job.ts'
import type { Platform } from '#server/platform/platform.ts'
import { queueAnswerableEmail, renderContactMessage } from '../mail/mail.service.ts'
import {
  deleteOldMessages,
  findSuperadminEmail,
  insertMessage,
  listOpenMessages,
  markMessage,
} from './contact.queries.ts'

function noteMark(tx: SystemTx, targetId: string, targetName: string, isAnswered: boolean): Promise<void> {
  const action = isAnswered ? 'contact_message.answered' : 'contact_message.reopened'
  return writeInstanceEntry(tx, { action, targetType: 'contact_message', targetId, targetName, after: {} })
}

const keptDays = 400
const hourMs = 3_600_000
const perSenderAndHour = 10
/** More than an operator reads; further messages are stored alone. */
const mailsPerDay = 100
/** From all senders together: strangers with many addresses fill no disk. */
const messagesPerDay = 1_000
const messagesAtOnce = 50

/**
 * The contact form. A message is stored, and its email to the operator queued, in one transaction. No email ever goes to the
 * address that the sender gives, so that the form can't be used to send mail to others.
 */
export function createContactFeature({ buckets, config, database }: Platform): Feature {
  const { appUrl, site } = config

  async function keep({ website = '', ...message }: ContactMessage, mayMail: () => boolean): Promise<void> {
    const isSpam = website.trim() !== ''
    await database.asSystem('anyone may write to the operator', async (tx) => {
      const isNew = await insertMessage(tx, { ...message, isSpam })
      if (!isNew || isSpam || !mayMail()) return
      const operator = site.contactEmail ?? (await findSuperadminEmail(tx))
      if (operator === undefined) return
      const mail = renderContactMessage({ ...message, appUrl })
      await queueAnswerableEmail(tx, { to: operator, mail, replyTo: message.email })
    })
  }

  return {
    name: 'contact',
    routes: (app) => {
      const senders = buckets.create({ name: 'contact', capacity: perSenderAndHour, refillMs: hourMs })
      const messages = buckets.create({ name: 'contact_messages', capacity: messagesPerDay, refillMs: 24 * hourMs })
      const mails = buckets.create({ name: 'contact_mails', capacity: mailsPerDay, refillMs: 24 * hourMs })
      addRoute(app, sendContactMessage, async ({ body, request }) => {
        spend(senders, rateKeyOf(request.ip))
        spend(messages, 'all')
        await keep(body, () => mails.take('all') === undefined)
        // A program that filled in the hidden field is told nothing else.
        return answer(202, { id: body.id })
      })
      addRoute(app, overview.listOpenMessages, async () => {
        const { rows, count } = await database.asSystem('superadmins read messages to the operator', (tx) =>
          listOpenMessages(tx, messagesAtOnce),
        )
        const items = rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
        return answer(200, { items, count })
      })
      addRoute(app, overview.markMessage, async ({ params, body, caller }) => {
        const { messageId: id } = params
        const marked = await database.asSystem('superadmins answer messages to the operator', async (tx) => {
          const message = await markMessage(tx, { id, isAnswered: body.answered, userId: caller.actor.userId })
          if (message?.hasChanged) await noteMark(tx, id, message.email, body.answered)
          return message
        })
        if (!marked) throw new ProductError('message_not_found')
        return answer(200, { answeredAt: marked.answeredAt?.toISOString() ?? null })
      })
    },
    jobs: () => [
      defineCron('prune_contact_messages', { at: '43 3 * * *', catchUpHours: 24 }, async () => {
        await deleteInBatches((limit) =>
          database.asSystem('messages of everyone expire', (tx) => deleteOldMessages(tx, keptDays, limit)),
        )
      }),
    ],
  }
}
