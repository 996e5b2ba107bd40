import Type, { type Static, type TObject } from 'typebox'
import type { DomainAnalyticsName } from './analytics-events.ts'
import { keyScopes } from './key-scope.ts'
import { nullable } from './nullable.ts'
import { roles } from './permissions.ts'
import { planLimits, subscriptionStatuses } from './plans.ts'
import { Timestamp, Uuid } from './text.ts'

interface EventType {
  /** When it is recorded and what its `ids` name, for the guide to webhooks. */
  readonly summary: string
  readonly payload: TObject
  /** What product analytics counts of it. */
  readonly analytics?: readonly DomainAnalyticsName[]
}

const define = <const T extends EventType>(type: T): T => type

const Role = Type.Enum([...roles])

/** A member who joined or is gone, with the name then: the account may be deleted. */
const JoinedOrGone = Type.Object({ userId: Uuid, role: Role, name: Type.Optional(Type.String()) })

/** What a removal took along. */
const Removed = { items: Type.Integer(), files: Type.Integer() }

/** The bulk operation that a change was part of. */
const operationId = Type.Optional(Uuid)

/** Fields of an item by which `feedback.updated` says what changed. */
const feedbackFields = [
  'archived',
  'assignee',
  'closedReason',
  'deleted',
  'duplicates',
  'merged',
  'priority',
  'project',
  'snoozed',
  'spam',
  'tags',
  'type',
  'viewed',
] as const

const ProjectFacts = Type.Partial(
  Type.Object({
    name: Type.String(),
    domain: Type.String(),
    extraOrigins: Type.Array(Type.String()),
    archived: Type.Boolean(),
    retentionDays: Type.Union([Type.Integer(), Type.Null()]),
    emailsOnResolve: Type.Boolean(),
  }),
)

const OrganizationFacts = Type.Partial(
  Type.Object({
    name: Type.String(),
    slug: Type.String(),
    /** Null: no logo. */
    logoId: Type.Union([Uuid, Type.Null()]),
    mailsHoldWords: Type.Boolean(),
  }),
)

const SubscriptionFacts = Type.Object({
  status: Type.Enum([...subscriptionStatuses]),
  /** Key of the plan. */
  plan: nullable(Type.String()),
})

/** What superadmins do to the billing of an organisation. */
const superadminBillingActs = [
  'plan_changed',
  'plan_granted',
  'plan_revoked',
  'trial_extended',
  'subscription_cancelled',
  'payment_refunded',
] as const

/** What an organisation subscribed to. `price` in cents of `currency` for one `interval`. */
const SubscribedPlan = {
  subscriptionId: Type.String(),
  plan: Type.String(),
  price: Type.Integer(),
  interval: Type.String(),
  currency: Type.String(),
}
const SubscriptionList = Type.Object({ subscriptions: Type.Array(Type.Object(SubscribedPlan)) })

/** A change of plan or price. */
const PlanChangeList = Type.Object({
  subscriptions: Type.Array(
    Type.Object({
      ...SubscribedPlan,
      from: Type.Object({ plan: Type.String(), price: Type.Integer(), interval: Type.String() }),
    }),
  ),
})

/** A purchase as analytics tools read it. Amounts in cents. */
const Purchase = {
  /** Stripe's id of the invoice. */
  transactionId: Type.String(),
  plan: Type.String(),
  price: Type.Integer(),
  currency: Type.String(),
  interval: nullable(Type.String()),
  coupon: nullable(Type.String()),
}

/**
 * Everything that can happen, by name. An event is recorded in the transaction that causes it, one row per transaction,
 * organisation and name: `ids` names all that it happened to, and lists in a payload hold the entries of all of them.
 * Payloads hold facts, never a visitor's text or address: an event outlives what it names.
 */
