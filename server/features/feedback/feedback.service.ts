import type { FeedbackChange, FeedbackDetail, FeedbackListItem } from '#contract/feedback.ts'
import { defaultLocation } from '#contract/filters.ts'
import type { FeedbackQuery, FeedbackSelection, groupFeedback, InboxGrouping, InboxStage } from '#contract/inbox.ts'
import type { ReplyOf } from '#contract/route.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { sendLiveMessage } from '#server/platform/events/live-channel.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Files } from '../files/files.service.ts'
import { countInbox, type FeedbackCounts } from './counts.queries.ts'
import { readCursor, writeCursor } from './feedback.cursor.ts'
import { findFeedback, holdMember, lockFeedback, updateFeedback } from './feedback.queries.ts'
import { countGroups } from './group-counts.queries.ts'
import { countMatches, listFeedback } from './inbox-page.queries.ts'
import { markRead } from './reads.queries.ts'
import { findSearch } from './search.queries.ts'
import { checkSnooze } from './snooze.ts'
import { trimTags } from './tags.ts'

const defaultPageSize = 50

export interface Feedback {
  list(
    actor: Actor,
    organizationId: string,
    query: FeedbackQuery,
  ): Promise<{ items: FeedbackListItem[]; nextCursor: string | null; similarWords: Record<string, string[]> }>
  count(
    actor: Actor,
    organizationId: string,
    query: Pick<FeedbackSelection, 'location' | 'projectId'> & { stage?: InboxStage },
  ): Promise<FeedbackCounts>
  /** How many items a selection has, at most `matchLimit`. */
  countMatches(actor: Actor, organizationId: string, selection: FeedbackSelection): Promise<number>
  /** @throws ProductError `validation_failed` for a time zone that does not exist. */
  countGroups(
    actor: Actor,
    organizationId: string,
    query: FeedbackSelection & { by: InboxGrouping; timeZone?: string },
  ): Promise<ReplyOf<typeof groupFeedback>>
  /** @throws ProductError `feedback_not_found`. */
  get(actor: Actor, organizationId: string, id: string): Promise<FeedbackDetail>
  /**
   * Changes the given fields only. With a version, refuses to overwrite a newer change.
   *
   * @throws ProductError `feedback_not_found`, `member_not_found`, `edit_conflict`, `validation_failed`.
   */
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
      const { cursor, limit = defaultPageSize, sort = 'newest', ...selection } = query
      const { q } = selection
      const after = cursor === undefined ? undefined : readCursor(cursor, sort)
      return database.withTenant(actor, async (tx) => {
        const search = q === undefined ? undefined : await findSearch(tx, organizationId, q)
        // The search text contains only punctuation: nothing can match.
        if (q !== undefined && q.trim() !== '' && !search) return { items: [], nextCursor: null, similarWords: {} }
        const searchQuery = search?.query
        const own = { selection, searchQuery, sort, after, limit: limit + 1 }
        const { items, cursors } = await listFeedback(tx, organizationId, own)
        const last = cursors[limit - 1]
        return {
          items: items.slice(0, limit),
          nextCursor: cursors.length > limit && last ? writeCursor(last) : null,
          similarWords: search?.similarWords ?? {},
        }
      })
    },

    count: (actor, organizationId, { location = defaultLocation, stage, projectId: projectIds }) =>
      database.withTenant(actor, (tx) => countInbox(tx, organizationId, { location, stage, projectIds })),

    countMatches: (actor, organizationId, selection) =>
      database.withTenant(actor, async (tx) => {
        const { q } = selection
        const search = q === undefined ? undefined : await findSearch(tx, organizationId, q)
        if (q !== undefined && q.trim() !== '' && !search) return 0
        return countMatches(tx, organizationId, { selection, searchQuery: search?.query })
      }),

    countGroups: (actor, organizationId, { by, timeZone = 'UTC', ...selection }) => {
      checkTimeZone(timeZone)
      return database.withTenant(actor, async (tx) => {
        const { q } = selection
        const search = q === undefined ? undefined : await findSearch(tx, organizationId, q)
        if (q !== undefined && q.trim() !== '' && !search) return { groups: [], isComplete: true }
        return countGroups(tx, organizationId, { selection, searchQuery: search?.query, by, timeZone })
      })
    },

    get: (actor, organizationId, id) => database.withTenant(actor, (tx) => getFeedback(tx, organizationId, id)),

    update: (actor, organizationId, id, change) =>
      database.withTenant(actor, async (tx) => {
        const assigneeId = change.assigneeId?.toLowerCase()
        if (assigneeId && !(await holdMember(tx, organizationId, assigneeId)))
          throw new ProductError('member_not_found')
        const locked = await lockFeedback(tx, organizationId, id)
        if (!locked) throw new ProductError('feedback_not_found')
        if (change.version !== undefined && change.version !== locked.version) throw new ProductError('edit_conflict')
        checkClosedReason(change, locked.status)
        checkSnooze(change.snoozedUntil, 'body.snoozedUntil')
        const tags = change.tags && trimTags(change.tags, 'body.tags')
        const isChanged = await updateFeedback(tx, organizationId, id, { ...change, ...(tags && { tags }) })
        if (isChanged && assigneeId && assigneeId !== locked.assigneeId) {
          const payload = { assigneeUserId: assigneeId, itemCount: 1 }
          await recordEvent(tx, { organizationId, name: 'feedback.assigned', ids: [id], payload })
        }
        if (change.viewed !== undefined) {
          const readIds = await markRead(tx, organizationId, [id], change.viewed)
          // The member's other tabs follow. A change of the item itself announces itself.
          if (readIds.length > 0 && !isChanged)
            await sendLiveMessage(tx, organizationId, { kind: 'feedback.updated', ids: readIds })
        }
        return getFeedback(tx, organizationId, id)
      }),
  }
}

function checkClosedReason(change: FeedbackChange, statusNow: FeedbackDetail['status']): void {
  if (change.closedReason === undefined || (change.status ?? statusNow) === 'closed') return
  throw invalid('body.closedReason', 'needs the status closed')
}

function checkTimeZone(name: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    throw invalid('query.timeZone', 'is not a known time zone')
  }
}
