import type { FeedbackChange, FeedbackDetail, FeedbackListItem, FeedbackNotice } from '#contract/feedback.ts'
import type { FeedbackQuery } from '#contract/inbox.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Files } from '../files/files.service.ts'
import { readCursor, writeCursor } from './feedback.cursor.ts'
import { findFeedback, notifyFeedbackChanged, updateFeedback } from './feedback.queries.ts'
import { listFeedback } from './inbox-page.queries.ts'
import { toSearchQuery } from './search-query.ts'

const defaultPageSize = 50

export interface Feedback {
  list(
    actor: Actor,
    organizationId: string,
    query: FeedbackQuery,
  ): Promise<{ items: FeedbackListItem[]; nextCursor: string | null; similarWords: Record<string, string[]> }>
  /** @throws ProductError `feedback_not_found`. */
  get(actor: Actor, organizationId: string, id: string): Promise<FeedbackDetail>
  /** @throws ProductError `feedback_not_found`, `edit_conflict`, `validation_failed`. */
  update(actor: Actor, organizationId: string, id: string, change: FeedbackChange): Promise<FeedbackDetail>
}

export function createFeedback(database: Database, files: Files): Feedback {
  async function getFeedback(tx: TenantTx, organizationId: string, id: string): Promise<FeedbackDetail> {
    const item = await findFeedback(tx, organizationId, id)
    if (!item) throw new ProductError('feedback_not_found')
    const attachments = await files.listAttachments(tx, organizationId, [id])
    return { ...item, attachments: attachments.get(id) ?? [] }
  }

  return {
    list: async (actor, organizationId, query) => {
      const { q, cursor, limit = defaultPageSize, ...filters } = query
      const after = cursor === undefined ? undefined : readCursor(cursor)
      const searchQuery = q === undefined ? undefined : toSearchQuery(q)
      // Words were asked for and the text holds none (only signs): nothing can match.
      if (q !== undefined && q.trim() !== '' && searchQuery === undefined)
        return { items: [], nextCursor: null, similarWords: {} }
      const found = await database.withTenant(actor, (tx) =>
        listFeedback(tx, organizationId, filters, searchQuery, after, limit + 1),
      )
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return {
        items: page.map(({ item }) => item),
        nextCursor: found.length > limit && last ? writeCursor(last.place) : null,
        similarWords: {},
      }
    },

    get: (actor, organizationId, id) => database.withTenant(actor, (tx) => getFeedback(tx, organizationId, id)),

    update: async (actor, organizationId, id, change) =>
      database.withTenant(actor, async (tx) => {
        const before = await getFeedback(tx, organizationId, id)
        checkClosedReason(change, before)
        const version = await updateFeedback(tx, organizationId, id, change)
        if (version === undefined) throw new ProductError('edit_conflict')
        const after = await getFeedback(tx, organizationId, id)
        if (after.version !== before.version || after.firstViewedAt !== before.firstViewedAt) {
          await notifyFeedbackChanged(tx, toNotice(organizationId, { kind: 'feedback.updated', ids: [id] }))
        }
        return after
      }),
  }
}

/** The text of a notice between servers: which organisation's followers are told what. */
export function toNotice(organizationId: string, notice: FeedbackNotice): string {
  return JSON.stringify({ organizationId, ...notice })
}

function checkClosedReason(change: FeedbackChange, before: FeedbackDetail): void {
  if (change.closedReason === undefined || (change.status ?? before.status) === 'closed') return
  throw invalid('body.closedReason', 'needs the status closed')
}

function invalid(path: string, message: string): ProductError {
  return new ProductError('validation_failed', { fields: [{ path, message }] })
}
