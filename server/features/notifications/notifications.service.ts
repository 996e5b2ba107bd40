import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import { enqueueInstantMails, insertNotices } from './notices.queries.ts'

/** Something that concerns one member. */
export interface Notice {
  readonly userId: string
  readonly kind: 'assigned' | 'mentioned' | 'visitor_replied'
  readonly feedbackId: string
  /** Who did it; null: a visitor. Where somebody is signed in it is always them. */
  readonly actorUserId: string | null
  /** How many items were changed together, `feedbackId` being one of them. Default: 1. */
  readonly itemCount?: number
}

/**
 * Tells members what concerns them, in the caller's transaction: in the app at once, by mail some seconds later, each
 * as they prefer. Nobody is told what they did themselves. One that is recorded twice is told twice: record it where
 * the thing itself is written.
 */
export async function recordNotices(
  tx: TenantTx | SystemTx,
  organizationId: string,
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length > 0) await insertNotices(tx, organizationId, notices)
}

/**
 * Sees to it that members who want new feedback mailed at once get it. The mails themselves are found by time, so that
 * nothing here grows with members or items, and running it twice does no harm.
 */
export async function noteNewFeedback(
  tx: SystemTx,
  items: readonly { readonly organizationId: string }[],
): Promise<void> {
  await enqueueInstantMails(tx, [...new Set(items.map(({ organizationId }) => organizationId))])
}
