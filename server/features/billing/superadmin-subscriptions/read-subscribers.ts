import type { SubscriptionStatus } from '#contract/plans.ts'
import type { Subscriber, SubscriberBilling, SubscriberSort } from '#contract/superadmin-subscriptions.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { listPlans } from '../plans/plans.queries.ts'
import { readMirror } from '../stripe/mirror.queries.ts'
import { readSubscriberCursor, writeSubscriberCursor } from './subscriber-cursor.ts'
import * as queries from './subscribers.queries.ts'
import { toSubscriber, toSubscriberBilling } from './to-subscriber-billing.ts'

export interface SubscriberQuery {
  readonly search?: string
  readonly status?: SubscriptionStatus
  readonly planId?: string
  readonly sort?: SubscriberSort
  readonly cursor?: string
  readonly limit?: number
}

const pageSize = 50

const isTime = (value: string) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(value)
const valuesOf: Readonly<Record<SubscriberSort, (value: string) => boolean>> = {
  newest: isTime,
  oldest: isTime,
  name: () => true,
  revenue: (value) => /^\d{1,9}$/.test(value),
}

/** @throws ProductError `validation_failed` for a foreign cursor. */
export async function listSubscribers(
  tx: SystemTx,
  query: SubscriberQuery,
): Promise<{ items: Subscriber[]; count: number; nextCursor: string | null }> {
  const { search = '', status, planId, sort = 'newest', cursor, limit = pageSize } = query
  const filters = { search: search.trim().toLowerCase(), status, planId }
  const after = cursor === undefined ? undefined : readSubscriberCursor(cursor, valuesOf[sort])
  // One more than a page: whether there is a next.
  const found = await queries.listSubscribers(tx, filters, { sort, after, limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(toSubscriber),
    count: await queries.countSubscribers(tx, filters),
    nextCursor: found.length > limit && last ? writeSubscriberCursor(last) : null,
  }
}

/** @throws ProductError `organization_not_found`. */
export async function readSubscriber(tx: SystemTx, organizationId: string): Promise<SubscriberBilling> {
  const row = await queries.findSubscriber(tx, organizationId)
  if (!row) throw new ProductError('organization_not_found')
  const plans = await listPlans(tx)
  return toSubscriberBilling({
    row,
    mirror: await readMirror(tx, organizationId),
    grant: await queries.findGrantDetails(tx, organizationId),
    customer: await queries.findCustomer(tx, organizationId),
    plans: new Map(plans.map(({ id, key, name }) => [id, { id, key, name }])),
  })
}
