import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

interface Place {
  readonly organizationId: string
  readonly integrationId: string
}

/** A tracker's integration with the webhook that was registered. */
export interface HookedTracker
  extends RowAs<
    'integrations',
    { organizationId: 'organization_id'; id: 'id'; type: 'type'; secrets: 'secrets'; hookId: 'hook_id' }
  > {
  readonly state: 'active' | 'paused' | 'disabled'
  readonly settings: Readonly<Record<string, unknown>>
}

export async function findHookedTracker(
  tx: SystemTx,
  { organizationId, integrationId }: Place,
): Promise<HookedTracker | undefined> {
  const { rows } = await sql<HookedTracker>`
    select organization_id as "organizationId", id, type, secrets, settings, state, hook_id as "hookId"
    from integrations
    where organization_id = ${organizationId} and id = ${integrationId} and is_tracker and removed_at is null
  `.execute(tx)
  return rows[0]
}

/** Notes a registered webhook. False: the integration was disconnected meanwhile. */
export async function noteRegistered(
  tx: SystemTx,
  { organizationId, integrationId }: Place,
  { id, url, endsAt }: { id: string; url: string; endsAt: Date | null },
): Promise<boolean> {
  const { rows } = await sql`
    update integrations set hook_state = 'registered', hook_id = ${id}, hook_url = ${url}, hook_registered_at = now(),
      hook_ends_at = ${endsAt}, hook_failure = null
    where organization_id = ${organizationId} and id = ${integrationId} and removed_at is null
    returning id
  `.execute(tx)
  return rows.length > 0
}

/** Notes why there is no new webhook. A former one may still be there, and stays noted. */
export async function noteUnregistered(
  tx: SystemTx,
  { organizationId, integrationId }: Place,
  { state, failure }: { state: 'refused' | 'unreachable' | null; failure: string | null },
): Promise<void> {
  await sql`
    update integrations set hook_state = ${state}, hook_failure = left(${failure}, 500)
    where organization_id = ${organizationId} and id = ${integrationId}
  `.execute(tx)
}

/** Notes that the webhook was removed, unless another one was registered meanwhile. */
export async function noteRemoved(
  tx: SystemTx,
  { organizationId, integrationId }: Place,
  hookId: string | null,
): Promise<void> {
  await sql`
    update integrations set hook_state = null, hook_id = null, hook_url = null, hook_registered_at = null,
      hook_ends_at = null, hook_failure = null
    where organization_id = ${organizationId} and id = ${integrationId} and hook_id is not distinct from ${hookId}
  `.execute(tx)
}

/**
 * Queues the registration of webhooks that end within a week or the last third of their life, that lead to a former address of
 * this instance, or that could not be registered.
 *
 * @param types those whose webhooks Earshot registers.
 * @param addresses where webhooks of this instance lead, up to the organisation's id.
 */
export async function requestDueHooks(
  tx: SystemTx,
  { types, addresses }: { types: readonly string[]; addresses: string },
): Promise<void> {
  await sql`
    select app.request_tracker_hook(organization_id, id) from integrations
    where is_tracker and state = 'active' and type = any (${[...types]}::text[])
      and app.is_open_organization(organization_id)
      and (hook_state is distinct from 'registered'
        or hook_url <> ${addresses} || '/' || organization_id || '/' || id
        or hook_ends_at < now() + greatest(interval '7 days', (hook_ends_at - hook_registered_at) / 3))
  `.execute(tx)
}
