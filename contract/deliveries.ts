import Type, { type Static } from 'typebox'
import { IntegrationParams } from './integrations.ts'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { Timestamp, Uuid } from './text.ts'

/** `failed`: given up after its last attempt. `dropped`: what it was about no longer exists. */
const deliveryStates = ['waiting', 'delivered', 'failed', 'dropped'] as const

/** The event of a test. */
export const testEvent = 'integration.test'

const Delivery = Type.Object({
  /** The `webhook-id` of every attempt. */
  id: Uuid,
  /** An event's name, or `integration.test`. */
  event: Type.String(),
  /** The item; null: it no longer exists, or it is a test. */
  feedbackId: nullable(Uuid),
  feedbackNumber: nullable(Type.Integer()),
  state: Type.Enum([...deliveryStates]),
  attempts: Type.Integer(),
  nextAttemptAt: nullable(Timestamp),
  createdAt: Timestamp,
  /** When it arrived or was given up. */
  endedAt: nullable(Timestamp),
  /** HTTP status of the latest answer; null: there was none. */
  status: nullable(Type.Integer()),
  /** Of the latest attempt, in milliseconds. */
  durationMs: nullable(Type.Integer()),
  /** Why the latest attempt failed; null: it did not. */
  failure: nullable(Type.String()),
})
export type Delivery = Static<typeof Delivery>

const Attempt = Type.Object({
  number: Type.Integer(),
  createdAt: Timestamp,
  durationMs: Type.Integer(),
  /** Method, address without its secret parts, and headers. */
  request: nullable(Type.String()),
  status: nullable(Type.Integer()),
  /** The first 4,000 characters of the answer. */
  response: nullable(Type.String()),
  failure: nullable(Type.String()),
})

export const DeliveryDetail = Type.Object({
  ...Delivery.properties,
  /** The body of every attempt; null: none has been made. */
  body: nullable(Type.String()),
  /** Latest first. */
  log: Type.Array(Attempt),
})
export type DeliveryDetail = Static<typeof DeliveryDetail>

const DeliveryParams = Type.Object({ ...IntegrationParams.properties, deliveryId: Uuid })
const path = '/api/v1/organizations/{organizationId}/integrations/{integrationId}/deliveries'
const access = { kind: 'organization', permission: 'manage_integrations' } as const

export const listDeliveries = route({
  operationId: 'listDeliveries',
  method: 'GET',
  path,
  summary: 'List deliveries of an integration of the last 30 days, latest first',
  tag: 'integrations',
  params: IntegrationParams,
  query: Type.Object(
    {
      state: Type.Optional(Type.Enum([...deliveryStates])),
      /** `nextCursor` of the previous page. */
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    { additionalProperties: false },
  ),
  replies: { 200: Type.Object({ items: Type.Array(Delivery), nextCursor: nullable(Type.String()) }) },
  errors: ['integration_not_found'],
  access,
  rate: 'read',
})

export const getDelivery = route({
  operationId: 'getDelivery',
  method: 'GET',
  path: `${path}/{deliveryId}`,
  summary: 'Read a delivery with every attempt',
  tag: 'integrations',
  params: DeliveryParams,
  replies: { 200: DeliveryDetail },
  errors: ['delivery_not_found'],
  access,
  rate: 'read',
})

export const retryDelivery = route({
  operationId: 'retryDelivery',
  method: 'POST',
  path: `${path}/{deliveryId}/retry`,
  summary: 'Deliver again now, under the same id',
  tag: 'integrations',
  params: DeliveryParams,
  replies: { 202: Delivery },
  errors: ['delivery_not_found', 'integration_not_active'],
  access,
  rate: 'write',
})

export const testIntegration = route({
  operationId: 'testIntegration',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/integrations/{integrationId}/test',
  summary: 'Send a test now, past the queue, and answer how it went',
  tag: 'integrations',
  params: IntegrationParams,
  replies: { 200: Delivery },
  errors: ['integration_not_found'],
  access,
  rate: 'write',
})

export const replayDeliveries = route({
  operationId: 'replayDeliveries',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/integrations/{integrationId}/replay',
  summary: 'Deliver what happened since a time and has not arrived: events of the last 30 days, oldest first',
  tag: 'integrations',
  params: IntegrationParams,
  body: Type.Object({ since: Timestamp }, { additionalProperties: false }),
  replies: { 202: Type.Object({ queued: Type.Integer() }) },
  errors: ['integration_not_found', 'integration_not_active'],
  access,
  rate: 'write',
})
