import { sql } from 'kysely'
import type { ConnectedApp } from '#contract/connected-apps.ts'
import type { KeyScope } from '#contract/key-scope.ts'
import type { Role } from '#contract/permissions.ts'
import type { Database, SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

export interface OAuthClient {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
}

export async function insertClient(
  tx: SystemTx,
  { name, redirectUris }: Omit<OAuthClient, 'id'>,
): Promise<{ id: string; createdAt: Date }> {
  const { rows } = await sql<{ id: string; createdAt: Date }>`
    insert into app.oauth_clients (name, redirect_uris) values (${name}, ${[...redirectUris]}::text[])
    returning id, created_at as "createdAt"
  `.execute(tx)
  const [row] = rows
  if (!row) throw new Error('an insert returns its row')
  return row
}

export async function findClient(tx: SystemTx, id: string): Promise<OAuthClient | undefined> {
  const { rows } = await sql<OAuthClient>`
    select id, name, redirect_uris as "redirectUris" from app.oauth_clients where id = ${id}`.execute(tx)
  return rows[0]
}

export interface NewGrant {
  readonly organizationId: string
  readonly id: string
  readonly userId: string
  readonly clientId: string
  readonly clientName: string
  readonly redirectHost: string
  readonly scopes: readonly KeyScope[]
  readonly expiresAt: Date
}

/** False: the person is not a member of the organisation. */
export async function insertGrant(tx: TenantTx, grant: NewGrant): Promise<boolean> {
  const { organizationId, id, userId, clientId, clientName, redirectHost, scopes, expiresAt } = grant
  const { numAffectedRows } = await sql`
    insert into oauth_grants (organization_id, id, user_id, client_id, client_name, redirect_host, scopes, expires_at)
    select m.organization_id, ${id}, m.user_id, ${clientId}, ${clientName}, ${redirectHost}, ${[...scopes]}::text[],
      ${expiresAt}
    from memberships m where m.organization_id = ${organizationId} and m.user_id = ${userId}
  `.execute(tx)
  return numAffectedRows === 1n
}

export interface NewCode {
  readonly organizationId: string
  readonly grantId: string
  readonly hash: Buffer
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly expiresAt: Date
}

export async function insertCode(tx: TenantTx, code: NewCode): Promise<void> {
  const { organizationId, grantId, hash, redirectUri, codeChallenge, expiresAt } = code
  await sql`
    insert into app.oauth_codes (organization_id, grant_id, hash, redirect_uri, code_challenge, expires_at)
    values (${organizationId}, ${grantId}, ${hash}, ${redirectUri}, ${codeChallenge}, ${expiresAt})
  `.execute(tx)
}

type AppRow = Omit<ConnectedApp, 'connectedAt' | 'lastUsedAt'> & { connectedAt: Date; lastUsedAt: Date | null }

/** The caller's connections that work, newest first. */
export async function listApps(tx: TenantTx): Promise<ConnectedApp[]> {
  const { rows } = await sql<AppRow>`
    select g.id, g.client_name as name, g.redirect_host as "redirectHost", o.name as "organizationName", g.scopes,
      g.created_at as "connectedAt", g.last_used_at as "lastUsedAt"
    from oauth_grants g
    join organizations o on o.id = g.organization_id
    where g.user_id = (select auth.uid()) and g.revoked_at is null and g.expires_at > now()
    order by g.created_at desc, g.id desc
    limit 200
  `.execute(tx)
  return rows.map(({ connectedAt, lastUsedAt, ...app }) => ({
    ...app,
    connectedAt: connectedAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
}

/** Undefined: the caller has no such connection, or it has ended. */
export async function revokeOwnGrant(
  tx: TenantTx,
  id: string,
): Promise<{ organizationId: string; name: string } | undefined> {
  const { rows } = await sql<{ organizationId: string; name: string }>`
    update oauth_grants set revoked_at = now()
    where user_id = (select auth.uid()) and id = ${id} and revoked_at is null
    returning organization_id as "organizationId", client_name as name
  `.execute(tx)
  return rows[0]
}

/** What a code, or a refresh token, belongs to. */
export interface SecretOwner {
  readonly organizationId: string
  readonly grantId: string
  readonly clientId: string
  readonly clientName: string
  readonly scopes: readonly KeyScope[]
  readonly isExpired: boolean
  /** The grant was revoked, or the account or organisation is closed to it. */
  readonly isEnded: boolean
  /** It was exchanged before. */
  readonly isUsed: boolean
}

const ownerColumns = sql`
  g.organization_id as "organizationId", g.id as "grantId", g.client_id as "clientId", g.client_name as "clientName",
  g.scopes, s.expires_at <= now() as "isExpired", s.used_at is not null as "isUsed",
  g.revoked_at is not null or not app.is_usable_account(g.user_id) or not app.is_open_organization(g.organization_id)
    as "isEnded"
`

/** Marks a code as used, and says whether it was already. Others wait for the same code. */
export async function useCode(
  tx: SystemTx,
  hash: Buffer,
): Promise<(SecretOwner & Pick<NewCode, 'redirectUri' | 'codeChallenge'>) | undefined> {
  const { rows } = await sql<SecretOwner & Pick<NewCode, 'redirectUri' | 'codeChallenge'>>`
    select ${ownerColumns}, s.redirect_uri as "redirectUri", s.code_challenge as "codeChallenge"
    from app.oauth_codes s
    join oauth_grants g on g.organization_id = s.organization_id and g.id = s.grant_id
    where s.hash = ${hash}
    for update of s
  `.execute(tx)
  await sql`update app.oauth_codes set used_at = now() where hash = ${hash} and used_at is null`.execute(tx)
  return rows[0]
}

/**
 * A refresh token, for the transaction that exchanges it. Others wait for it.
 *
 * @returns `isCopy`: it was first exchanged longer than `graceSeconds` ago.
 */
export async function lockRefreshToken(
  tx: SystemTx,
  hash: Buffer,
  graceSeconds: number,
): Promise<(SecretOwner & { readonly isCopy: boolean }) | undefined> {
  const { rows } = await sql<SecretOwner & { isCopy: boolean }>`
    select ${ownerColumns},
      coalesce(s.used_at < clock_timestamp() - make_interval(secs => ${graceSeconds}), false) as "isCopy"
    from app.oauth_tokens s
    join oauth_grants g on g.organization_id = s.organization_id and g.id = s.grant_id
    where s.hash = ${hash} and s.kind = 'refresh'
    for update of s
  `.execute(tx)
  return rows[0]
}

/** Notes its first exchange. */
export async function markTokenUsed(tx: SystemTx, hash: Buffer): Promise<void> {
  await sql`update app.oauth_tokens set used_at = now() where hash = ${hash} and used_at is null`.execute(tx)
}

/** The grant of a token of either kind. */
export async function findTokenOwner(tx: SystemTx, hash: Buffer): Promise<SecretOwner | undefined> {
  const { rows } = await sql<SecretOwner>`
    select ${ownerColumns}
    from app.oauth_tokens s
    join oauth_grants g on g.organization_id = s.organization_id and g.id = s.grant_id
    where s.hash = ${hash}
  `.execute(tx)
  return rows[0]
}

export async function insertTokens(
  tx: SystemTx,
  { organizationId, grantId }: Pick<SecretOwner, 'organizationId' | 'grantId'>,
  tokens: readonly { kind: 'access' | 'refresh'; hash: Buffer; seconds: number }[],
): Promise<void> {
  for (const { kind, hash, seconds } of tokens) {
    await sql`
      insert into app.oauth_tokens (organization_id, grant_id, kind, hash, expires_at)
      values (${organizationId}, ${grantId}, ${kind}, ${hash}, now() + make_interval(secs => ${seconds}))
    `.execute(tx)
  }
  const longest = Math.max(...tokens.map(({ seconds }) => seconds))
  await sql`
    update oauth_grants set expires_at = now() + make_interval(secs => ${longest})
    where organization_id = ${organizationId} and id = ${grantId}
  `.execute(tx)
}

/** False: it was revoked before. */
export async function revokeGrant(
  tx: SystemTx,
  { organizationId, grantId }: Pick<SecretOwner, 'organizationId' | 'grantId'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update oauth_grants set revoked_at = now()
    where organization_id = ${organizationId} and id = ${grantId} and revoked_at is null
  `.execute(tx)
  return numAffectedRows === 1n
}

/** Whom an access token acts for. */
export interface TokenHolder
  extends RowAs<
    'oauth_grants',
    {
      organizationId: 'organization_id'
      grantId: 'id'
      userId: 'user_id'
      clientName: 'client_name'
      lastUsedAt: 'last_used_at'
    }
  > {
  readonly scopes: readonly KeyScope[]
  readonly role: Role
}

/** Undefined: no such token, or it opens nothing any more. */
export async function findTokenHolder(database: Database, hash: Buffer): Promise<TokenHolder | undefined> {
  const { rows } = await sql<TokenHolder>`
    select organization_id as "organizationId", grant_id as "grantId", user_id as "userId", role,
      client_name as "clientName", scopes, last_used_at as "lastUsedAt"
    from app.find_oauth_token(${hash})
  `.execute(database.powerless)
  return rows[0]
}

export async function noteUse(
  tx: SystemTx,
  { organizationId, grantId }: Pick<TokenHolder, 'organizationId' | 'grantId'>,
): Promise<void> {
  await sql`
    update oauth_grants set last_used_at = now() where organization_id = ${organizationId} and id = ${grantId}
  `.execute(tx)
}

/** Deletes what no one asks for any more: secrets a day after they expire, ended grants and unused apps later. */
export async function pruneSecrets(tx: SystemTx): Promise<void> {
  await sql`delete from app.oauth_codes where expires_at < now() - interval '1 day'`.execute(tx)
  await sql`delete from app.oauth_tokens where expires_at < now() - interval '1 day'`.execute(tx)
  await sql`
    delete from oauth_grants where least(revoked_at, expires_at) < now() - interval '30 days'`.execute(tx)
  await sql`
    delete from app.oauth_clients c
    where c.created_at < now() - interval '90 days'
      and not exists (select from oauth_grants g where g.client_id = c.id)
  `.execute(tx)
}
