import type { AnalyticsProperties, DomainAnalyticsName } from '#contract/analytics-events.ts'
import type { AnyEvent, PayloadOf } from '#contract/events.ts'
import type { CountedItem } from './items.queries.ts'

/** Something that a domain event stands for. */
export interface Counted<N extends DomainAnalyticsName = DomainAnalyticsName> {
  readonly name: N
  readonly properties: AnalyticsProperties<N>
  /** Tells several of one event and name apart. */
  readonly part: string
}

type Items = ReadonlyMap<string, CountedItem>

/** What product analytics counts of an event. Items that were deleted meanwhile are not counted. */
export function describeEvent(event: AnyEvent, items: Items): Counted[] {
  switch (event.name) {
    case 'trial.started':
      return [count('trial_started', { ends_at: event.payload.endsAt })]
    case 'trial.expiring':
      return [count('trial_expiring', { days_left: event.payload.daysLeft })]
    case 'trial.ended':
      return [count('trial_ended', { reason: event.payload.reason })]
    case 'subscription.started':
    case 'subscription.reactivated':
    case 'subscription.upgraded':
    case 'subscription.downgraded':
    case 'subscription.cancelled':
    case 'payment.succeeded':
    case 'payment.failed':
      return describeBilling(event)
    case 'member.invited':
      return event.ids.map((id) => count('team_member_invited', { role: event.payload.role }, id))
    case 'member.joined':
      return event.payload.members.map(({ role, userId }) => count('team_member_joined', { role }, userId))
    case 'member.removed':
      return event.payload.members.map(({ role, userId }) => count('team_member_removed', { role }, userId))
    case 'member.role_changed':
      return event.payload.members.map(({ from, to, userId }) =>
        count('team_role_changed', { role: to, from_role: from }, userId),
      )
    case 'export.completed':
      return [count('feedback_exported', event.payload)]
    case 'notification.preferences_updated':
      return [count('notification_preferences_updated', {})]
    default:
      return [...describeProject(event), ...describeFeedback(event, items)]
  }
}

type BillingEvent = AnyEvent<
  | 'subscription.started'
  | 'subscription.reactivated'
  | 'subscription.upgraded'
  | 'subscription.downgraded'
  | 'subscription.cancelled'
  | 'payment.succeeded'
  | 'payment.failed'
>

function describeBilling(event: BillingEvent): Counted[] {
  switch (event.name) {
    case 'subscription.started':
      return event.payload.subscriptions.map((each) => count('subscription_started', toPlan(each), each.subscriptionId))
    case 'subscription.reactivated':
      return event.payload.subscriptions.map((each) =>
        count('subscription_reactivated', toPlan(each), each.subscriptionId),
      )
    case 'subscription.upgraded':
      return event.payload.subscriptions.map((each) =>
        count('subscription_upgraded', toPlanChange(each), each.subscriptionId),
      )
    case 'subscription.downgraded':
      return event.payload.subscriptions.map((each) =>
        count('subscription_downgraded', toPlanChange(each), each.subscriptionId),
      )
    case 'subscription.cancelled':
      return event.payload.subscriptions.map((each) =>
        count('subscription_cancelled', { ...toPlan(each), reason: each.reason }, each.subscriptionId),
      )
    case 'payment.succeeded':
      return event.payload.payments.map((each) => {
        const items = each.items.map(({ name, category, quantity, price }) => ({
          item_name: name,
          item_category: category,
          price: price / 100,
          quantity,
        }))
        return count('payment_succeeded', { ...toPurchase(each), items }, each.transactionId)
      })
    case 'payment.failed':
      return event.payload.payments.map((each) =>
        count('payment_failed', { ...toPurchase(each), error: each.error }, each.transactionId),
      )
  }
}

type PlanChange = PayloadOf<'subscription.upgraded'>['subscriptions'][number]
type Purchase = PayloadOf<'payment.failed'>['payments'][number]

function toPlan({ plan, price, interval, currency }: Pick<Purchase, 'plan' | 'price' | 'interval' | 'currency'>) {
  return { plan, price: price / 100, interval, currency }
}

function toPlanChange(change: PlanChange) {
  return { ...toPlan(change), from_plan: change.from.plan, from_price: change.from.price / 100 }
}

function toPurchase(purchase: Omit<Purchase, 'error'>) {
  return { ...toPlan(purchase), transaction_id: purchase.transactionId, coupon: purchase.coupon }
}

/** Changes of these are no configuration. */
const plainFields = new Set(['name', 'archived'])

function describeProject(event: AnyEvent): Counted[] {
  const [id = ''] = event.ids
  const project = { project_id: id }
  switch (event.name) {
    case 'project.created':
      return [count('project_created', project)]
    case 'project.updated': {
      const fields = Object.keys(event.payload.after)
      const configured = fields.filter((field) => !plainFields.has(field))
      return [
        count('project_updated', { ...project, fields }),
        ...(configured.length > 0 ? [count('project_configured', { ...project, fields: configured })] : []),
      ]
    }
    case 'project.deleted':
      return [count('project_deleted', { ...project, items: event.payload.items })]
    case 'widget.installed':
      return event.ids.map((each) => count('widget_installed', { project_id: each }, each))
    case 'widget.activated':
      return [count('widget_activated', project)]
    case 'widget.deactivated':
      return [count('widget_deactivated', project)]
    case 'widget.configured': {
      const { action, fields = [] } = event.payload
      return [count('widget_configured', { ...project, action, fields })]
    }
    default:
      return []
  }
}

function describeFeedback(event: AnyEvent, items: Items): Counted[] {
  switch (event.name) {
    case 'feedback.created':
      // Of an item that was locked, its arrival was counted then.
      return forItems(event.ids, items, (item) => (item.wasLocked ? [] : describeArrival(item)))
    case 'feedback.locked':
      return forItems(event.ids, items, describeArrival)
    case 'feedback.status_changed':
      return event.payload.changes.flatMap(({ id, from, to }) =>
        forItems([id], items, (item) => [
          count('feedback_status_changed', { ...toProperties(item), status: to, from_status: from }, id),
        ]),
      )
    case 'feedback.updated':
      if (!event.payload.fields.includes('viewed')) return []
      return forItems(event.ids, items, (item) => [count('feedback_viewed', toProperties(item), item.id)])
    case 'feedback.commented':
    case 'feedback.replied': {
      const kind = event.name === 'feedback.replied' ? 'reply' : 'note'
      return forItems(event.ids, items, (item) => [
        count('feedback_commented', { ...toProperties(item), kind }, item.id),
      ])
    }
    default:
      return []
  }
}

function describeArrival(item: CountedItem): Counted[] {
  const received = count('feedback_received', toProperties(item), item.id)
  if (item.source !== 'widget') return [received]
  return [
    received,
    count('widget_feedback_submitted', toProperties(item), item.id),
    ...item.media.map((media) =>
      count('widget_media_captured', { ...toProperties(item), media }, `${item.id} ${media}`),
    ),
  ]
}

function forItems(ids: readonly string[], items: Items, countItem: (item: CountedItem) => Counted[]): Counted[] {
  return ids.flatMap((id) => {
    const item = items.get(id)
    return item ? countItem(item) : []
  })
}

function toProperties({ id, projectId, type, source, status }: CountedItem) {
  return { feedback_id: id, project_id: projectId, type, source, status }
}

function count<N extends DomainAnalyticsName>(name: N, properties: AnalyticsProperties<N>, part = ''): Counted<N> {
  return { name, properties, part }
}
