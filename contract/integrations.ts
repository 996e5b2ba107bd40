import Type, { type Static } from 'typebox'
import type { EventName } from './events.ts'
import { FeedbackSelection } from './inbox.ts'
import { IssueMapping, issueFields, issueStages } from './issue-mapping.ts'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/** Events that can be delivered: those of items. */
export const deliveredEvents = [
  'feedback.created',
  'feedback.imported',
  'feedback.status_changed',
  'feedback.updated',
  'feedback.assigned',
  'feedback.commented',
  'feedback.replied',
  'feedback.answered',
  'feedback.files_changed',
  'feedback.deleted',
] as const satisfies readonly EventName[]
export type DeliveredEvent = (typeof deliveredEvents)[number]

/** Integrations that an organisation may have. */
export const maxIntegrations = 50

/** How long a rotated secret may sign beside its successor, in hours. */
const maxOverlapHours = 24

const EventNames = Type.Array(Type.Enum([...deliveredEvents]), { minItems: 1, maxItems: deliveredEvents.length })

// What a member has read, and the words of a search, are no lasting property of an item.
const { unread: _, q: __, ...ruleFields } = FeedbackSelection.properties
/** Which items' events are delivered. A field that is absent asks for nothing; without `location`, the inbox. */
export const DeliveryRules = Type.Object(ruleFields, { additionalProperties: false })
export type DeliveryRules = Static<typeof DeliveryRules>

/** One field of the form that connects an integration. */
export const IntegrationField = Type.Object({
  /** Its name in `config`. */
  name: Type.String(),
  label: Type.String(),
  help: nullable(Type.String()),
  placeholder: nullable(Type.String()),
  kind: Type.Enum(['text', 'url', 'lines', 'date', 'choice', 'switch']),
  /** Of a choice. */
  options: Type.Array(Type.Object({ value: Type.String(), label: Type.String() })),
  /** Never returned: the form shows that one is stored. */
  isSecret: Type.Boolean(),
  isRequired: Type.Boolean(),
  /** Another secret that makes this field superfluous, such as an App's credentials; null: none does. */
  replacedBy: nullable(Type.String()),
  defaultValue: nullable(Type.Union([Type.String(), Type.Boolean()])),
})
export type IntegrationField = Static<typeof IntegrationField>

const integrationCategories = ['automation', 'chat', 'issues', 'email'] as const

/** A service that can be connected. */
export const IntegrationType = Type.Object({
  type: Type.String(),
  /** The service's own name. */
  name: Type.String(),
  category: Type.Enum([...integrationCategories]),
  /** What it does, in a sentence. */
  summary: Type.String(),
  /** Path of its guide below `/docs/guides`; null: the form explains itself. */
  guide: nullable(Type.String()),
  fields: Type.Array(IntegrationField),
  /** Events that are chosen unless the owner chooses others. */
  defaultEvents: Type.Array(Type.Enum([...deliveredEvents])),
  /** `two_way`: it makes issues, and their changes come back. */
  direction: Type.Enum(['one_way', 'two_way']),
  /** What its issues take of an item, beside their text; null: it makes no issues. */
  issues: nullable(
    Type.Object({
      takes: Type.Array(Type.Enum([...issueFields])),
      /** Stages that its statuses tell apart. */
      stages: Type.Array(Type.Enum([...issueStages])),
    }),
  ),
  /** Whether deliveries are signed with a secret that the receiver keeps. */
  isSigned: Type.Boolean(),
})
export type IntegrationType = Static<typeof IntegrationType>

/** `failing`: active, and the latest delivery did not arrive. `disabled`: by Earshot; an owner can enable it again. */
const integrationStates = ['active', 'failing', 'paused', 'disabled'] as const

/**
 * How changes in a tracker reach Earshot. `registered`: it calls Earshot at once. All others are asked for each minute:
 * `pending`: it is not registered yet; `refused`: by the tracker; `unreachable`: the tracker can't call the address of this
 * instance; `by_hand`: owners may set it up in the tracker. `none`: the service has no issues, or it is not active.
 */
const hookStates = ['none', 'pending', 'registered', 'refused', 'unreachable', 'by_hand'] as const

