import type { Subscriber, SubscriberBilling, SubscriberFilters } from '#contract/superadmin-subscriptions.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { CsvDownload } from '#server/platform/events/csv-download.ts'
import { askStripe } from '../stripe/ask-stripe.ts'
import type { StripeAccess } from '../stripe/stripe-access.ts'
import { exportSubscribers } from './export-subscribers.ts'
import { createGrants, type GrantActs } from './grant-plans.ts'
import { listSubscribers, readSubscriber, type SubscriberQuery } from './read-subscribers.ts'
import { createSubscriptionActs, type SubscriptionActs } from './subscription-acts.ts'

/**
 * The subscriptions of all organisations, for superadmins. Every act is in the organisation's audit log, with who and why;
 * one at Stripe before it is asked, so that none is missing there when the answer gets lost. All throw ProductError
 * `organization_not_found`; acts at Stripe `payments_unavailable` within 10 s when it doesn't answer.
 */
export interface SuperadminSubscriptions extends GrantActs, SubscriptionActs {
  list(query: SubscriberQuery): Promise<{ items: Subscriber[]; count: number; nextCursor: string | null }>
  read(organizationId: string): Promise<SubscriberBilling>
  export(filters: SubscriberFilters): Promise<CsvDownload>
}

const reason = 'superadmins manage the subscriptions of all organisations'

export function createSuperadminSubscriptions(database: Database, stripe: StripeAccess): SuperadminSubscriptions {
  const acts = createSubscriptionActs(database, stripe)
  return {
    list: (query) => database.asSystem(reason, (tx) => listSubscribers(tx, query)),
    read: (organizationId) => database.asSystem(reason, (tx) => readSubscriber(tx, organizationId)),
    export: (filters) => exportSubscribers(database, filters),
    ...createGrants(database),
    // Several calls each: together they end in time.
    changePlan: (...act) => askStripe(() => acts.changePlan(...act)),
    cancel: (...act) => askStripe(() => acts.cancel(...act)),
    refund: (...act) => askStripe(() => acts.refund(...act)),
  }
}
