import type { IssueMapping } from '#contract/issue-mapping.ts'
import { isDatabaseAway } from '#server/platform/database/away.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { SealError, type Seals } from '#server/platform/secret/seals.ts'
import type { DeliveredItems } from '../../feedback/delivered-items.service.ts'
import type { TrackedItems } from '../../feedback/tracked-items.service.ts'
import type { DeliveryTools, IntegrationDefinition } from '../define-integration.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { issueSync } from '../issues/issue-sync.ts'
import { workOnLink } from '../issues/work-on-link.ts'
import type { MemberEmails } from '../member-emails.ts'
import { findDefinition } from '../registry.ts'
import { openSecrets, type StoredSecrets, sign } from '../secrets.ts'
import { type AttemptRecord, type ConnectedIntegration, type DueDelivery, storeBody } from './queue.queries.ts'
import { type DeliveryContent, readContent, renderBody } from './read-content.ts'
import { createServiceClient, type ServiceClient } from './service-client.ts'

export interface DeliverParts {
  readonly database: Database
  readonly log: Pick<Log, 'error'>
  readonly outbound: Outbound
  readonly seals: Seals
  readonly items: DeliveredItems
  readonly tracked: TrackedItems
  readonly emails: MemberEmails
  readonly appUrl: string
}

/** An attempt, and what it means for later ones. */
export interface Attempted {
  readonly record: AttemptRecord & Pick<DueDelivery, 'requests'>
  /** Undefined: it arrived. */
  readonly failure: DeliveryFailure | undefined
}

const reason = 'deliveries of every organisation are sent'

/**
 * Attempts a delivery once. No transaction is open while the service is asked.
 *
 * @returns undefined when what it is about no longer exists.
 */
export async function deliver(
  parts: DeliverParts,
  integration: ConnectedIntegration,
  delivery: DueDelivery,
): Promise<Attempted | undefined> {
  const { organizationId } = integration
  const isSync = delivery.event === issueSync
  const body = isSync ? undefined : (delivery.body ?? (await prepareBody(parts, organizationId, delivery)))
  if (!isSync && body === undefined) return undefined
  const startedAt = performance.now()
  const { exchange, failure, isMissing } = await attempt(parts, integration, async (definition, connection) =>
    body === undefined
      ? workOnIssue(parts, definition, connection, { organizationId, id: delivery.subjectId ?? '' })
      : send(parts, definition, connection, { id: delivery.id, content: readContent(body) }),
  )
  if (isMissing) return undefined
  const durationMs = Math.round(performance.now() - startedAt)
  const number = delivery.attempts + 1
  const record = { deliveryId: delivery.id, requests: delivery.requests, number, durationMs, ...exchange }
  return { record: { ...record, failure: failure?.message ?? null }, failure }
}

async function prepareBody(
  { database, items, appUrl }: DeliverParts,
  organizationId: string,
  delivery: DueDelivery,
): Promise<string | undefined> {
  return database.asSystem(reason, async (tx) => {
    // The names of events in this table are those that subscribers and tests write.
    const event = delivery.event as DeliveryContent['event']
    const body = await renderBody(tx, { items, appUrl }, { ...delivery, organizationId, event })
    if (body !== undefined) await storeBody(tx, organizationId, delivery.id, body)
    return body
  })
}

/** What an attempt has of its integration. */
interface Connection {
  readonly organizationId: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly mapping: IssueMapping
  readonly secrets: StoredSecrets
  readonly client: ServiceClient
}

/** Runs one attempt. `run` returns false when what it is about no longer exists. */
async function attempt(
  parts: DeliverParts,
  integration: ConnectedIntegration,
  run: (definition: IntegrationDefinition, connection: Connection) => Promise<boolean>,
) {
  const none = { request: null, status: null, response: null }
  const definition = findDefinition(integration.type)
  if (!definition) {
    const failure = new DeliveryFailure('This version of Earshot does not know this kind of integration.')
    return { exchange: none, failure, isMissing: false }
  }
  let client: ServiceClient | undefined
  const place = { organizationId: integration.organizationId, integrationId: integration.id }
  try {
    const secrets = openSecrets(parts.seals, place, integration.secrets)
    client = createServiceClient(parts.outbound, listSecretTexts(secrets.fields))
    const settings = { ...integration.settings, ...secrets.fields }
    const { organizationId, mapping } = integration
    const isThere = await run(definition, { organizationId, settings, mapping, secrets, client })
    return { exchange: client.last, failure: undefined, isMissing: !isThere }
  } catch (error) {
    return { exchange: client?.last ?? none, failure: toFailure(error, parts.log, integration), isMissing: false }
  }
}

async function send(
  { emails }: DeliverParts,
  { deliver: write, connect }: IntegrationDefinition,
  { settings, secrets, client, organizationId }: Connection,
  { id, content }: { id: string; content: DeliveryContent },
): Promise<boolean> {
  const tools: DeliveryTools = {
    deliveryId: id,
    send: client.send,
    sendEmails: async (to, render) => {
      client.last.request = `Email to ${to.join(', ')}`
      const feedbackId = content.data.feedback && content.data.feedbackId
      const { mail, count } = await emails.send({ feedbackId, to, render, organizationId, deliveryId: id })
      client.last.request = `Email to ${to.join(', ')}\n\n${mail.subject}\n\n${mail.text}`.slice(0, 20_000)
      client.last.response = count === 1 ? 'Queued for 1 member.' : `Queued for ${count} members.`
    },
    findStrangers: (addresses) => emails.findStrangers(organizationId, addresses),
    sign: (timestamp, body) => sign(secrets.signing, { id, timestamp, body }),
  }
  // A tracker gets issues, no events: its test asks whether it answers.
  if (write) await write(content, settings, tools)
  else await connect?.(settings, tools)
  return true
}

async function workOnIssue(
  parts: DeliverParts,
  { tracker }: IntegrationDefinition,
  { settings, mapping, client }: Connection,
  place: { organizationId: string; id: string },
): Promise<boolean> {
  if (!tracker) throw new DeliveryFailure('This kind of integration has no issues.')
  return workOnLink(parts, { tracker, api: { settings, send: client.send }, mapping }, place)
}

/** @throws the error when the database is away: that says nothing about the service. */
function toFailure(error: unknown, log: DeliverParts['log'], { id, type }: ConnectedIntegration): DeliveryFailure {
  if (error instanceof DeliveryFailure) return error
  if (error instanceof SealError) return new DeliveryFailure(error.message)
  if (isDatabaseAway(error)) throw error
  // A mistake of ours fails this delivery, and holds up no other.
  log.error({ err: error, integrationId: id, type }, 'a delivery broke off')
  return new DeliveryFailure('Earshot couldn’t make this delivery. Its log says why.')
}

/** Parts of secret texts that hold several lines, then the texts. Short ones are no secrets, and would hide half a log. */
function listSecretTexts(fields: Readonly<Record<string, unknown>>): string[] {
  const texts = Object.values(fields).filter((value) => typeof value === 'string')
  const parts = texts.flatMap((text) => text.split('\n').map((line) => line.slice(line.indexOf(':') + 1).trim()))
  return [...parts, ...texts].filter((text) => text.length >= 6)
}
