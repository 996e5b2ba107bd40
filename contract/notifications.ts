import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { PlanWarning } from './plans.ts'
import { FullQuota } from './quotas.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/** Kinds of notifications. The first concerns all members, the others one person. */
export const notificationKinds = ['newFeedback', 'assigned', 'mentioned', 'visitorReplied'] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** How new feedback is emailed: per item, hourly, daily at eight in the member's time zone, or off. */
export const digestModes = ['instant', 'hourly', 'daily', 'off'] as const
export type DigestMode = (typeof digestModes)[number]

/** Email lists to unsubscribe from: new feedback, and personal notifications. */
export const mailLists = ['new_feedback', 'personal'] as const
export const MailList = Type.Enum([...mailLists])
export type MailList = (typeof mailLists)[number]

export const Notification = Type.Object({
  id: Uuid,
  kind: Type.Enum(['assigned', 'mentioned', 'visitor_replied']),
  feedbackId: Uuid,
  number: Type.Integer(),
  projectId: Uuid,
  projectName: Type.String(),
  /** The first 140 characters of the item's message. */
  excerpt: Type.String(),
  /** The member who acted; null: a visitor, or a deleted account. */
  actorName: nullable(Type.String()),
  /** How many items were handed over together. */
  itemCount: Type.Integer(),
  createdAt: Timestamp,
  isRead: Type.Boolean(),
})
export type Notification = Static<typeof Notification>

/** New unopened items of a project since the member last looked. */
export const NewFeedbackNotification = Type.Object({
  projectId: Uuid,
  projectName: Type.String(),
  /** Of at most 100: that many or more. */
  count: Type.Integer(),
  latestAt: Timestamp,
})
export type NewFeedbackNotification = Static<typeof NewFeedbackNotification>

export const listNotifications = route({
  operationId: 'listNotifications',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/notifications',
  summary: 'List what concerns the caller, newest first, and which projects have new feedback',
  tag: 'notifications',
  params: OrganizationParams,
  query: Type.Object(
    {
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    { additionalProperties: false },
  ),
  replies: {
    200: Type.Object({
      items: Type.Array(Notification),
      nextCursor: nullable(Type.String()),
      /** Unread notifications, of at most 100. */
      unreadCount: Type.Integer(),
      newFeedback: Type.Array(NewFeedbackNotification),
      /** For owners: storage that is full, until there is room. */
      fullQuotas: Type.Array(FullQuota),
      /** For owners: limits of the plan that are nearly reached, and a trial that ends or has ended. */
      planWarnings: Type.Array(PlanWarning),
    }),
  },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

export const markNotifications = route({
  operationId: 'markNotifications',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/notifications/marks',
  summary: 'Mark notifications as read or unread: those named, those of one item, new feedback of a project, or all',
  tag: 'notifications',
  params: OrganizationParams,
  body: Type.Object(
    {
      read: Type.Boolean(),
      ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 100 })),
      feedbackId: Type.Optional(Uuid),
      /** Marks new feedback of this project as seen. */
      projectId: Type.Optional(Uuid),
      /** Everything, new feedback as well. */
      all: Type.Optional(Type.Literal(true)),
    },
    { additionalProperties: false },
  ),
  replies: { 204: Type.Null() },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  impersonation: 'refused',
  rate: 'write',
})

const Way = Type.Object({ mail: Type.Boolean(), app: Type.Boolean() })
const DigestWay = Type.Object({ mail: Type.Enum([...digestModes]), app: Type.Boolean() })

const choices = { newFeedback: DigestWay, assigned: Way, mentioned: Way, visitorReplied: Way }

/** How a member hears of each kind of event. */
export const NotificationChoices = Type.Object(choices)
export type NotificationChoices = Static<typeof NotificationChoices>

/** What applies to a project for which the member chose something. */
export const ProjectPreferences = Type.Object({
  projectId: Uuid,
  projectName: Type.String(),
  /** What applies, by the project's own choices or by those for all projects. */
  ...choices,
})
export type ProjectPreferences = Static<typeof ProjectPreferences>

