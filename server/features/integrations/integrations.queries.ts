import { sql } from 'kysely'
import type { DeliveryRules, Integration } from '#contract/integrations.ts'
import type { IssueMapping } from '#contract/issue-mapping.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

/** An integration as a member may see it. */
export interface IntegrationRow
  extends RowAs<
    'integrations',
    {
      id: 'id'
      type: 'type'
      isTracker: 'is_tracker'
      name: 'name'
      account: 'account'
      stateReason: 'state_reason'
      credentialsEndAt: 'credentials_end_at'
      createdAt: 'created_at'
      updatedAt: 'updated_at'
      storedSecrets: 'secret_names'
      hookFailure: 'hook_failure'
    }
  > {
  readonly state: 'active' | 'paused' | 'disabled'
  /** Null: its tracker's webhook is not registered yet, or its type registers none. */
  readonly hookState: 'registered' | 'refused' | 'unreachable' | null
  readonly settings: Record<string, unknown>
  readonly events: Integration['events']
  readonly rules: DeliveryRules
  readonly mapping: IssueMapping
  readonly failingSince: Date | null
  readonly lastFailure: string | null
  readonly lastDeliveredAt: Date | null
  readonly waiting: number
}

/** Counting waiting deliveries ends here. */
const maxCounted = 1_000

const integrationRows = sql`
  select i.id, i.type, i.is_tracker as "isTracker", i.name, i.account, i.state, i.state_reason as "stateReason",
    i.credentials_end_at as "credentialsEndAt", i.settings, i.secret_names as "storedSecrets", i.event_names as events, i.rules,
    i.mapping, i.hook_state as "hookState", i.hook_failure as "hookFailure", i.created_at as "createdAt",
    i.updated_at as "updatedAt", q.failing_since as "failingSince",
    q.last_failure as "lastFailure", q.last_delivered_at as "lastDeliveredAt",
    app.count_waiting_deliveries(i.organization_id, i.id, ${maxCounted}) as waiting
  from integrations i
  join integration_queues q on q.organization_id = i.organization_id and q.integration_id = i.id
`

export async function listIntegrations(tx: TenantTx, organizationId: string): Promise<IntegrationRow[]> {
  const { rows } = await sql<IntegrationRow>`
    ${integrationRows} where i.organization_id = ${organizationId} order by i.created_at, i.id
  `.execute(tx)
  return rows
}

export async function findIntegration(
  tx: TenantTx,
  organizationId: string,
  id: string,
): Promise<IntegrationRow | undefined> {
  const { rows } = await sql<IntegrationRow>`
    ${integrationRows} where i.organization_id = ${organizationId} and i.id = ${id}
  `.execute(tx)
  return rows[0]
}

/** Locks the organisation's integrations against others being added, and counts them. */
export async function countForAdding(tx: TenantTx, organizationId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`integrations ${organizationId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from integrations where organization_id = ${organizationId}
  `.execute(tx)
  return rows[0]?.count ?? 0
}

/** What an owner stores of an integration. */
export interface StoredIntegration {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly events: readonly string[]
  readonly rules: DeliveryRules
  readonly mapping: IssueMapping
  readonly account: string | null
  readonly credentialsEndAt: Date | null
}

export async function insertIntegration(
  tx: TenantTx,
  row: StoredIntegration & {
    organizationId: string
    id: string
    type: string
    /** Encrypted. */
    secrets: string
    secretNames: readonly string[]
    isTracker: boolean
    createdBy: string
  },
): Promise<void> {
  const {
    organizationId,
    id,
    type,
    name,
    settings,
    secrets,
    secretNames,
    events,
    rules,
    mapping,
    account,
    credentialsEndAt,
    createdBy,
  } = row
  await sql`
    insert into integrations (organization_id, id, type, name, settings, secrets, secret_names, event_names, rules,
      mapping, account, credentials_end_at, is_tracker, created_by)
    values (${organizationId}, ${id}, ${type}, ${name}, ${JSON.stringify(settings)}::jsonb, ${secrets},
      ${[...secretNames]}::text[], ${[...events]}::text[], ${JSON.stringify(rules)}::jsonb,
      ${JSON.stringify(mapping)}::jsonb, ${account}, ${credentialsEndAt}, ${row.isTracker}, ${createdBy})
  `.execute(tx)
}