export const events = {
  'organization.created': define({
    summary: 'Someone created an organisation, at sign-up or later. `ids`: the organisation.',
    payload: Type.Object({}),
  }),
  'organization.deletion_requested': define({
    summary:
      'An owner deleted the organisation: it is closed, and can be restored until `deleteAfter`. `ids`: the organisation.',
    payload: Type.Object({ deleteAfter: Timestamp }),
  }),
  'organization.restored': define({
    summary: 'An owner restored a closed organisation. `ids`: the organisation.',
    payload: Type.Object({}),
  }),
  'organization.suspended': define({
    summary: 'A superadmin suspended the organisation, or changed the message to its members. `ids`: the organisation.',
    payload: Type.Object({
      /** What its members are told. */
      message: Type.Optional(Type.String()),
    }),
  }),
  'organization.suspension_lifted': define({
    summary: 'A superadmin lifted the suspension of the organisation. `ids`: the organisation.',
    payload: Type.Object({}),
  }),
  'organization.deleted': define({
    summary: 'Everything in the organisation was permanently deleted. `ids`: the organisation.',
    payload: Type.Object({}),
  }),
  'organization.updated': define({
    summary: 'Settings of the organisation changed; `before` and `after` hold those that did. `ids`: the organisation.',
    payload: Type.Object({ before: OrganizationFacts, after: OrganizationFacts }),
  }),
  'subscription.changed': define({
    summary: 'The organisation has another subscription status, plan or end of trial. `ids`: the organisation.',
    payload: Type.Object({ before: SubscriptionFacts, after: SubscriptionFacts }),
  }),
  'trial.started': define({
    summary: 'A trial began. `ids`: the organisation.',
    payload: Type.Object({ endsAt: Timestamp }),
    analytics: ['trial_started'],
  }),
  'trial.expiring': define({
    summary: 'A trial ends within 7, 3 or 1 days. `ids`: the organisation.',
    payload: Type.Object({ daysLeft: Type.Integer() }),
    analytics: ['trial_expiring'],
  }),
  'trial.ended': define({
    summary:
      'A trial ended: with a plan, without one, or because a superadmin set another status. `ids`: the organisation.',
    payload: Type.Object({ reason: Type.Enum(['plan_chosen', 'no_plan_chosen', 'set']) }),
    analytics: ['trial_ended'],
  }),
  'subscription.started': define({
    summary: 'An organisation subscribed to a plan for the first time. `ids`: the organisation.',
    payload: SubscriptionList,
    analytics: ['subscription_started'],
  }),
  'subscription.upgraded': define({
    summary: 'A subscription has a more expensive plan, or is paid by the year. `ids`: the organisation.',
    payload: PlanChangeList,
    analytics: ['subscription_upgraded'],
  }),
  'subscription.downgraded': define({
    summary: 'A subscription has a cheaper plan, or is paid by the month. `ids`: the organisation.',
    payload: PlanChangeList,
    analytics: ['subscription_downgraded'],
  }),
  'subscription.cancelled': define({
    summary: 'A subscription was cancelled: it ends with its period, or has ended. `ids`: the organisation.',
    payload: Type.Object({
      subscriptions: Type.Array(
        Type.Object({ ...SubscribedPlan, reason: nullable(Type.String()), endsAt: nullable(Timestamp) }),
      ),
    }),
    analytics: ['subscription_cancelled'],
  }),
  'subscription.reactivated': define({
    summary: 'A cancelled subscription renews again, or was replaced by a new one. `ids`: the organisation.',
    payload: SubscriptionList,
    analytics: ['subscription_reactivated'],
  }),
  'payment.succeeded': define({
    summary: 'An invoice was paid. `ids`: the organisation.',
    payload: Type.Object({
      payments: Type.Array(
        Type.Object({
          ...Purchase,
          items: Type.Array(
            Type.Object({
              name: Type.String(),
              category: Type.Literal('Subscription'),
              quantity: Type.Literal(1),
              price: Type.Integer(),
            }),
          ),
        }),
      ),
    }),
    analytics: ['payment_succeeded'],
  }),
  'payment.failed': define({
    summary: 'An attempt to pay an invoice failed. `ids`: the organisation.',
    payload: Type.Object({ payments: Type.Array(Type.Object({ ...Purchase, error: Type.String() })) }),
    analytics: ['payment_failed'],
  }),
  'payment.refunded': define({
    summary: 'A payment was refunded, wholly or in part. `ids`: the organisation.',
    payload: Type.Object({
      refunds: Type.Array(
        Type.Object({
          refundId: Type.String(),
          /** Of the purchase; null: the charge belongs to no invoice. */
          transactionId: nullable(Type.String()),
          plan: nullable(Type.String()),
          amount: Type.Integer(),
          currency: Type.String(),
        }),
      ),
    }),
  }),
  'plan.limit_near': define({
    summary: 'An organisation uses 80, 90 or 100 % of limits of its plan. `ids`: the warnings.',
    payload: Type.Object({
      warnings: Type.Array(
        Type.Object({
          limit: Type.Enum([...planLimits]),
          percent: Type.Integer(),
          used: Type.Integer(),
          max: Type.Integer(),
        }),
      ),
    }),
  }),
  'member.invited': define({
    summary: 'An owner invited someone, or renewed an invitation. `ids`: the invitations.',
    payload: Type.Object({ role: Role }),
    analytics: ['team_member_invited'],
  }),
  'member.invitation_revoked': define({
    summary: 'An owner revoked an invitation. `ids`: the invitations.',
    payload: Type.Object({}),
  }),
  'member.invitation_link_created': define({
    summary: 'An owner made a new link of an invitation; the former one ended. `ids`: the invitation.',
    payload: Type.Object({}),
  }),
  'member.joined': define({
    summary: 'Someone became a member. `ids`: the users.',
    payload: Type.Object({ members: Type.Array(JoinedOrGone) }),
    analytics: ['team_member_joined'],
  }),
  'member.removed': define({
    summary: 'Someone is no longer a member: removed, left, or without an account. `ids`: the users.',
    payload: Type.Object({ members: Type.Array(JoinedOrGone) }),
    analytics: ['team_member_removed'],
  }),
  'member.role_changed': define({
    summary: 'A member has another role. `ids`: the users.',
    payload: Type.Object({ members: Type.Array(Type.Object({ userId: Uuid, from: Role, to: Role })) }),
    analytics: ['team_role_changed'],
  }),
  'project.created': define({
    summary: 'A project was created. `ids`: the project.',
    payload: Type.Object({ name: Type.String(), domain: Type.String() }),
    analytics: ['project_created'],
  }),
  'project.updated': define({
    summary: 'Settings of a project changed; `before` and `after` hold those that did. `ids`: the project.',
    payload: Type.Object({ before: ProjectFacts, after: ProjectFacts }),
    analytics: ['project_updated', 'project_configured'],
  }),
  'project.deleted': define({
    summary: 'A project was deleted, and its items with it. `ids`: the project.',
    payload: Type.Object({ name: Type.String(), domain: Type.String(), items: Type.Integer() }),
    analytics: ['project_deleted'],
  }),
  'project.removed': define({
    summary: 'A job has removed the last row and file of a deleted project. `ids`: the project.',
    payload: Type.Object(Removed),
  }),
  'project.retention_applied': define({
    summary: 'The nightly job deleted items that are older than a project keeps them. `ids`: the project.',
    payload: Type.Object({ days: Type.Integer(), ...Removed }),
  }),
  'api_key.created': define({
    summary: 'An owner created an API key. `ids`: the key.',
    payload: Type.Object({
      projectId: Uuid,
      name: Type.String(),
      scopes: Type.Array(Type.Enum([...keyScopes])),
      expiresAt: nullable(Type.String()),
    }),
  }),
  'api_key.regenerated': define({
    summary: 'An owner replaced an API key, which works for `overlapHours` more. `ids`: the former key.',
    payload: Type.Object({ projectId: Uuid, name: Type.String(), replacedBy: Uuid, overlapHours: Type.Integer() }),
  }),
  'api_key.revoked': define({
    summary: 'An owner revoked an API key. `ids`: the key.',
    payload: Type.Object({ projectId: Uuid, name: Type.String() }),
  }),
  'integration.connected': define({
    summary: 'An owner connected another service. `ids`: the integration.',
    payload: Type.Object({ type: Type.String(), name: Type.String() }),
  }),
  'integration.updated': define({
    summary: 'An owner changed, paused or enabled an integration; `fields` names what changed. `ids`: the integration.',
    payload: Type.Object({ type: Type.String(), name: Type.String(), fields: Type.Array(Type.String()) }),
  }),
  'integration.secret_rotated': define({
    summary: 'An owner replaced the secret that signs the deliveries of an integration. `ids`: the integration.',
    payload: Type.Object({ type: Type.String(), name: Type.String(), overlapHours: Type.Integer() }),
  }),
  'integration.disabled': define({
    summary: 'Earshot disabled an integration whose service refuses deliveries. `ids`: the integration.',
    payload: Type.Object({ type: Type.String(), name: Type.String(), reason: Type.String() }),
  }),
  'integration.disconnected': define({
    summary: 'An owner disconnected a service. `ids`: the integration.',
    payload: Type.Object({ type: Type.String(), name: Type.String() }),
  }),
  'connected_app.connected': define({
    summary: 'A member connected an app by OAuth. `ids`: the connection.',
    payload: Type.Object({
      /** As the app calls itself. */
      name: Type.String(),
      redirectHost: Type.String(),
      scopes: Type.Array(Type.Enum([...keyScopes])),
    }),
  }),
  'connected_app.disconnected': define({
    summary:
      'A connected app lost its access: its member revoked it, it gave it up, or one of its secrets was used twice, which means a copy. `ids`: the connection.',
    payload: Type.Object({ name: Type.String(), cause: Type.Enum(['member', 'app', 'reuse']) }),
  }),
  'widget.installed': define({
    summary: 'A page loaded the widget of a project for the first time. `ids`: the projects.',
    payload: Type.Object({}),
    analytics: ['widget_installed'],
  }),
  'widget.activated': define({
    summary: 'A project takes feedback again. `ids`: the project.',
    payload: Type.Object({}),
    analytics: ['widget_activated'],
  }),
  'widget.deactivated': define({
    summary: 'A project was archived: its widget takes no more feedback. `ids`: the project.',
    payload: Type.Object({}),
    analytics: ['widget_deactivated'],
  }),
  'widget.configured': define({
    summary: 'Settings of a widget were published or undone, or its identity secret was rotated. `ids`: the project.',
    payload: Type.Object({
      action: Type.Enum(['published', 'publish_undone', 'identity_secret_rotated']),
      /** Names of the settings that were published. */
      fields: Type.Optional(Type.Array(Type.String())),
    }),
    analytics: ['widget_configured'],
  }),
  'feedback.created': define({
    summary: 'Visitors sent feedback, or feedback that was locked can be read now. `ids`: the items.',
    payload: Type.Object({}),
    analytics: ['feedback_received', 'widget_feedback_submitted', 'widget_media_captured'],
  }),
  'feedback.locked': define({
    summary:
      'Feedback came in that is over the limit of the plan, or after the trial: it is stored and locked. `ids`: the items.',
    payload: Type.Object({}),
    analytics: ['feedback_received', 'widget_feedback_submitted', 'widget_media_captured'],
  }),
  'feedback.imported': define({
    summary: 'Rows of a file became items, or imported items that were locked can be read now. `ids`: the items.',
    payload: Type.Object({
      /** Absent: they were unlocked. */
      importId: Type.Optional(Uuid),
    }),
  }),
  'feedback.status_changed': define({
    summary: 'Items have another status. `ids`: the items.',
    payload: Type.Object({
      changes: Type.Array(Type.Object({ id: Uuid, from: Type.String(), to: Type.String() })),
      operationId,
    }),
    analytics: ['feedback_status_changed'],
  }),
  'feedback.updated': define({
    summary: 'Items changed in something other than their status; `fields` names it. `ids`: the items.',
    payload: Type.Object({ fields: Type.Array(Type.Enum([...feedbackFields])), operationId }),
    // Where `viewed` is among the fields.
    analytics: ['feedback_viewed'],
  }),
  'feedback.assigned': define({
    summary: 'Items were assigned to a member, many of them by one event. `ids`: one of the items.',
    payload: Type.Object({ assigneeUserId: Uuid, itemCount: Type.Integer({ minimum: 1 }) }),
  }),
  'feedback.operation_ended': define({
    summary: 'A bulk operation, or its undoing, ended. `ids`: the operation.',
    payload: Type.Object({ state: Type.Enum(['done', 'undone', 'failed']) }),
  }),
  'feedback.commented': define({
    summary: 'A member wrote a note. `ids`: the item.',
    payload: Type.Object({ commentId: Uuid, mentionedUserIds: Type.Array(Uuid) }),
    analytics: ['feedback_commented'],
  }),
  'feedback.replied': define({
    summary: 'A member replied to the visitor. `ids`: the item.',
    payload: Type.Object({ commentId: Uuid }),
    analytics: ['feedback_commented'],
  }),
  'feedback.reply_delivered': define({
    summary: 'The email of a reply was sent, or given up. `ids`: the items.',
    payload: Type.Object({ delivery: Type.Enum(['sent', 'failed']) }),
  }),
  'feedback.answered': define({
    summary: 'A visitor answered. `ids`: the item, and the one that it is merged into.',
    payload: Type.Object({
      commentId: Uuid,
      /** The item under which the team reads it. */
      itemId: Uuid,
      /** Members whom it concerns: assignee and who replied, else who was mentioned. */
      concernedUserIds: Type.Array(Uuid),
    }),
  }),
  'feedback.files_changed': define({
    summary: 'A file of an item was judged, converted, or added or deleted by a member. `ids`: the items.',
    payload: Type.Object({}),
  }),
  'feedback.deleted': define({
    summary: 'Items were permanently deleted. `ids`: the items.',
    payload: Type.Object({}),
  }),
  'feedback.trash_emptied': define({
    summary: 'A member emptied the trash, or deleted items of it permanently. `ids`: the organisation.',
    payload: Type.Object(Removed),
  }),
  'feedback.trash_expired': define({
    summary: 'The nightly job deleted items that were in the trash for 30 days. `ids`: the organisation.',
    payload: Type.Object(Removed),
  }),
  'reply_template.created': define({
    summary: 'A member added a reply template. `ids`: the template.',
    payload: Type.Object({}),
  }),
  'reply_template.updated': define({
    summary: 'A member changed a reply template. `ids`: the template.',
    payload: Type.Object({}),
  }),
  'reply_template.deleted': define({
    summary: 'A member deleted a reply template. `ids`: the template.',
    payload: Type.Object({}),
  }),
  'export.requested': define({
    summary: 'A member or an API key requested an export. `ids`: the export.',
    payload: Type.Object({ format: Type.String() }),
  }),
  'export.completed': define({
    summary: 'An export is ready. `ids`: the export.',
    payload: Type.Object({ format: Type.String(), count: Type.Integer() }),
    analytics: ['feedback_exported'],
  }),
  'export.failed': define({
    summary: 'An export was given up. `ids`: the export.',
    payload: Type.Object({}),
  }),
  'import.completed': define({
    summary: 'A file was imported. `ids`: the import.',
    payload: Type.Object({ projectId: Uuid, count: Type.Integer() }),
  }),
  'import.undone': define({
    summary: 'The items of an import are in the trash. `ids`: the import.',
    payload: Type.Object({ projectId: Uuid }),
  }),
  'import.failed': define({
    summary: 'An import was given up. `ids`: the import.',
    payload: Type.Object({ projectId: Uuid }),
  }),
  'visitor.joined': define({
    summary: 'Visitors turned out to be one person, or a member merged them. `ids`: the join.',
    payload: Type.Object({ cause: Type.Enum(['verified', 'member']) }),
  }),
  'visitor.separated': define({
    summary: 'A member undid a merge of visitors. `ids`: the join.',
    payload: Type.Object({}),
  }),
  'visitor.erasure_requested': define({
    summary: 'An owner asked for a person to be erased. `ids`: the erasure.',
    payload: Type.Object({}),
  }),
  'visitor.erased': define({
    summary: 'Everything about a person was erased. `ids`: the erasure.',
    payload: Type.Partial(Type.Object(Removed)),
  }),
  'account.password_changed': define({
    summary: 'A member set another password. In each of their organisations. `ids`: the user.',
    payload: Type.Object({}),
  }),
  'account.email_changed': define({
    summary: 'The account of a member has another email address. In each of their organisations. `ids`: the user.',
    payload: Type.Object({
      before: Type.Object({ email: Type.String() }),
      after: Type.Object({ email: Type.String() }),
    }),
  }),
  'account.sessions_ended': define({
    summary:
      'A member signed out one other device, all other devices, or all devices. In each of their organisations. `ids`: the user.',
    payload: Type.Object({ scope: Type.Enum(['one', 'others', 'all']) }),
  }),
  'account.identity_linked': define({
    summary: 'A member can sign in with another provider. In each of their organisations. `ids`: the user.',
    payload: Type.Object({ provider: Type.String() }),
  }),
  'account.proof_failed': define({
    summary:
      'Someone entered a wrong password for a member’s account; `proof` says where. At most five times an hour for an account. In each of their organisations. `ids`: the user.',
    payload: Type.Object({ proof: Type.Enum(['sign_in', 'password_change']) }),
  }),
  'superadmin.entered': define({
    summary:
      'A superadmin used an organisation of which they are not a member, or as one of its members. At most once an hour, and once for each impersonation, beside the events of what they change. `ids`: the superadmin, or the member.',
    payload: Type.Object({ operation: Type.String() }),
  }),
  'superadmin.billing_changed': define({
    summary: 'A superadmin changed the plan, trial or payments of the organisation. `ids`: the organisation.',
    payload: Type.Object({
      act: Type.Enum([...superadminBillingActs]),
      /** Name of the plan. */
      plan: Type.Optional(Type.String()),
      interval: Type.Optional(Type.String()),
      /** When it ends, in words or as a day. */
      until: Type.Optional(Type.String()),
      /** In words, with its currency. */
      amount: Type.Optional(Type.String()),
      /** Stripe's id of the payment. */
      payment: Type.Optional(Type.String()),
      reason: Type.String(),
    }),
  }),
  'superadmin.test_item_removed': define({
    summary: 'A superadmin permanently deleted an item that was sent to try the widget. `ids`: the organisation.',
    payload: Type.Object({ number: Type.Integer() }),
  }),
  'audit.exported': define({
    summary: 'A member downloaded the audit log. `ids`: the organisation.',
    payload: Type.Object({ format: Type.String() }),
  }),
  'quota.files_full': define({
    summary:
      'A visitor’s file was refused, because a project or the organisation has no room for it. At most once a day. `ids`: the project, or the organisation.',
    payload: Type.Object({ scope: Type.Enum(['project', 'organization']) }),
  }),
  'notification.recorded': define({
    summary: 'Members got notifications. `ids`: the notifications.',
    payload: Type.Object({ userIds: Type.Array(Uuid) }),
  }),
  'notification.preferences_updated': define({
    summary: 'A member changed their notification preferences. `ids`: the user.',
    payload: Type.Object({}),
    analytics: ['notification_preferences_updated'],
  }),
} satisfies Record<string, EventType>

