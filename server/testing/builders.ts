import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type pg from 'pg'
import { createKey } from '#server/features/api-keys/key-format.ts'

/*
 * Rows that tests begin with, written as the database's owner, past row-level security. What the database does by
 * itself (the sign-up trigger, the project's counter) is left to it.
 */

/** The password of every built user. */
export const builtPassword = 'correct horse battery staple'
// As weak as argon2 goes: a test waits for it, and checks nothing about it.
let passwordHash: Promise<string> | undefined

export interface BuiltUser {
  readonly id: string
  readonly email: string
  /** The organisation that sign-up made; undefined for someone invited, who gets none. */
  readonly organizationId: string | undefined
}

/** A person with an e-mail account. By default confirmed, and owner of an organisation of their own. */
export async function createUser(
  client: pg.Client,
  options: {
    email?: string
    fullName?: string
    organizationName?: string
    isConfirmed?: boolean
    isBanned?: boolean
    isInvited?: boolean
  } = {},
): Promise<BuiltUser> {
  const id = randomUUID()
  const email = options.email ?? `user-${id.slice(0, 8)}@example.com`
  passwordHash ??= hash(builtPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await client.query(
    `insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, banned_until, invited_at, raw_app_meta_data,
       raw_user_meta_data, created_at, updated_at)
     values ($1, 'authenticated', 'authenticated', $2, $7, case when $3 then now() end,
       case when $4 then now() + interval '1 day' end, case when $5 then now() end,
       '{"provider": "email", "providers": ["email"]}', $6, now(), now())`,
    [
      id,
      email,
      options.isConfirmed ?? true,
      options.isBanned ?? false,
      options.isInvited ?? false,
      { organization_name: options.organizationName ?? 'Example', full_name: options.fullName ?? 'Ada Example' },
      await passwordHash,
    ],
  )
  await client.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
     values ($1, $2, $3, 'email', now(), now())`,
    [id, id, { sub: id, email, email_verified: options.isConfirmed ?? true }],
  )
  const { rows } = await client.query<{ organization_id: string }>(
    'select organization_id from public.memberships where user_id = $1',
    [id],
  )
  return { id, email, organizationId: rows[0]?.organization_id }
}

/** Someone who was invited into the organisation and belongs to no other. */
export async function createMember(
  client: pg.Client,
  options: {
    organizationId: string
    role: 'owner' | 'admin' | 'member' | 'viewer'
    isConfirmed?: boolean
    isBanned?: boolean
  },
): Promise<BuiltUser> {
  const user = await createUser(client, { ...options, isInvited: true })
  await addMember(client, { organizationId: options.organizationId, userId: user.id, role: options.role })
  return { ...user, organizationId: options.organizationId }
}

export async function addMember(
  client: pg.Client,
  member: { organizationId: string; userId: string; role: 'owner' | 'admin' | 'member' | 'viewer' },
): Promise<void> {
  await client.query('insert into public.memberships (organization_id, user_id, role) values ($1, $2, $3)', [
    member.organizationId,
    member.userId,
    member.role,
  ])
}

/** A project with its widget. */
export async function createProject(
  client: pg.Client,
  options: { organizationId: string; name?: string; domain?: string },
): Promise<{ id: string; widgetKey: string; domain: string }> {
  const id = randomUUID()
  const domain = options.domain ?? `site-${id.slice(0, 8)}.example.com`
  const widgetKey = `wk_${randomBytes(17).toString('base64url').slice(0, 22)}`
  await client.query('insert into public.projects (organization_id, id, name, domain) values ($1, $2, $3, $4)', [
    options.organizationId,
    id,
    options.name ?? 'Website',
    domain,
  ])
  await client.query('insert into public.widgets (organization_id, project_id, key) values ($1, $2, $3)', [
    options.organizationId,
    id,
    widgetKey,
  ])
  return { id, widgetKey, domain }
}

/** An API key of a project, with both scopes and a name. Returns its id. */
export async function createApiKey(
  client: pg.Client,
  options: { organizationId: string; projectId: string; key?: string; scopes?: string[] },
): Promise<string> {
  const { organizationId, projectId, key = randomUUID(), scopes = ['read', 'write'] } = options
  const { rows } = await client.query<{ id: string }>(
    `insert into public.api_keys (organization_id, project_id, name, prefix, hash, scopes, created_by)
     values ($1, $2, 'Import', 'es_AbCdEf12', sha256(convert_to($3, 'UTF8')), $4, $1) returning id`,
    [organizationId, projectId, key, scopes],
  )
  return rows[0]?.id ?? ''
}

/** An API key that works, as programs send it. */
export async function createWorkingKey(
  client: pg.Client,
  options: { organizationId: string; projectId: string; scopes?: string[] },
): Promise<string> {
  const key = createKey()
  await createApiKey(client, { ...options, key })
  return key
}

/** The access token of an app that a member has connected, as apps send it. */
export async function createAppToken(
  client: pg.Client,
  options: { organizationId: string; userId: string; scopes?: string[] },
): Promise<string> {
  const { organizationId, userId, scopes = ['read', 'write'] } = options
  const token = `esa_${randomBytes(32).toString('hex')}`
  await client.query(
    `with app as (
       insert into app.oauth_clients (name, redirect_uris) values ('Agent', '{http://127.0.0.1/}') returning id
     ), granted as (
       insert into public.oauth_grants
         (organization_id, user_id, client_id, client_name, redirect_host, scopes, expires_at, last_used_at)
       select $1, $2, app.id, 'Agent', 'localhost', $3, now() + interval '1 day', now() from app returning id
     )
     insert into app.oauth_tokens (organization_id, grant_id, kind, hash, expires_at)
     select $1, granted.id, 'access', sha256(convert_to($4, 'UTF8')), now() + interval '1 hour' from granted`,
    [organizationId, userId, scopes, token],
  )
  return token
}

/** An item with the project's next number. */
export async function createFeedback(
  client: pg.Client,
  options: { organizationId: string; projectId: string; message?: string; type?: string; createdAt?: Date },
): Promise<{ id: string; number: number }> {
  const id = randomUUID()
  const message = options.message ?? 'The button does nothing.'
  const { rows } = await client.query<{ number: string }>(
    `with counter as (
       update public.project_counters set last_number = last_number + 1, feedback_count = feedback_count + 1
       where organization_id = $1 and project_id = $2 returning last_number)
     insert into public.feedback (organization_id, project_id, id, number, type, source, message, page_url, content_hash, created_at)
     select $1, $2, $3, last_number, $4, 'widget', $5, 'https://example.com/', $6, coalesce($7, now()) from counter
     returning number`,
    [
      options.organizationId,
      options.projectId,
      id,
      options.type ?? 'bug',
      message,
      createHash('sha256').update(message).digest(),
      options.createdAt ?? null,
    ],
  )
  const row = rows[0]
  if (!row) throw new Error('The project does not exist.')
  return { id, number: Number(row.number) }
}