/** Replaces all that an owner stores. @returns whether the integration was there. */
export async function replaceIntegration(
  tx: TenantTx,
  row: StoredIntegration & { organizationId: string; id: string; state: IntegrationRow['state'] },
): Promise<void> {
  const { organizationId, id, name, settings, events, rules, mapping, account, credentialsEndAt, state } = row
  await sql`
    update integrations set name = ${name}, settings = ${JSON.stringify(settings)}::jsonb,
      event_names = ${[...events]}::text[], rules = ${JSON.stringify(rules)}::jsonb,
      mapping = ${JSON.stringify(mapping)}::jsonb, account = ${account}, credentials_end_at = ${credentialsEndAt}, state = ${state},
      state_reason = case when ${state} = 'disabled' then state_reason end, updated_at = now()
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

/** Locks an integration until the transaction ends. False: there is none that the caller may change. */
export async function lockIntegration(tx: TenantTx, organizationId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from integrations where organization_id = ${organizationId} and id = ${id} for no key update
  `.execute(tx)
  return rows.length > 0
}

/** Hides an integration from everyone and enqueues its removal. */
export async function disconnectIntegration(tx: TenantTx, organizationId: string, id: string): Promise<void> {
  await sql`select app.disconnect_integration(${organizationId}, ${id})`.execute(tx)
}

export interface RemovedIntegration {
  readonly organizationId: string
  readonly integrationId: string
}

/** Deletes rows of a disconnected integration. @returns how many. */
export async function deleteRowsOf(
  tx: SystemTx,
  table: 'deliveries' | 'issue_links',
  { organizationId, integrationId }: RemovedIntegration,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with doomed as (
      select r.organization_id, r.id from ${sql.table(table)} r
      join integrations i on i.organization_id = r.organization_id and i.id = r.integration_id
      where r.organization_id = ${organizationId} and r.integration_id = ${integrationId} and i.removed_at is not null
      limit ${limit}
    )
    delete from ${sql.table(table)} r using doomed d where r.organization_id = d.organization_id and r.id = d.id
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Ends a removal: the row, and the little that is still attached to it. */
export async function removeIntegration(
  tx: SystemTx,
  { organizationId, integrationId }: RemovedIntegration,
): Promise<void> {
  await sql`
    delete from integrations
    where organization_id = ${organizationId} and id = ${integrationId} and removed_at is not null
  `.execute(tx)
}

/** The encrypted secrets; undefined: no such integration. Only the system may read them. */
export async function readSecrets(tx: SystemTx, organizationId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<RowAs<'integrations', { secrets: 'secrets' }>>`
    select secrets from integrations where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
  return rows[0]?.secrets
}

/** Replaces the encrypted secrets of a locked integration. */
export async function storeSecrets(
  tx: TenantTx,
  { organizationId, integrationId }: { organizationId: string; integrationId: string },
  { secrets, secretNames }: { secrets: string; secretNames: readonly string[] },
): Promise<void> {
  await sql`
    update integrations set secrets = ${secrets}, secret_names = ${[...secretNames]}::text[], updated_at = now()
    where organization_id = ${organizationId} and id = ${integrationId}
  `.execute(tx)
}

/** Where rules name projects or members that the organisation has not: their places in the lists. */
export async function findUnknownInRules(
  tx: TenantTx,
  organizationId: string,
  { projectId = [], assignee = [] }: DeliveryRules,
): Promise<{ field: 'projectId' | 'assignee'; place: number } | undefined> {
  const { rows } = await sql<{ field: 'projectId' | 'assignee'; place: number }>`
    select 'projectId' as field, n.place::int - 1 as place
    from unnest(${[...projectId]}::text[]) with ordinality as n (id, place)
    where not exists (select from projects p where p.organization_id = ${organizationId} and p.id = n.id::uuid)
    union all
    select 'assignee', n.place::int - 1
    from unnest(${[...assignee]}::text[]) with ordinality as n (id, place)
    where n.id <> 'none' and not exists (
      select from memberships m where m.organization_id = ${organizationId} and m.user_id = n.id::uuid)
    limit 1
  `.execute(tx)
  return rows[0]
}

export interface SealedIntegration
  extends RowAs<'integrations', { organizationId: 'organization_id'; integrationId: 'id'; secrets: 'secrets' }> {}

/** Integrations of all organisations with their encrypted secrets, in the order of their ids, after another one. */
export async function listSealed(
  tx: SystemTx,
  after: Pick<SealedIntegration, 'organizationId' | 'integrationId'> | undefined,
  limit: number,
): Promise<SealedIntegration[]> {
  const isLater = after ? sql`and (organization_id, id) > (${after.organizationId}, ${after.integrationId})` : sql``
  const { rows } = await sql<SealedIntegration>`
    select organization_id as "organizationId", id as "integrationId", secrets from integrations
    where removed_at is null ${isLater}
    order by organization_id, id limit ${limit}
  `.execute(tx)
  return rows
}

/** Stores secrets that were encrypted again. False: others were stored meanwhile. */
export async function storeRenewed(
  tx: SystemTx,
  { organizationId, integrationId, secrets }: SealedIntegration,
  renewed: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update integrations set secrets = ${renewed}
    where organization_id = ${organizationId} and id = ${integrationId} and secrets = ${secrets}
  `.execute(tx)
  return numAffectedRows === 1n
}