export const actorKinds = ['user', 'api_key', 'integration', 'superadmin', 'visitor', 'system'] as const
export type ActorKind = (typeof actorKinds)[number]

export type EventName = keyof typeof events

export type PayloadOf<N extends EventName> = Static<(typeof events)[N]['payload']>

/** An event as a subscriber is given it. The id is the same when it is delivered twice. */
export interface EventOf<N extends EventName> {
  readonly id: string
  readonly organizationId: string
  readonly name: N
  readonly ids: readonly string[]
  readonly payload: PayloadOf<N>
  /** A user, an API key or an integration. Null: a visitor, or a job. */
  readonly actorUserId: string | null
  /** `superadmin`: in an organisation that is not theirs. `system`: a job that works for no one. */
  readonly actorKind: ActorKind
  /** Their name then. */
  readonly actorName: string | null
  /** `X-Request-Id` of the request that caused it; null: a job, or a batch of several requests. */
  readonly requestId: string | null
  /** Address and browser of a user's request; never a visitor's. */
  readonly ip: string | null
  readonly userAgent: string | null
  /** The job that recorded it; null: a request. */
  readonly cause: string | null
  /** By which a superadmin caused it. */
  readonly impersonationId: string | null
  readonly occurredAt: Date
}

/** One event whose name is among the given ones; its name tells its payload. */
export type AnyEvent<N extends EventName = EventName> = { [Name in N]: EventOf<Name> }[N]
