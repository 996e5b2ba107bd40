import { v7 as uuidV7 } from 'uuid'
import { type FeedbackComment, maxMentions, mentionPattern, type NewComment } from '#contract/conversation.ts'
import { renderConversationReply } from '#server/features/mail/mail.service.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { SharedLimit } from '#server/platform/limits/shared-limit.ts'
import { isEmailAddress } from '#server/platform/mail/address.ts'
import * as queries from '../comments.queries.ts'
import type { ConversationLinks } from './conversation-link.ts'
import { toSenderName } from './sender-name.ts'

export interface Comments {
  /**
   * Adds a note, or a reply that the visitor gets by email. A retry gives the same answer; it writes and sends nothing.
   *
   * @throws ProductError `feedback_not_found`, `id_reused`, `item_in_trash` for a reply to a deleted item,
   *   `member_not_found` for a mention of a non-member, `validation_failed` for a blank text, `rate_limited`.
   */
  add(
    actor: Actor,
    organizationId: string,
    feedbackId: string,
    comment: NewComment,
  ): Promise<{ comment: FeedbackComment; isNew: boolean }>
}

export interface CommentParts {
  readonly database: Database
  readonly links: ConversationLinks
  /** Emails to visitors, by organisation. */
  readonly limit: Pick<SharedLimit, 'take'>
  readonly appUrl: string
}

export function createComments({ database, links, limit, appUrl }: CommentParts): Comments {
  async function queueReply(
    tx: TenantTx,
    reply: { organizationId: string; feedbackId: string; commentId: string; text: string },
    subject: NonNullable<Awaited<ReturnType<typeof queries.findReplySubject>>>,
  ): Promise<void> {
    const { organizationId, feedbackId, commentId, text } = reply
    const { visitorEmail, projectName } = subject
    if (visitorEmail === null || !isEmailAddress(visitorEmail)) {
      return queries.markReplyUnsent(tx, organizationId, commentId)
    }
    const link = `${appUrl}/conversation/${links.writeToken({ organizationId, feedbackId })}`
    const mail = renderConversationReply({ ...subject, appUrl, link, text })
    const senderName = toSenderName(projectName)
    await queries.queueReplyMail(tx, { organizationId, commentId, emailId: uuidV7(), senderName }, mail)
  }

  return {
    async add(actor, organizationId, feedbackId, { id, kind, text: typed }) {
      const text = typed.trim()
      if (text === '') throw invalid('body.text', 'must not be blank')
      const mentions = kind === 'note' ? readMentions(text) : []
      if (mentions.length > maxMentions) throw invalid('body.text', `must mention at most ${maxMentions} people`)
      if (kind === 'reply') {
        const retryAfterSeconds = await limit.take(organizationId)
        if (retryAfterSeconds !== undefined) throw new ProductError('rate_limited', { retryAfterSeconds })
      }
      return database.withTenant(actor, async (tx) => {
        const subject = await queries.findReplySubject(tx, organizationId, feedbackId, actor.userId)
        if (!subject) throw new ProductError('feedback_not_found')
        const own = { organizationId, feedbackId, authorUserId: actor.userId, id: id.toLowerCase() }
        const isNew = await queries.insertComment(tx, { ...own, kind, text, mentions })
        if (isNew) {
          // The link in the email would lead to nothing.
          if (kind === 'reply' && subject.isInTrash) throw new ProductError('item_in_trash')
          await checkMembers(tx, organizationId, mentions)
          const event = { organizationId, ids: [feedbackId] } as const
          if (kind === 'reply') {
            await queueReply(tx, { organizationId, feedbackId, commentId: own.id, text }, subject)
            await recordEvent(tx, { ...event, name: 'feedback.replied', payload: { commentId: own.id } })
          } else {
            const payload = { commentId: own.id, mentionedUserIds: mentions }
            await recordEvent(tx, { ...event, name: 'feedback.commented', payload })
          }
        }
        const comment = await queries.findOwnComment(tx, own)
        if (!comment || comment.kind !== kind || comment.text !== text) throw new ProductError('id_reused')
        return { comment, isNew }
      })
    },
  }
}

/** Ids of the mentioned members, each once. */
function readMentions(text: string): string[] {
  return [...new Set([...text.matchAll(mentionPattern)].map(([, id = '']) => id.toLowerCase()))]
}

async function checkMembers(tx: TenantTx, organizationId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  const members = await queries.findMembers(tx, organizationId, userIds)
  if (members.length < userIds.length) {
    throw new ProductError('member_not_found', { detail: 'Only members of the organisation can be mentioned.' })
  }
}
