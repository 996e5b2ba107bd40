import Type, { type Static, type TObject } from 'typebox'
import { nullable } from './nullable.ts'

/*
 * What product analytics counts: a table from each event to the place that fires it. Nothing is counted without the key of
 * an analytics service.
 */

interface AnalyticsEvent {
  /**
   * `browser`: the screen on which it happens. `server`: the domain event that stands for it (`contract/events.ts`), however
   * it was caused: by a screen, an API key, an agent or Stripe. `sum`: the server once a day, with the number of times.
   */
  readonly from: 'browser' | 'server' | 'sum'
  readonly when: string
  readonly properties: TObject
}

const define = <const T extends AnalyticsEvent>(event: T): T => event

const Attempt = Type.Object({ method: Type.String(), duration_ms: Type.Number() })

/** `price` in units of the currency, not in cents. */
const plan = { plan: Type.String(), price: Type.Number(), interval: nullable(Type.String()), currency: Type.String() }
const Plan = Type.Object(plan)
const PlanChange = Type.Object({ ...plan, from_plan: Type.String(), from_price: Type.Number() })
const purchase = { ...plan, transaction_id: Type.String(), coupon: nullable(Type.String()) }

/** Google's field names: a property called `name` is never sent. */
const PurchaseItem = Type.Object({
  /** `{plan} Plan`. */
  item_name: Type.String(),
  item_category: Type.Literal('Subscription'),
  price: Type.Number(),
  quantity: Type.Literal(1),
})

const project = { project_id: Type.String() }
const fields = { fields: Type.Array(Type.String()) }
const item = {
  feedback_id: Type.String(),
  ...project,
  type: Type.String(),
  source: Type.String(),
  status: Type.String(),
}
/** `day`: in UTC, as 2026-11-22. */
const Sum = Type.Object({ ...project, day: Type.String(), count: Type.Integer() })
const Role = Type.Object({ role: Type.String() })

