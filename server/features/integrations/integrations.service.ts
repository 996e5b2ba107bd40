import { randomBytes } from 'node:crypto'
import { v7 as uuidV7 } from 'uuid'
import type { PayloadOf } from '#contract/events.ts'
import {
  type CreatedIntegration,
  type DeliveryRules,
  type Integration,
  type IntegrationChange,
  type IntegrationType,
  maxIntegrations,
  type NewIntegration,
} from '#contract/integrations.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { SealError, type Seals } from '#server/platform/secret/seals.ts'
import { type ConnectParts, connectService } from './connect-service.ts'
import { checkSettings, describeType } from './form-fields.ts'
import {
  countForAdding,
  disconnectIntegration,
  findIntegration,
  findUnknownInRules,
  type IntegrationRow,
  insertIntegration,
  listIntegrations,
  lockIntegration,
  readSecrets,
  replaceIntegration,
  storeSecrets,
} from './integrations.queries.ts'
import { checkMapping } from './issues/check-mapping.ts'
import { requireSecretsAgain } from './moved-address.ts'
import { findDefinition, integrationDefinitions } from './registry.ts'
import { createSigningKey, openSecrets, type StoredSecrets, sealSecrets, showSigningKey } from './secrets.ts'

export interface IntegrationPath {
  readonly organizationId: string
  readonly integrationId: string
}

/** An integration whose address its service has been given, with the secret that it signs its calls with. */
export interface RegisteredIntegration {
  readonly id: string
  /** Null: it calls nothing. */
  readonly hookSecret: string | null
  /** Runs first in the transaction that stores it. */
  readonly claim: (tx: TenantTx) => Promise<void>
}

export interface Integrations {
  listTypes(): IntegrationType[]
  list(actor: Actor, organizationId: string): Promise<Integration[]>
  /**
   * @param registered of a service that knows the integration already.
   * @throws ProductError `validation_failed`, `too_many_integrations`, `integration_refused`.
   */
  create(
    actor: Actor,
    organizationId: string,
    created: NewIntegration,
    registered?: RegisteredIntegration,
  ): Promise<CreatedIntegration>
  /** @throws ProductError `integration_not_found`, `validation_failed`, `integration_refused`. */
  update(actor: Actor, path: IntegrationPath, change: IntegrationChange): Promise<Integration>
  /** @throws ProductError `integration_not_found`. */
  remove(actor: Actor, path: IntegrationPath): Promise<void>
  /** @returns the new secret. @throws ProductError `integration_not_found`, `integration_unsigned`, `integration_unreadable`. */
  rotateSecret(actor: Actor, path: IntegrationPath, overlapHours: number): Promise<string>
}

export interface IntegrationParts extends ConnectParts {
  readonly database: Database
  readonly seals: Seals
}

export function createIntegrations(parts: IntegrationParts): Integrations {
  const { database } = parts
  return {
    listTypes: () => integrationDefinitions.map(describeType),

    list: (actor, organizationId) =>
      database.withTenant(actor, async (tx) => (await listIntegrations(tx, organizationId)).map(toIntegration)),

    create: (actor, organizationId, created, registered) => create(parts, actor, organizationId, created, registered),

    update: (actor, path, change) => update(parts, actor, path, change),

    remove: (actor, path) =>
      database.withTenant(actor, async (tx) => {
        const { type, name } = await lock(tx, path)
        await disconnectIntegration(tx, path.organizationId, path.integrationId)
        await record(tx, path, 'integration.disconnected', { type, name })
      }),

    rotateSecret: (actor, path, overlapHours) => rotateSecret(parts, actor, path, overlapHours),
  }
}

