import Type from 'typebox'
import { v7 as uuidV7 } from 'uuid'
import type { Database } from '#server/platform/database/database.ts'
import { defineSubscriber, type Subscriber } from '#server/platform/events/subscriber.ts'
import { defineJob, type Job } from '#server/platform/jobs/job.ts'
import type { SharedLimit } from '#server/platform/limits/shared-limit.ts'
import { isEmailAddress } from '#server/platform/mail/address.ts'
import { renderFeedbackResolved } from '../../mail/mail.service.ts'
import type { ConversationLinks } from './conversation-link.ts'
import { listUntold, noteTold, postponeResolutions, queueResolutionMail } from './resolutions.queries.ts'
import { toSenderName } from './sender-name.ts'

export interface ResolutionParts {
  readonly database: Database
  readonly links: ConversationLinks
  /** Emails to visitors, by organisation: replies count as well. */
  readonly limit: Pick<SharedLimit, 'take' | 'giveBack'>
  readonly appUrl: string
}

const reason = 'visitors of every organisation are told that their feedback is resolved'
const Resolved = Type.Object({ organizationId: Type.String(), ids: Type.Array(Type.String()) })

/**
 * Emails visitors when their feedback is resolved, where its project says so: once for each item, resolved by anyone, and never
 * again after it was reopened. An item that is reopened within moments is left out.
 */
export function createResolutionEmails(parts: ResolutionParts): { subscriber: Subscriber; job: Job } {
  return {
    subscriber: defineSubscriber('email_resolutions', ['feedback.status_changed'], async (events) => {
      for (const { organizationId, payload } of events) {
        const ids = payload.changes.flatMap(({ id, to }) => (to === 'resolved' ? [id] : []))
        if (ids.length > 0) await emailVisitors(parts, organizationId, ids)
      }
    }),
    job: defineJob('email_resolutions', Resolved, ({ organizationId, ids }) =>
      emailVisitors(parts, organizationId, ids),
    ),
  }
}

async function emailVisitors(parts: ResolutionParts, organizationId: string, ids: readonly string[]): Promise<void> {
  const { database, limit } = parts
  const untold = await database.asSystem(reason, (tx) => listUntold(tx, organizationId, ids))
  const reachable = untold.filter(({ visitorEmail }) => isEmailAddress(visitorEmail))
  for (const [at, item] of reachable.entries()) {
    const seconds = await limit.take(organizationId)
    if (seconds !== undefined) {
      const left = reachable.slice(at).map(({ id }) => id)
      await database.asSystem(reason, (tx) => postponeResolutions(tx, { organizationId, ids: left, seconds }))
      return
    }
    if (!(await emailVisitor(parts, organizationId, item.id))) await limit.giveBack(organizationId)
  }
}

/** Note and email are one transaction. False: the visitor was told meanwhile, or the item was reopened. */
async function emailVisitor(
  { database, links, appUrl }: ResolutionParts,
  organizationId: string,
  feedbackId: string,
): Promise<boolean> {
  return database.asSystem(reason, async (tx) => {
    const item = (await listUntold(tx, organizationId, [feedbackId])).find(({ id }) => id === feedbackId)
    if (!item || !(await noteTold(tx, organizationId, feedbackId))) return false
    const link = `${appUrl}/conversation/${links.writeToken({ organizationId, feedbackId })}`
    const sent = { organizationId, feedbackId, emailId: uuidV7(), to: item.visitorEmail }
    const mail = renderFeedbackResolved({ ...item, appUrl, link })
    await queueResolutionMail(tx, { ...sent, senderName: toSenderName(item.projectName) }, mail)
    return true
  })
}
