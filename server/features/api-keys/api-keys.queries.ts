import { sql } from 'kysely'
import type { ApiKey } from '#contract/api-keys.ts'
import type { KeyScope } from '#contract/key-scope.ts'
import type { Database, SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Refined, Row } from '#server/platform/database/row.ts'
import type { CallingKey } from '#server/platform/http/key-guard.ts'

interface KeyRow
  extends Row<
    'api_keys',
    | 'id'
    | 'name'
    | 'prefix'
    | 'created_at'
    | 'expires_at'
    | 'last_used_at'
    | 'last_used_ip'
    | 'revoked_at'
    | 'replaced_by'
    | 'overlap_until'
  > {
  scopes: Refined<'api_keys', 'scopes', KeyScope[]>
  state: ApiKey['state']
  created_by_name: string | null
}

const keyRows = sql`
  select k.id, k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.last_used_at, k.last_used_ip, k.revoked_at,
         k.replaced_by, k.overlap_until, coalesce(nullif(p.full_name, ''), p.email) as created_by_name,
         case
           when k.revoked_at is not null then 'revoked'
           when least(k.expires_at, k.overlap_until) <= now() then 'expired'
           when k.replaced_by is not null then 'overlap'
           else 'active'
         end as state
  from api_keys k
  left join profiles p on p.user_id = k.created_by
`

/** Which key. */
export interface KeyPath {
  readonly organizationId: string
  readonly projectId: string
  readonly keyId: string
}

/** Keys of a project, newest first; of revoked ones only those of the last 30 days. */
export async function listKeys(tx: TenantTx, organizationId: string, projectId: string): Promise<ApiKey[]> {
  const { rows } = await sql<KeyRow>`
    ${keyRows}
    where k.organization_id = ${organizationId} and k.project_id = ${projectId}
      and coalesce(k.revoked_at > now() - interval '30 days', true)
    order by k.created_at desc, k.id desc
  `.execute(tx)
  return rows.map(toKey)
}

export async function findKey(
  tx: TenantTx,
  { organizationId, projectId, keyId }: KeyPath,
): Promise<ApiKey | undefined> {
  const { rows } = await sql<KeyRow>`
    ${keyRows} where k.organization_id = ${organizationId} and k.project_id = ${projectId} and k.id = ${keyId}
  `.execute(tx)
  return rows[0] && toKey(rows[0])
}

/** Whether the project exists. Locks out other changes of its keys until the transaction ends, so that the limit holds. */
export async function holdKeys(tx: TenantTx, organizationId: string, projectId: string): Promise<boolean> {
  // In a statement of its own: a statement that waited for the lock would read from before the wait.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api_keys:${projectId}`}, 0))`.execute(tx)
  return projectExists(tx, organizationId, projectId)
}

export async function projectExists(tx: TenantTx, organizationId: string, projectId: string): Promise<boolean> {
  const { rows } = await sql`
    select from projects where organization_id = ${organizationId} and id = ${projectId}`.execute(tx)
  return rows.length > 0
}

/** How many keys a project has that were not revoked. */
export async function countKeys(tx: TenantTx, organizationId: string, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from api_keys
    where organization_id = ${organizationId} and project_id = ${projectId} and revoked_at is null
  `.execute(tx)
  return rows[0]?.count ?? 0
}

export async function insertKey(
  tx: TenantTx,
  key: {
    organizationId: string
    projectId: string
    id: string
    name: string
    prefix: string
    hash: Buffer
    scopes: readonly KeyScope[]
    createdBy: string
    expiresAt: string | null
  },
): Promise<void> {
  await sql`
    insert into api_keys (organization_id, id, project_id, name, prefix, hash, scopes, created_by, expires_at)
    values (${key.organizationId}, ${key.id}, ${key.projectId}, ${key.name}, ${key.prefix}, ${key.hash},
      ${[...key.scopes]}::text[], ${key.createdBy}, ${key.expiresAt})
  `.execute(tx)
}

/** Lets a key work beside its replacement for some more hours, possibly none. */
export async function replaceKey(
  tx: TenantTx,
  { organizationId, keyId }: KeyPath,
  replacement: { id: string; overlapHours: number },
): Promise<void> {
  await sql`
    update api_keys
    set replaced_by = ${replacement.id}, overlap_until = now() + make_interval(hours => ${replacement.overlapHours}),
        revoked_at = case when ${replacement.overlapHours} = 0 then now() end
    where organization_id = ${organizationId} and id = ${keyId}
  `.execute(tx)
}

/** Revokes a key. A revoked one keeps its time. */
export async function revokeKey(tx: TenantTx, { organizationId, keyId }: KeyPath): Promise<void> {
  await sql`
    update api_keys set revoked_at = now()
    where organization_id = ${organizationId} and id = ${keyId} and revoked_at is null
  `.execute(tx)
}

/** The key with that hash, whether it still works or not. */
export async function findKeyByHash(database: Database, hash: Buffer): Promise<CallingKey | undefined> {
  const { rows } = await sql<Omit<CallingKey, 'scopes'> & { scopes: KeyScope[] }>`
    select id, organization_id as "organizationId", project_id as "projectId", scopes, ends_at as "endsAt",
           revoked_at is not null as "isRevoked", is_suspended as "organizationIsSuspended"
    from app.find_api_key(${hash})
  `.execute(database.powerless)
  return rows[0]
}

/** One key's latest use. */
export interface KeyUse {
  readonly organizationId: string
  readonly keyId: string
  readonly atMs: number
  readonly ip: string
}

/** Notes when keys were last used, unless a later use is known. */
export async function noteKeyUses(tx: SystemTx, uses: readonly KeyUse[]): Promise<void> {
  await sql`
    update api_keys k set last_used_at = u.at, last_used_ip = u.ip
    from (
      select i."organizationId", i."keyId", to_timestamp(i."atMs" / 1000.0) as at, i.ip
      from json_to_recordset(${JSON.stringify(uses)}::json)
        as i ("organizationId" uuid, "keyId" uuid, "atMs" double precision, ip text)
    ) u
    where k.organization_id = u."organizationId" and k.id = u."keyId"
      and coalesce(k.last_used_at < u.at, true)
  `.execute(tx)
}

function toKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    createdByName: row.created_by_name,
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastUsedIp: row.last_used_ip,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    replacedBy: row.replaced_by,
    overlapUntil: row.overlap_until?.toISOString() ?? null,
  }
}