async function create(
  parts: IntegrationParts,
  actor: Actor,
  organizationId: string,
  { type, name, config, events, rules = {}, mapping = {} }: NewIntegration,
  registered?: RegisteredIntegration,
): Promise<CreatedIntegration> {
  const { database, seals } = parts
  const definition = findDefinition(type)
  if (!definition) throw invalid('body.type', 'is no service that can be connected')
  checkMapping(definition, mapping)
  const checked = checkSettings(definition, config)
  const connected = await connectService(parts, organizationId, definition, checked)
  const id = registered?.id ?? uuidV7()
  const path = { organizationId, integrationId: id }
  const key = definition.isSigned && !registered ? createSigningKey() : undefined
  const secrets = {
    fields: checked.secrets,
    ...(registered && { hook: registered.hookSecret ?? randomBytes(32).toString('hex') }),
    ...(key !== undefined && { signing: { current: key } }),
  }
  return database.withTenant(actor, async (tx) => {
    await registered?.claim(tx)
    if ((await countForAdding(tx, organizationId)) >= maxIntegrations) throw new ProductError('too_many_integrations')
    await requireKnown(tx, organizationId, rules)
    const shownName = checkName(name ?? definition.name)
    await insertIntegration(tx, {
      organizationId,
      id,
      type,
      name: shownName,
      settings: checked.settings,
      secrets: sealSecrets(seals, path, secrets),
      secretNames: Object.keys(checked.secrets),
      isTracker: definition.tracker !== undefined,
      events: events ?? definition.defaultEvents,
      rules: tidyRules(rules),
      mapping,
      createdBy: actor.userId,
      ...connected,
    })
    await record(tx, path, 'integration.connected', { type, name: shownName })
    const row = await get(tx, path)
    return { ...toIntegration(row), ...(key !== undefined && { secret: showSigningKey(key) }) }
  })
}

async function update(
  parts: IntegrationParts,
  actor: Actor,
  path: IntegrationPath,
  change: IntegrationChange,
): Promise<Integration> {
  const { database, seals } = parts
  const { organizationId, integrationId } = path
  const before = await database.withTenant(actor, (tx) => get(tx, path))
  if (change.mapping) checkMapping(findDefinition(before.type), change.mapping)
  const definition = change.config && findDefinition(before.type)
  // Secrets that can't be read count as missing: the owner is asked for them again.
  const stored = definition && ((await readStored(parts, path)) ?? { fields: {} })
  const checked =
    definition && stored && checkSettings(definition, { ...before.settings, ...stored.fields, ...change.config })
  if (definition && checked && change.config) {
    const values = {
      before: before.settings,
      after: checked.settings,
      stored: stored?.fields ?? {},
      given: change.config,
    }
    requireSecretsAgain(definition, values)
  }
  const connected = definition && checked && (await connectService(parts, organizationId, definition, checked))
  return database.withTenant(actor, async (tx) => {
    const now = await lock(tx, path)
    if (checked) requireUnchanged(before, now)
    if (checked && stored) {
      const secrets = sealSecrets(seals, path, { ...stored, fields: checked.secrets })
      await storeSecrets(tx, path, { secrets, secretNames: Object.keys(checked.secrets) })
    }
    if (change.rules) await requireKnown(tx, organizationId, change.rules)
    const name = change.name === undefined ? now.name : checkName(change.name)
    await replaceIntegration(tx, {
      organizationId,
      id: integrationId,
      name,
      settings: checked?.settings ?? now.settings,
      events: change.events ?? now.events,
      rules: change.rules === undefined ? now.rules : tidyRules(change.rules),
      mapping: change.mapping ?? now.mapping,
      state: change.state ?? now.state,
      ...(connected ?? { account: now.account, credentialsEndAt: now.credentialsEndAt }),
    })
    await record(tx, path, 'integration.updated', { type: now.type, name, fields: Object.keys(change) })
    return toIntegration(await get(tx, path))
  })
}

async function rotateSecret(
  parts: IntegrationParts,
  actor: Actor,
  path: IntegrationPath,
  overlapHours: number,
): Promise<string> {
  const { database, seals } = parts
  const before = await database.withTenant(actor, (tx) => get(tx, path))
  const { type, storedSecrets } = before
  if (!findDefinition(type)?.isSigned) throw new ProductError('integration_unsigned')
  const stored = await readStored(parts, path)
  if (!stored && storedSecrets.length > 0) throw new ProductError('integration_unreadable')
  // The service's own secret is replaced there.
  if (stored?.hook !== undefined) throw new ProductError('integration_unsigned')
  const former = stored?.signing?.current
  const key = createSigningKey()
  const formerUntil = new Date(Date.now() + overlapHours * 3600_000).toISOString()
  const signing = { current: key, ...(overlapHours > 0 && former !== undefined && { former, formerUntil }) }
  await database.withTenant(actor, async (tx) => {
    const now = await lock(tx, path)
    requireUnchanged(before, now)
    const secrets = sealSecrets(seals, path, { fields: {}, ...stored, signing })
    await storeSecrets(tx, path, { secrets, secretNames: storedSecrets })
    await record(tx, path, 'integration.secret_rotated', { type, name: now.name, overlapHours })
  })
  return showSigningKey(key)
}