export const NotificationPreferences = Type.Object({
  /** Of the browser that told it last; daily digests come at eight there. */
  timeZone: Type.String(),
  /** What the member unsubscribed from, whatever the projects' preferences say. */
  mutedMails: Type.Array(MailList),
  /** Whether the organisation's mails repeat what visitors wrote. */
  mailsHoldWords: Type.Boolean(),
  allProjects: NotificationChoices,
  /** Projects with choices of their own. All others follow `allProjects`. */
  exceptions: Type.Array(ProjectPreferences),
})
export type NotificationPreferences = Static<typeof NotificationPreferences>

export const getNotificationPreferences = route({
  operationId: 'getNotificationPreferences',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/notification-preferences',
  summary: 'Read how the caller hears of what happens, and in which projects differently',
  tag: 'notifications',
  params: OrganizationParams,
  replies: { 200: NotificationPreferences },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

const closed = { additionalProperties: false } as const
const WayChange = Type.Optional(
  Type.Object({ mail: Type.Optional(Type.Boolean()), app: Type.Optional(Type.Boolean()) }, closed),
)
const DigestWayChange = Type.Optional(
  Type.Object({ mail: Type.Optional(Type.Enum([...digestModes])), app: Type.Optional(Type.Boolean()) }, closed),
)
const choicesChange = {
  newFeedback: DigestWayChange,
  assigned: WayChange,
  mentioned: WayChange,
  visitorReplied: WayChange,
}
const ChoicesChange = Type.Object(choicesChange, closed)
export type ChoicesChange = Static<typeof ChoicesChange>

export const NotificationChange = Type.Object(
  {
    /** An IANA name, e.g. `Europe/Berlin`. */
    timeZone: Type.Optional(line({ minLength: 1, maxLength: 64 })),
    mutedMails: Type.Optional(Type.Array(MailList, { maxItems: 2 })),
    /** For every project without a choice of its own, those to come included. */
    allProjects: Type.Optional(ChoicesChange),
    /** Projects that are gone are passed over. */
    projects: Type.Optional(
      Type.Array(
        Type.Object(
          {
            projectId: Uuid,
            /** Forgets all that was chosen for this project alone, before what else is named here. */
            asAllProjects: Type.Optional(Type.Literal(true)),
            ...choicesChange,
          },
          closed,
        ),
        { maxItems: 500 },
      ),
    ),
  },
  { ...closed, minProperties: 1 },
)
export type NotificationChange = Static<typeof NotificationChange>

export const updateNotificationPreferences = route({
  operationId: 'updateNotificationPreferences',
  method: 'PATCH',
  path: '/api/v1/organizations/{organizationId}/notification-preferences',
  summary: 'Change how the caller hears of what happens; what is not named stays',
  tag: 'notifications',
  params: OrganizationParams,
  body: NotificationChange,
  replies: { 200: NotificationPreferences },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'write',
})

export const updateMailContent = route({
  operationId: 'updateMailContent',
  method: 'PUT',
  path: '/api/v1/organizations/{organizationId}/mail-content',
  summary: 'Set whether emails to members include visitors’ messages',
  tag: 'notifications',
  params: OrganizationParams,
  body: Type.Object({ mailsHoldWords: Type.Boolean() }, closed),
  replies: { 204: Type.Null() },
  errors: [],
  access: { kind: 'organization', permission: 'manage_organization' },
  rate: 'write',
})

const TokenParams = Type.Object({ subscriptionToken: Type.String({ minLength: 1, maxLength: 100 }) })
const Subscription = Type.Object({
  list: MailList,
  organizationName: Type.String(),
  isSubscribed: Type.Boolean(),
})
export type Subscription = Static<typeof Subscription>

export const getSubscription = route({
  operationId: 'getSubscription',
  method: 'GET',
  path: '/api/v1/subscriptions/{subscriptionToken}',
  summary: 'Read, by the token of an email, which emails it unsubscribes from; changes nothing',
  tag: 'notifications',
  params: TokenParams,
  replies: { 200: Subscription },
  errors: ['subscription_not_found'],
  access: { kind: 'public' },
  rate: 'read',
})

export const updateSubscription = route({
  operationId: 'updateSubscription',
  method: 'PUT',
  path: '/api/v1/subscriptions/{subscriptionToken}',
  summary: 'Unsubscribe, or subscribe again, by the token of an email',
  tag: 'notifications',
  params: TokenParams,
  body: Type.Object({ isSubscribed: Type.Boolean() }, closed),
  replies: { 200: Subscription },
  errors: ['subscription_not_found'],
  access: { kind: 'public' },
  rate: 'write',
})
