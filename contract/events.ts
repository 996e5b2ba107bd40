import Type, { type Static, type TObject } from 'typebox'
import { roles } from './permissions.ts'
import { Uuid } from './text.ts'

/**
 * Names of the analytics events that SPEC.md section 3 lists and domain events stand for. Its others are no domain events:
 * sign-ups and sign-ins belong to a person and stand in the auth log, page loads and clicks in the widget are counted by
 * the hour, screens are looked at in the browser, and subscriptions come with billing.
 */
export type AnalyticsName =
  | 'project_created'
  | 'project_updated'
  | 'project_deleted'
  | 'project_configured'
  | 'feedback_received'
  | 'feedback_viewed'
  | 'feedback_status_changed'
  | 'feedback_exported'
  | 'feedback_commented'
  | 'widget_installed'
  | 'widget_activated'
  | 'widget_deactivated'
  | 'widget_configured'
  | 'widget_feedback_submitted'
  | 'team_member_invited'
  | 'team_member_joined'
  | 'team_member_removed'
  | 'team_role_changed'
  | 'notification_preferences_updated'

interface EventType {
  /** When it is recorded and what its `ids` name, for the guide to webhooks. */
  readonly summary: string
  readonly payload: TObject
  readonly analytics?: readonly AnalyticsName[]
}

const define = <const T extends EventType>(type: T): T => type

const Role = Type.Enum([...roles])

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
  }),
)

/**
 * Everything that can happen, by name. An event is recorded in the transaction that causes it, one row per transaction,
 * organisation and name: `ids` names all that it happened to, and lists in a payload hold the entries of all of them.
 * Payloads hold facts, never a visitor's text or address: an event outlives what it names.
 */
export const events = {
  'organization.created': define({
    summary: 'Someone signed up with an organisation of their own. `ids`: the organisation.',
    payload: Type.Object({}),
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
  'member.joined': define({
    summary: 'Someone became a member. `ids`: the users.',
    payload: Type.Object({ members: Type.Array(Type.Object({ userId: Uuid, role: Role })) }),
    analytics: ['team_member_joined'],
  }),
  'member.removed': define({
    summary: 'Someone is no longer a member: removed, left, or without an account. `ids`: the users.',
    payload: Type.Object({ members: Type.Array(Type.Object({ userId: Uuid, role: Role })) }),
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
    payload: Type.Object({ action: Type.Enum(['published', 'publish_undone', 'identity_secret_rotated']) }),
    analytics: ['widget_configured'],
  }),
  'feedback.created': define({
    summary: 'Visitors sent feedback. `ids`: the items.',
    payload: Type.Object({}),
    analytics: ['feedback_received', 'widget_feedback_submitted'],
  }),
  'feedback.imported': define({
    summary: 'Rows of a file became items. `ids`: the items.',
    payload: Type.Object({ importId: Uuid }),
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
    summary: 'A file of an item was judged or converted. `ids`: the items.',
    payload: Type.Object({}),
  }),
  'feedback.deleted': define({
    summary: 'Items were permanently deleted. `ids`: the items.',
    payload: Type.Object({}),
  }),
  'export.requested': define({
    summary: 'A member asked for an export. `ids`: the export.',
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
  'visitor.erasure_requested': define({
    summary: 'An owner asked for a person to be erased. `ids`: the erasure.',
    payload: Type.Object({}),
  }),
  'visitor.erased': define({
    summary: 'Everything about a person was erased. `ids`: the erasure.',
    payload: Type.Object({}),
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

export type EventName = keyof typeof events

export type PayloadOf<N extends EventName> = Static<(typeof events)[N]['payload']>

/** An event as a subscriber is given it. The id is the same when it is delivered twice. */
export interface EventOf<N extends EventName> {
  readonly id: string
  readonly organizationId: string
  readonly name: N
  readonly ids: readonly string[]
  readonly payload: PayloadOf<N>
  /** Null: a visitor, or a job. */
  readonly actorUserId: string | null
  /** `X-Request-Id` of the request that caused it; null: a job, or a batch of several requests. */
  readonly requestId: string | null
  readonly occurredAt: Date
}

/** One event whose name is among the given ones; its name tells its payload. */
export type AnyEvent<N extends EventName = EventName> = { [Name in N]: EventOf<Name> }[N]
