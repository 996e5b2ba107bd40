import { maxCommentLength } from '#contract/conversation.ts'
import type { NewAnswer, VisitorConversation, VisitorMessage } from '#contract/visitor-conversation.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { createSharedLimit } from '#server/platform/limits/shared-limit.ts'
import { cleanText } from '#server/platform/text/clean-text.ts'
import * as queries from './answers.queries.ts'
import type { ConversationLinks, ConversationOf } from './conversation-link.ts'

/** A conversation from the visitor's side. */
export interface Answers {
  /** @throws ProductError `conversation_not_found`: forged, or the item is gone or thrown away. */
  get(token: string): Promise<VisitorConversation>
  /**
   * Adds the visitor's answer. The same again gives the same answer and writes nothing.
   *
   * @throws ProductError `conversation_not_found`, `id_reused`, `rate_limited`, `validation_failed` when it says nothing.
   */
  add(token: string, answer: NewAnswer): Promise<{ message: VisitorMessage; isNew: boolean }>
}

const hourMs = 3_600_000
// One conversation is one person writing by hand.
const answersPerHour = 30
const reason = 'a visitor holds the signed link to this conversation'

export function createAnswers({ database, links }: { database: Database; links: ConversationLinks }): Answers {
  const limit = createSharedLimit({ name: 'answer', capacity: answersPerHour, refillMs: hourMs }, database)

  function read(token: string): ConversationOf {
    const of = links.readToken(token)
    if (!of) throw new ProductError('conversation_not_found')
    return of
  }

  return {
    async get(token) {
      const of = read(token)
      const conversation = await database.asSystem(reason, (tx) => queries.findConversation(tx, of))
      if (!conversation) throw new ProductError('conversation_not_found')
      return conversation
    },

    async add(token, { id: givenId, text: typed = '', solved = null }) {
      const of = read(token)
      const text = cleanText(typed).trim()
      if (text === '' && solved === null) throw invalid('body.text', 'must not be blank')
      if ([...text].length > maxCommentLength) {
        throw invalid('body.text', `must have at most ${maxCommentLength} characters`)
      }
      const retryAfterSeconds = await limit.take(of.feedbackId)
      if (retryAfterSeconds !== undefined) throw new ProductError('rate_limited', { retryAfterSeconds })
      const id = givenId.toLowerCase()
      return database.asSystem(reason, async (tx) => {
        const place = await queries.lockConversation(tx, of)
        if (!place) throw new ProductError('conversation_not_found')
        const isNew = await queries.insertAnswer(tx, of, { id, text, solved })
        const message = await queries.findAnswer(tx, of, id)
        if (!message || message.text !== text || message.solved !== solved) throw new ProductError('id_reused')
        if (isNew) {
          if (solved !== true) await queries.reopenFeedback(tx, of.organizationId, place.topId)
          const concernedUserIds = await queries.listConcerned(tx, of, place.topId)
          await recordEvent(tx, {
            organizationId: of.organizationId,
            name: 'feedback.answered',
            ids: [...new Set([of.feedbackId, place.topId])],
            payload: { commentId: id, itemId: place.topId, concernedUserIds },
          })
        }
        return { message, isNew }
      })
    },
  }
}