/** A connected service, without its secrets. */
export const Integration = Type.Object({
  id: Uuid,
  type: Type.String(),
  /** The service's own name. */
  service: Type.String(),
  /** Whether items can be linked to its issues. */
  isTracker: Type.Boolean(),
  name: Type.String(),
  /** What it is connected to, in the service's own words; null: the service does not say. */
  account: nullable(Type.String()),
  state: Type.Enum([...integrationStates]),
  /** Why deliveries fail, or why it is disabled; null: all is well. */
  reason: nullable(Type.String()),
  failingSince: nullable(Timestamp),
  lastDeliveredAt: nullable(Timestamp),
  /** Deliveries that wait for their next attempt, at most 1,000. */
  waiting: Type.Integer(),
  /** When its token expires; null: it doesn't, or the service does not say. */
  credentialsEndAt: nullable(Timestamp),
  hook: Type.Enum([...hookStates]),
  /** Why the tracker's webhook is not registered, in a sentence; null: nothing was refused. */
  hookFailure: nullable(Type.String()),
  /** What its form asked for. Secrets are left out. */
  config: Type.Record(Type.String(), Type.Unknown()),
  /** Names of the secret fields that have a value. */
  storedSecrets: Type.Array(Type.String()),
  events: EventNames,
  rules: DeliveryRules,
  /** Of a tracker; empty: everything is left to it. */
  mapping: IssueMapping,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Integration = Static<typeof Integration>

/** An integration with the secret that signs its deliveries, which is shown this once. */
export const CreatedIntegration = Type.Object({
  ...Integration.properties,
  /** Of a type whose deliveries are signed: `whsec_` and the key in base64 (Standard Webhooks). */
  secret: Type.Optional(Type.String()),
})
export type CreatedIntegration = Static<typeof CreatedIntegration>

const Config = Type.Record(Type.String({ maxLength: 60 }), Type.Unknown(), { maxProperties: 40 })

export const NewIntegration = Type.Object(
  {
    type: Type.String({ minLength: 1, maxLength: 40 }),
    /** Default: the service's name. */
    name: Type.Optional(line({ minLength: 1, maxLength: 100 })),
    /** Values of the type's fields. */
    config: Config,
    /** Default: the type's own. */
    events: Type.Optional(EventNames),
    /** Default: every item of the inbox. */
    rules: Type.Optional(DeliveryRules),
    /** Of a tracker. Statuses have no effect on other services, and nothing else is taken. */
    mapping: Type.Optional(IssueMapping),
  },
  { additionalProperties: false },
)
export type NewIntegration = Static<typeof NewIntegration>

export const IntegrationChange = Type.Object(
  {
    name: Type.Optional(line({ minLength: 1, maxLength: 100 })),
    /** Fields that are named change; a secret that is left out stays. */
    config: Type.Optional(Config),
    events: Type.Optional(EventNames),
    rules: Type.Optional(DeliveryRules),
    /** Replaces the former one as a whole. */
    mapping: Type.Optional(IssueMapping),
    /** `active` also enables one that was disabled; waiting deliveries are sent. */
    state: Type.Optional(Type.Enum(['active', 'paused'])),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type IntegrationChange = Static<typeof IntegrationChange>

export const IntegrationParams = Type.Object({ organizationId: Uuid, integrationId: Uuid })
const path = '/api/v1/organizations/{organizationId}/integrations'
const manage = { kind: 'organization', permission: 'manage_integrations' } as const
const see = { kind: 'organization', permission: 'view_feedback' } as const

export const listIntegrationTypes = route({
  operationId: 'listIntegrationTypes',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/integration-types',
  summary: 'List the services that can be connected, with the fields that each asks for',
  tag: 'integrations',
  params: OrganizationParams,
  replies: { 200: Type.Object({ items: Type.Array(IntegrationType) }) },
  errors: [],
  access: see,
  rate: 'read',
})

export const listIntegrations = route({
  operationId: 'listIntegrations',
  method: 'GET',
  path,
  summary: 'List the integrations of the organisation and their state',
  tag: 'integrations',
  params: OrganizationParams,
  replies: { 200: Type.Object({ items: Type.Array(Integration) }) },
  errors: [],
  access: see,
  rate: 'read',
})

export const createIntegration = route({
  operationId: 'createIntegration',
  method: 'POST',
  path,
  summary: 'Connect a service; the answer alone contains the secret that signs its deliveries',
  tag: 'integrations',
  params: OrganizationParams,
  body: NewIntegration,
  replies: { 201: CreatedIntegration },
  errors: ['too_many_integrations', 'integration_refused'],
  access: manage,
  rate: 'write',
})

export const updateIntegration = route({
  operationId: 'updateIntegration',
  method: 'PATCH',
  path: `${path}/{integrationId}`,
  summary: 'Change, pause or enable an integration',
  tag: 'integrations',
  params: IntegrationParams,
  body: IntegrationChange,
  replies: { 200: Integration },
  errors: ['integration_not_found', 'integration_refused', 'edit_conflict'],
  access: manage,
  rate: 'write',
})

export const deleteIntegration = route({
  operationId: 'deleteIntegration',
  method: 'DELETE',
  path: `${path}/{integrationId}`,
  summary: 'Disconnect an integration: its secrets, deliveries and links are deleted',
  tag: 'integrations',
  params: IntegrationParams,
  replies: { 204: Type.Null() },
  errors: ['integration_not_found'],
  access: manage,
  rate: 'write',
})

export const rotateIntegrationSecret = route({
  operationId: 'rotateIntegrationSecret',
  method: 'POST',
  path: `${path}/{integrationId}/secret`,
  summary: 'Replace the secret that signs deliveries; until the overlap ends, the former one signs too',
  tag: 'integrations',
  params: IntegrationParams,
  body: Type.Object(
    {
      /** Default: 24. */
      overlapHours: Type.Optional(Type.Integer({ minimum: 0, maximum: maxOverlapHours })),
    },
    { additionalProperties: false },
  ),
  replies: { 201: Type.Object({ secret: Type.String() }) },
  errors: ['integration_not_found', 'integration_unsigned', 'integration_unreadable', 'edit_conflict'],
  access: manage,
  impersonation: 'refused',
  rate: 'write',
})
