import { v7 as uuidV7 } from 'uuid'
import type { Delivery, DeliveryDetail } from '#contract/deliveries.ts'
import { deliveredEvents } from '#contract/integrations.ts'
import { uuidPattern } from '#contract/uuid.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import { readStoredEvent } from '#server/platform/events/check-event.ts'
import { listEvents } from '#server/platform/events/events.queries.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { findIntegration } from '../integrations.queries.ts'
import type { IntegrationPath } from '../integrations.service.ts'
import { listReceivers } from './add-deliveries.queries.ts'
import { addDeliveriesFor, isDelivered } from './add-deliveries.ts'
import { type DeliverParts, deliver } from './deliver.ts'
import {
  addTest,
  callQueue,
  findDelivery,
  listDeliveries,
  listEventsSince,
  readLog,
  retryFailedSince,
  retryNow,
} from './deliveries.queries.ts'
import { findConnected, recordAttempt } from './queue.queries.ts'

export interface DeliveryPath extends IntegrationPath {
  readonly deliveryId: string
}

export interface Deliveries {
  /** @throws ProductError `integration_not_found`. */
  list(
    actor: Actor,
    path: IntegrationPath,
    page: { state?: Delivery['state']; cursor?: string; limit?: number },
  ): Promise<{ items: Delivery[]; nextCursor: string | null }>
  /** @throws ProductError `delivery_not_found`. */
  get(actor: Actor, path: DeliveryPath): Promise<DeliveryDetail>
  /** @throws ProductError `delivery_not_found`, `integration_not_active`. */
  retry(actor: Actor, path: DeliveryPath): Promise<Delivery>
  /** Sends a test at once. @throws ProductError `integration_not_found`. */
  test(actor: Actor, path: IntegrationPath): Promise<Delivery>
  /**
   * Queues what happened since a time and was not delivered.
   *
   * @returns how many deliveries wait because of it.
   * @throws ProductError `integration_not_found`, `integration_not_active`.
   */
  replay(actor: Actor, path: IntegrationPath, since: Date): Promise<number>
}

const defaultPage = 50
const eventsAtOnce = 500
const nil = '00000000-0000-0000-0000-000000000000'
const reason = 'an owner asks for deliveries of the organisation'

export function createDeliveries(parts: DeliverParts): Deliveries {
  const { database } = parts
  const get = async (tx: TenantTx, path: DeliveryPath): Promise<Delivery> => {
    const delivery = await findDelivery(tx, path)
    if (!delivery) throw new ProductError('delivery_not_found')
    return delivery
  }
  const requireIntegration = async (tx: TenantTx, { organizationId, integrationId }: IntegrationPath) => {
    const integration = await findIntegration(tx, organizationId, integrationId)
    if (!integration) throw new ProductError('integration_not_found')
    return integration
  }

  return {
    list: async (actor, path, { state, cursor, limit = defaultPage }) => {
      const before = cursor === undefined ? undefined : readCursor(cursor)
      return database.withTenant(actor, async (tx) => {
        await requireIntegration(tx, path)
        const found = await listDeliveries(tx, { ...path, state, before, limit: limit + 1 })
        const page = found.slice(0, limit)
        const last = page.at(-1)
        return { items: page, nextCursor: found.length > limit && last ? writeCursor(last.id) : null }
      })
    },

    get: (actor, path) =>
      database.withTenant(actor, async (tx) => ({
        ...(await get(tx, path)),
        ...(await readLog(tx, path.organizationId, path.deliveryId)),
      })),

    retry: (actor, path) =>
      database.withTenant(actor, async (tx) => {
        await get(tx, path)
        const integration = await requireIntegration(tx, path)
        if (integration.state !== 'active') throw new ProductError('integration_not_active')
        await retryNow(tx, path.organizationId, path.deliveryId)
        return get(tx, path)
      }),

    test: async (actor, path) => {
      const { organizationId } = path
      await database.withTenant(actor, (tx) => requireIntegration(tx, path))
      const id = uuidV7()
      const { integration, delivery } = await database.asSystem(reason, async (tx) => ({
        integration: await findConnected(tx, path, ['active', 'paused', 'disabled']),
        delivery: await addTest(tx, { ...path, id }),
      }))
      if (!integration) throw new ProductError('integration_not_found')
      const attempted = await deliver(parts, integration, delivery)
      if (attempted) {
        // One answer is what was asked for: a test is never repeated.
        const ending = { state: attempted.failure ? 'failed' : 'delivered' } as const
        await database.asSystem(reason, (tx) => recordAttempt(tx, organizationId, attempted.record, ending))
      }
      return database.withTenant(actor, (tx) => get(tx, { ...path, deliveryId: id }))
    },

    replay: async (actor, path, since) => {
      const { state } = await database.withTenant(actor, (tx) => requireIntegration(tx, path))
      if (state !== 'active') throw new ProductError('integration_not_active')
      return replay(parts, path, since)
    },
  }
}

async function replay({ database, items }: DeliverParts, path: IntegrationPath, since: Date): Promise<number> {
  const { organizationId, integrationId } = path
  let queued = await database.asSystem(reason, (tx) => retryFailedSince(tx, path, since))
  for (let afterId: string | undefined = nil; afterId !== undefined; ) {
    const page = { organizationId, names: deliveredEvents, since, afterId, limit: eventsAtOnce }
    afterId = await database.asSystem(reason, async (tx) => {
      const keys = await listEventsSince(tx, page)
      const stored = await listEvents(
        tx,
        keys.map(({ id }) => ({ organizationId, id })),
      )
      const events = stored.flatMap((event) => readStoredEvent(event) ?? []).filter(isDelivered)
      const receivers = (await listReceivers(tx, [organizationId])).filter(({ id }) => id === integrationId)
      queued += await addDeliveriesFor(tx, items, receivers, events)
      return keys.length < eventsAtOnce ? undefined : keys.at(-1)?.id
    })
  }
  await database.asSystem(reason, (tx) => callQueue(tx, path))
  return queued
}

const writeCursor = (id: string) => Buffer.from(id).toString('base64url')

/** @throws ProductError `validation_failed` when the text is no cursor. */
function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (!new RegExp(`^${uuidPattern}$`).test(id))
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  return id
}
