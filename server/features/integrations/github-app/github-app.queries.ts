import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

interface Place {
  readonly organizationId: string
  readonly id: string
}

export interface StartedApp extends Place {
  readonly userId: string
  readonly sessionId: string
  readonly stateHash: Buffer
  readonly webUrl: string
  readonly account: string | null
  readonly expiresAt: Date
}

export async function insertApp(tx: TenantTx, app: StartedApp): Promise<void> {
  const { organizationId, id, userId, sessionId, stateHash, webUrl, account, expiresAt } = app
  await sql`
    insert into github_apps (organization_id, id, user_id, session_id, state_hash, web_url, account, expires_at)
    values (${organizationId}, ${id}, ${userId}, ${sessionId}, ${stateHash}, ${webUrl}, ${account}, ${expiresAt})
  `.execute(tx)
}

/** What the page that leads to GitHub needs. Undefined: the state was used, or has expired. */
export async function findStarted(
  tx: SystemTx,
  stateHash: Buffer,
): Promise<
  (Pick<StartedApp, 'organizationId' | 'id' | 'webUrl' | 'account'> & { organizationName: string }) | undefined
> {
  const { rows } = await sql<
    Pick<StartedApp, 'organizationId' | 'id' | 'webUrl' | 'account'> & { organizationName: string }
  >`
    select a.organization_id as "organizationId", a.id, a.web_url as "webUrl", a.account, o.name as "organizationName"
    from github_apps a
    join organizations o on o.id = a.organization_id
    where a.state_hash = ${stateHash} and a.expires_at > now() and app.is_open_organization(a.organization_id)
  `.execute(tx)
  return rows[0]
}

/** Uses up a state, once, in the session that it was made for. @returns GitHub's address; undefined: it is not valid. */
export async function spendState(
  tx: TenantTx,
  {
    organizationId,
    id,
    stateHash,
    userId,
    sessionId,
  }: Pick<StartedApp, 'organizationId' | 'id' | 'stateHash' | 'userId' | 'sessionId'>,
): Promise<string | undefined> {
  const { rows } = await sql<RowAs<'github_apps', { webUrl: 'web_url' }>>`
    update github_apps set state_hash = null
    where organization_id = ${organizationId} and id = ${id} and state_hash = ${stateHash} and user_id = ${userId}
      and session_id = ${sessionId} and expires_at > now()
    returning web_url as "webUrl"
  `.execute(tx)
  return rows[0]?.webUrl
}

export async function storeCredentials(
  tx: TenantTx,
  {
    organizationId,
    id,
    name,
    pageUrl,
    secrets,
    expiresAt,
  }: Place & { name: string; pageUrl: string; secrets: string; expiresAt: Date },
): Promise<void> {
  await sql`
    update github_apps
    set app_name = left(${name}, 200), page_url = ${pageUrl}, secrets = ${secrets}, expires_at = ${expiresAt}
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

/** An App that GitHub has created. */
export interface CreatedApp extends RowAs<'github_apps', { id: 'id'; webUrl: 'web_url'; expiresAt: 'expires_at' }> {
  readonly name: string
  readonly pageUrl: string
}

const createdRows = sql`
  select id, app_name as name, page_url as "pageUrl", web_url as "webUrl", expires_at as "expiresAt" from github_apps
`

export async function listCreated(tx: TenantTx, organizationId: string): Promise<CreatedApp[]> {
  const { rows } = await sql<CreatedApp>`
    ${createdRows}
    where organization_id = ${organizationId} and app_name is not null and expires_at > now() order by expires_at, id
  `.execute(tx)
  return rows
}

export async function findCreated(tx: TenantTx, { organizationId, id }: Place): Promise<CreatedApp | undefined> {
  const { rows } = await sql<CreatedApp>`
    ${createdRows}
    where organization_id = ${organizationId} and id = ${id} and app_name is not null and expires_at > now()
  `.execute(tx)
  return rows[0]
}

export async function hasApp(tx: TenantTx, { organizationId, id }: Place): Promise<boolean> {
  const { rows } = await sql`
    select from github_apps where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
  return rows.length > 0
}

/** The encrypted credentials, which the system alone may read. */
export async function readCredentials(tx: SystemTx, { organizationId, id }: Place): Promise<string | null> {
  const { rows } = await sql<RowAs<'github_apps', { secrets: 'secrets' }>>`
    select secrets from github_apps where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
  return rows[0]?.secrets ?? null
}

/** False: it is gone, or was connected already. */
export async function deleteApp(tx: TenantTx, { organizationId, id }: Place): Promise<boolean> {
  const { rows } = await sql`
    delete from github_apps where organization_id = ${organizationId} and id = ${id} returning id
  `.execute(tx)
  return rows.length > 0
}

export async function deleteExpired(tx: SystemTx): Promise<void> {
  await sql`delete from github_apps where expires_at < now()`.execute(tx)
}