export const analyticsEvents = {
  user_signed_up: define({ from: 'browser', when: 'Someone signed up.', properties: Attempt }),
  user_logged_in: define({ from: 'browser', when: 'Someone signed in.', properties: Attempt }),
  user_logged_out: define({ from: 'browser', when: 'Someone signed out.', properties: Type.Object({}) }),
  trial_started: define({
    from: 'server',
    when: 'A trial began.',
    properties: Type.Object({ ends_at: Type.String() }),
  }),
  trial_ended: define({
    from: 'server',
    when: 'A trial ended.',
    properties: Type.Object({ reason: Type.String() }),
  }),
  trial_expiring: define({
    from: 'server',
    when: 'A trial ends within 7, 3 or 1 days.',
    properties: Type.Object({ days_left: Type.Integer() }),
  }),
  subscription_started: define({ from: 'server', when: 'An organisation subscribed to a plan.', properties: Plan }),
  subscription_upgraded: define({ from: 'server', when: 'The plan became more expensive.', properties: PlanChange }),
  subscription_downgraded: define({ from: 'server', when: 'The plan became cheaper.', properties: PlanChange }),
  subscription_cancelled: define({
    from: 'server',
    when: 'A plan was cancelled.',
    properties: Type.Object({ ...plan, reason: nullable(Type.String()) }),
  }),
  subscription_reactivated: define({ from: 'server', when: 'A cancelled plan renews again.', properties: Plan }),
  payment_succeeded: define({
    from: 'server',
    when: 'An invoice was paid.',
    properties: Type.Object({ ...purchase, items: Type.Array(PurchaseItem) }),
  }),
  payment_failed: define({
    from: 'server',
    when: 'An attempt to pay an invoice failed.',
    properties: Type.Object({ ...purchase, error: Type.String() }),
  }),
  project_created: define({ from: 'server', when: 'A project was created.', properties: Type.Object(project) }),
  project_updated: define({
    from: 'server',
    when: 'A project was renamed, archived, unarchived or configured.',
    properties: Type.Object({ ...project, ...fields }),
  }),
  project_deleted: define({
    from: 'server',
    when: 'A project was deleted.',
    properties: Type.Object({ ...project, items: Type.Integer() }),
  }),
  project_configured: define({
    from: 'server',
    when: 'Domains, retention or visitor emails of a project changed.',
    properties: Type.Object({ ...project, ...fields }),
  }),
  feedback_received: define({ from: 'server', when: 'Feedback arrived.', properties: Type.Object(item) }),
  feedback_viewed: define({
    from: 'server',
    when: 'A member opened an item for the first time.',
    properties: Type.Object(item),
  }),
  feedback_status_changed: define({
    from: 'server',
    when: 'An item has another status.',
    properties: Type.Object({ ...item, from_status: Type.String() }),
  }),
  feedback_exported: define({
    from: 'server',
    when: 'An export is ready.',
    properties: Type.Object({ format: Type.String(), count: Type.Integer() }),
  }),
  feedback_commented: define({
    from: 'server',
    when: 'A member wrote a note or a reply.',
    properties: Type.Object({ ...item, kind: Type.Enum(['note', 'reply']) }),
  }),
  widget_installed: define({
    from: 'server',
    when: 'A page loaded the widget of a project for the first time.',
    properties: Type.Object(project),
  }),
  widget_activated: define({
    from: 'server',
    when: 'An archived project takes feedback again.',
    properties: Type.Object(project),
  }),
  widget_deactivated: define({ from: 'server', when: 'A project was archived.', properties: Type.Object(project) }),
  widget_configured: define({
    from: 'server',
    when: 'Widget settings were published or undone.',
    properties: Type.Object({ ...project, ...fields, action: Type.String() }),
  }),
  widget_loaded: define({ from: 'sum', when: 'Pages loaded the widget.', properties: Sum }),
  widget_opened: define({ from: 'sum', when: 'Visitors opened the widget.', properties: Sum }),
  widget_closed: define({ from: 'sum', when: 'Visitors closed the widget.', properties: Sum }),
  widget_feedback_submitted: define({
    from: 'server',
    when: 'A visitor sent feedback with the widget.',
    properties: Type.Object(item),
  }),
  widget_media_captured: define({
    from: 'server',
    when: 'Feedback from the widget has a screenshot, a recording or files; one event for each kind.',
    properties: Type.Object({ ...item, media: Type.String() }),
  }),
  team_member_invited: define({ from: 'server', when: 'An owner invited someone.', properties: Role }),
  team_member_joined: define({ from: 'server', when: 'Someone became a member.', properties: Role }),
  team_member_removed: define({ from: 'server', when: 'Someone is no longer a member.', properties: Role }),
  team_role_changed: define({
    from: 'server',
    when: 'A member has another role.',
    properties: Type.Object({ role: Type.String(), from_role: Type.String() }),
  }),
  settings_viewed: define({
    from: 'browser',
    when: 'Someone opened settings.',
    properties: Type.Object({ section: Type.String() }),
  }),
  settings_updated: define({
    from: 'browser',
    when: 'Someone saved a setting.',
    properties: Type.Object({ setting: Type.String() }),
  }),
  notification_preferences_updated: define({
    from: 'server',
    when: 'A member changed their notification preferences.',
    properties: Type.Object({}),
  }),
  error_occurred: define({
    from: 'browser',
    when: 'An error screen, an uncaught error or a failed sign-in.',
    properties: Type.Object({
      error_message: Type.String(),
      context: Type.String(),
      method: Type.Optional(Type.String()),
      duration_ms: Type.Optional(Type.Number()),
    }),
  }),
  performance_issue: define({
    from: 'browser',
    when: 'A page was slow, at most once for each measure and page load.',
    properties: Type.Object({
      metric: Type.Enum(['LCP', 'INP', 'CLS', 'TTFB']),
      value: Type.Number(),
      threshold: Type.Number(),
    }),
  }),
} satisfies Record<string, AnalyticsEvent>

export type AnalyticsName = keyof typeof analyticsEvents

export type AnalyticsProperties<N extends AnalyticsName> = Static<(typeof analyticsEvents)[N]['properties']>

type NamesFrom<From extends AnalyticsEvent['from']> = {
  [N in AnalyticsName]: (typeof analyticsEvents)[N]['from'] extends From ? N : never
}[AnalyticsName]

/** What screens count. */
export type ScreenEvent = NamesFrom<'browser'>
/** What domain events stand for. */
export type DomainAnalyticsName = NamesFrom<'server'>
