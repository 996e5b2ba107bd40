import { v5 as uuidV5 } from 'uuid'
import type { AnyEvent } from '#contract/events.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { defineSubscriber, type QueuedSubscriber } from '#server/platform/events/subscriber.ts'
import { queueEmailOnce, renderPaymentNews, renderSubscriptionNews } from '../mail/mail.service.ts'
import { type BillingNews, findBillingNews } from './find-billing-news.ts'
import { listOwnerAddresses } from './mailing.queries.ts'

const names = [
  'subscription.changed',
  'subscription.started',
  'subscription.upgraded',
  'subscription.downgraded',
  'subscription.cancelled',
  'subscription.reactivated',
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
] as const
const reason = 'owners are told what happens to their plan and its payments'

/**
 * Emails every owner about the plan and its payments. These emails can't be muted: they are about money. An event whose
 * job is retried makes the same ids, so that no one is told twice.
 */
export function createBillingMailSubscriber({
  database,
  appUrl,
}: {
  database: Database
  appUrl: string
}): QueuedSubscriber {
  return defineSubscriber('mail_billing', names, async (events) => {
    for (const event of events) await database.asSystem(reason, (tx) => tell(tx, appUrl, event))
  })
}

async function tell(tx: SystemTx, appUrl: string, event: AnyEvent<(typeof names)[number]>): Promise<void> {
  const news = await findBillingNews(tx, event)
  if (news.length === 0) return
  const { organizationId } = event
  for (const { userId, email, organizationName } of await listOwnerAddresses(tx, organizationId)) {
    for (const [index, each] of news.entries()) {
      const mail = render(each, { appUrl, organizationName })
      const id = uuidV5(`${userId} ${index}`, event.id)
      await queueEmailOnce(tx, { id, to: email, mail, organizationId, feedbackId: null })
    }
  }
}

function render(news: BillingNews, frame: { appUrl: string; organizationName: string }) {
  return 'payment' in news ? renderPaymentNews(news.payment, frame) : renderSubscriptionNews(news.subscription, frame)
}
