import type { Database } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { canCall } from '#server/platform/outbound/url-reach.ts'
import { SealError, type Seals } from '#server/platform/secret/seals.ts'
import type { IntegrationDefinition } from '../define-integration.ts'
import { createServiceClient } from '../delivery/service-client.ts'
import { DeliveryFailure } from '../delivery-failure.ts'
import { describeType } from '../form-fields.ts'
import { findDefinition } from '../registry.ts'
import { openSecrets, showSigningKey } from '../secrets.ts'
import type { TrackerApi } from './tracker.ts'
import {
  findHookedTracker,
  type HookedTracker,
  noteRegistered,
  noteRemoved,
  noteUnregistered,
} from './tracker-hooks.queries.ts'

export interface TrackerHookParts {
  readonly database: Database
  readonly log: Pick<Log, 'info'>
  readonly outbound: Outbound
  readonly seals: Seals
  readonly appUrl: string
}

export interface HookPlace {
  readonly organizationId: string
  readonly integrationId: string
}

type Settings = Readonly<Record<string, unknown>>

const reason = 'a tracker is asked to call this instance'

/** Where trackers call this instance, up to the organisation's id. */
export const hookAddresses = (appUrl: string) => `${appUrl}/api/v1/hooks`

/**
 * Registers the webhook of an active tracker, or removes that of another. May be repeated.
 *
 * @throws DeliveryFailure when the tracker does not answer: it is tried again later.
 */
export async function keepTrackerHook(parts: TrackerHookParts, place: HookPlace): Promise<void> {
  const { database, appUrl } = parts
  const found = await database.asSystem(reason, (tx) => findHookedTracker(tx, place))
  const definition = found && findDefinition(found.type)
  const hooks = definition?.tracker?.hooks
  const opened = found && hooks && openConnection(parts, place, found)
  if (!opened) return
  const { api, secret } = opened
  if (found.state !== 'active') {
    if (found.hookId !== null) await removeHook(parts, hooks, api, found.hookId)
    await database.asSystem(reason, (tx) => noteRemoved(tx, place, found.hookId))
    return
  }
  if (!canReachUs(definition, api.settings, appUrl)) {
    await database.asSystem(reason, (tx) => noteUnregistered(tx, place, { state: 'unreachable', failure: null }))
    return
  }
  const url = `${hookAddresses(appUrl)}/${place.organizationId}/${place.integrationId}`
  const made = await register(parts, place, () => hooks.register(api, { url, secret }))
  if (!made) return
  const isThere = await database.asSystem(reason, (tx) => noteRegistered(tx, place, { ...made, url }))
  // Of another repository or address. One that stays does no harm: its calls name issues that no item is linked to.
  if (isThere && found.hookId !== null && found.hookId !== made.id) await removeHook(parts, hooks, api, found.hookId)
  if (!isThere) await removeHook(parts, hooks, api, made.id)
}

/** Removes the webhook of an integration that was deleted. @throws DeliveryFailure when the tracker does not answer. */
export async function removeDeletedHook(
  parts: TrackerHookParts,
  place: HookPlace,
  deleted: Pick<HookedTracker, 'type' | 'secrets' | 'settings'> & { hookId: string },
): Promise<void> {
  const hooks = findDefinition(deleted.type)?.tracker?.hooks
  const opened = hooks && openConnection(parts, place, deleted)
  if (opened) await removeHook(parts, hooks, opened.api, deleted.hookId)
}

/** Undefined: it signs nothing, or the instance's secret has changed since. Deliveries tell owners. */
function openConnection(
  { seals, outbound }: TrackerHookParts,
  place: HookPlace,
  { secrets, settings }: Pick<HookedTracker, 'secrets' | 'settings'>,
): { api: TrackerApi<Settings>; secret: string } | undefined {
  try {
    const { fields, signing } = openSecrets(seals, place, secrets)
    if (!signing) return undefined
    const { send } = createServiceClient(outbound, [])
    return { api: { settings: { ...settings, ...fields }, send }, secret: showSigningKey(signing.current) }
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

/** An address that is this machine's own means another machine to a tracker elsewhere. */
function canReachUs(definition: IntegrationDefinition, settings: Settings, appUrl: string): boolean {
  const addresses = describeType(definition).fields.flatMap(({ name, kind }) => {
    const value = settings[name]
    return kind === 'url' && typeof value === 'string' ? [value] : []
  })
  // Without an address in its settings, the tracker is on the internet.
  return (addresses.length === 0 ? ['https://example.com'] : addresses).some((address) => canCall(address, appUrl))
}

async function register<Made>(
  { database }: TrackerHookParts,
  place: HookPlace,
  act: () => Promise<Made>,
): Promise<Made | undefined> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof DeliveryFailure)) throw error
    const isFinal = isRefusal(error)
    const isForbidden = error.status === 403 || error.status === 404
    const failure = isForbidden ? 'The token may not register webhooks.' : error.message
    await database.asSystem(reason, (tx) => noteUnregistered(tx, place, { state: isFinal ? 'refused' : null, failure }))
    if (!isFinal) throw error
    return undefined
  }
}

/** A webhook that can't be removed, because the token was revoked or the repository is gone, is left. */
async function removeHook(
  { log }: TrackerHookParts,
  hooks: { remove(api: TrackerApi<Settings>, id: string): Promise<void> },
  api: TrackerApi<Settings>,
  id: string,
): Promise<void> {
  try {
    await hooks.remove(api, id)
  } catch (error) {
    if (!(error instanceof DeliveryFailure) || !isRefusal(error)) throw error
    log.info({ err: error }, 'a webhook was left at its tracker')
  }
}

/** Whether it stays so when it is asked again: every 4xx, unless it is about too many requests or a time limit. */
function isRefusal({ status, kind, retryAfterSeconds }: DeliveryFailure): boolean {
  if (kind !== 'retry') return true
  if (status === undefined || retryAfterSeconds !== undefined) return false
  return status >= 400 && status <= 499 && status !== 408 && status !== 429
}