async function get(tx: TenantTx, { organizationId, integrationId }: IntegrationPath): Promise<IntegrationRow> {
  const row = await findIntegration(tx, organizationId, integrationId)
  if (!row) throw new ProductError('integration_not_found')
  return row
}

/** The integration as it is, and stays until the transaction ends. */
async function lock(tx: TenantTx, path: IntegrationPath): Promise<IntegrationRow> {
  const isThere = await lockIntegration(tx, path.organizationId, path.integrationId)
  if (!isThere) throw new ProductError('integration_not_found')
  return get(tx, path)
}

/** Secrets were read before the lock: what was stored since must not be overwritten. @throws ProductError `edit_conflict`. */
function requireUnchanged(before: IntegrationRow, now: IntegrationRow): void {
  if (now.updatedAt.getTime() !== before.updatedAt.getTime()) throw new ProductError('edit_conflict')
}

/** Undefined: the instance's secret has changed since, and they can't be read any more. */
async function readStored(
  { database, seals }: IntegrationParts,
  path: IntegrationPath,
): Promise<StoredSecrets | undefined> {
  const sealed = await database.asSystem('an owner changes an integration; secrets are for the system alone', (tx) =>
    readSecrets(tx, path.organizationId, path.integrationId),
  )
  if (sealed === undefined) throw new ProductError('integration_not_found')
  try {
    return openSecrets(seals, path, sealed)
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

function toIntegration(row: IntegrationRow): Integration {
  const { settings, state, stateReason, failingSince, lastFailure, lastDeliveredAt, credentialsEndAt, ...shared } = row
  const { hookState, hookFailure, ...rest } = shared
  const hook = readHookState(row)
  const isFailing = state === 'active' && failingSince !== null
  return {
    ...rest,
    service: findDefinition(row.type)?.name ?? row.type,
    config: settings,
    hook,
    hookFailure: hook === 'pending' || hook === 'refused' ? hookFailure : null,
    state: isFailing ? 'failing' : state,
    reason: state === 'disabled' ? stateReason : isFailing ? lastFailure : null,
    failingSince: isFailing ? failingSince.toISOString() : null,
    lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null,
    credentialsEndAt: credentialsEndAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function readHookState({ type, state, hookState, storedSecrets }: IntegrationRow): Integration['hook'] {
  const tracker = findDefinition(type)?.tracker
  if (!tracker || state !== 'active') return 'none'
  // A GitHub App brings a webhook of its own.
  const before = storedSecrets.includes('app') ? 'registered' : 'pending'
  return tracker.hooks ? (hookState ?? before) : 'by_hand'
}

/** @throws ProductError `validation_failed` for a project or a member that the organisation has not. */
async function requireKnown(tx: TenantTx, organizationId: string, rules: DeliveryRules): Promise<void> {
  const unknown = await findUnknownInRules(tx, organizationId, rules)
  if (!unknown) return
  const what =
    unknown.field === 'projectId' ? 'is no project of this organisation' : 'is no member of this organisation'
  throw invalid(`body.rules.${unknown.field}.${unknown.place}`, what)
}

function checkName(typed: string): string {
  const name = typed.trim()
  if (name === '') throw invalid('body.name', 'must not be blank')
  return name
}

/** Rules without fields that ask for nothing, so that no rules at all are an empty object. */
function tidyRules(rules: DeliveryRules): DeliveryRules {
  // The entries are those of the rules.
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined)) as DeliveryRules
}

function record<
  N extends 'integration.connected' | 'integration.updated' | 'integration.secret_rotated' | 'integration.disconnected',
>(tx: TenantTx, { organizationId, integrationId }: IntegrationPath, name: N, payload: PayloadOf<N>): Promise<void> {
  return recordEvent(tx, { organizationId, name, ids: [integrationId], payload, announced: 'never' })
}
