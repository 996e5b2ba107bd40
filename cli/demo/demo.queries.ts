import { sql } from 'kysely'
import type { AuthTx, Database, SystemTx } from '#server/platform/database/database.ts'
import { insertFiles } from './files.queries.ts'
import type { StoredDemoFile } from './store-files.ts'
import { insertSurroundings, type SurroundingRows } from './surroundings.queries.ts'

export interface UserRow {
  readonly id: string
  readonly email: string
  readonly password_hash: string
  readonly full_name: string
  readonly created_at: Date
}

export interface ContentRows {
  readonly organization: { id: string; name: string; slug: string; created_at: Date }
  readonly memberships: readonly { user_id: string; role: string; joined_at: Date }[]
  readonly projects: readonly { id: string; name: string; domain: string; key: string; created_at: Date }[]
  /** Columns of public.feedback but the organisation's. */
  readonly feedback: readonly Readonly<Record<string, unknown>>[]
  /** Columns of public.widget_counters but the organisation's. */
  readonly counts: readonly { project_id: string; hour: Date; event: string; n: number }[]
  /** Columns of public.feedback_comments but the organisation's. */
  readonly comments: readonly Readonly<Record<string, unknown>>[]
  /** Columns of public.feedback_events but the organisation's. */
  readonly events: readonly Readonly<Record<string, unknown>>[]
  readonly files: readonly StoredDemoFile[]
  readonly surroundings: SurroundingRows
}

export interface StandingMember {
  readonly id: string
  readonly email: string
  readonly full_name: string | null
  readonly role: string
}

export interface StandingDemo {
  readonly name: string
  readonly feedbackCount: number
  readonly projectCount: number
  readonly members: readonly StandingMember[]
}

/** The demo organisation as it is now; undefined when there is none. */
export async function findDemo(
  database: Database,
  organizationId: string,
  memberIds: readonly string[],
): Promise<StandingDemo | undefined> {
  return database.asSystem('the operator looks for the demo without a membership', async (tx) => {
    const organizations = await sql<{ name: string; feedback_count: number; project_count: number }>`
      select o.name,
             (select count(*) from feedback f where f.organization_id = o.id) as feedback_count,
             (select count(*) from projects p where p.organization_id = o.id) as project_count
      from organizations o where o.id = ${organizationId}
    `.execute(tx)
    const organization = organizations.rows[0]
    if (!organization) return undefined
    const members = await sql<StandingMember>`
      select m.user_id as id, p.email, p.full_name, m.role
      from memberships m join profiles p on p.user_id = m.user_id
      where m.organization_id = ${organizationId} and m.user_id = any (${[...memberIds]})
      order by m.joined_at, m.user_id
    `.execute(tx)
    return {
      name: organization.name,
      feedbackCount: organization.feedback_count,
      projectCount: organization.project_count,
      members: members.rows,
    }
  })
}

/** Password hashes of these accounts. */
export async function findPasswordHashes(database: Database, userIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await database.asAuthAdmin('only the auth service may read password hashes', (tx) =>
    sql<{ id: string; encrypted_password: string }>`
      select id, encrypted_password from auth.users where id = any (${[...userIds]})
    `.execute(tx),
  )
  return new Map(rows.map((row) => [row.id, row.encrypted_password]))
}

/** Whether the instance has a superadmin. */
export async function hasSuperadmin(database: Database): Promise<boolean> {
  const { rows } = await database.asSystem('superadmins belong to no organisation', (tx) =>
    sql`select from app.superadmins limit 1`.execute(tx),
  )
  return rows.length > 0
}

/**
 * Replaces the demo, all or nothing. Accounts belong to the auth service and all other rows to the system, so this
 * transaction switches its role: with two transactions, a failure between them would leave accounts with a known
 * password behind, or one of them as superadmin.
 *
 * @returns an address of the demo that another account has; nothing was changed then.
 */
export async function replaceDemo(
  database: Database,
  users: readonly UserRow[],
  content: ContentRows,
): Promise<string | undefined> {
  return database
    .asAuthAdmin('the demo creates its own accounts', async (tx) => {
      const userIds = users.map((user) => user.id)
      const system = await becomeSystem(tx)
      await sql`delete from organizations where id = ${content.organization.id}`.execute(system)
      const auth = await becomeAuthAdmin(tx)
      await sql`delete from auth.users where id = any (${userIds})`.execute(auth)
      const taken = await sql<{ email: string }>`
      select email from auth.users where email = any (${users.map((user) => user.email)}) limit 1
    `.execute(auth)
      if (taken.rows[0]) throw new TakenAddressError(taken.rows[0].email)
      await insertUsers(auth, users)
      await insertContent(await becomeSystem(tx), userIds, content)
      return undefined
    })
    .catch((error: unknown) => {
      if (error instanceof TakenAddressError) return error.message
      throw error
    })
}

/** Rolls the transaction back. */
class TakenAddressError extends Error {}

async function becomeSystem(tx: AuthTx | SystemTx): Promise<SystemTx> {
  await sql`select set_config('role', 'service_role', true)`.execute(tx)
  // The brand says which role was entered on the line above.
  return tx as unknown as SystemTx
}

async function becomeAuthAdmin(tx: AuthTx | SystemTx): Promise<AuthTx> {
  await sql`select set_config('role', 'supabase_auth_admin', true)`.execute(tx)
  // The brand says which role was entered on the line above.
  return tx as unknown as AuthTx
}

async function insertUsers(tx: AuthTx, users: readonly UserRow[]): Promise<void> {
  // As invited accounts, so that the sign-up trigger creates no organisation for each.
  await sql`
    insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, invited_at,
      raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
    select u.id, 'authenticated', 'authenticated', u.email, u.password_hash, u.created_at, u.created_at,
           '{"provider": "email", "providers": ["email"]}', jsonb_build_object('sub', u.id, 'email', u.email,
             'full_name', u.full_name, 'email_verified', true, 'phone_verified', false), u.created_at, u.created_at
    from json_to_recordset(${JSON.stringify(users)}::json)
      as u (id uuid, email text, password_hash text, full_name text, created_at timestamptz)
  `.execute(tx)
  await sql`
    insert into auth.identities (provider_id, user_id, provider, identity_data, created_at, updated_at)
    select u.id::text, u.id, 'email', u.raw_user_meta_data, u.created_at, u.created_at
    from auth.users u where u.id = any (${users.map((user) => user.id)})
  `.execute(tx)
}

async function insertContent(tx: SystemTx, userIds: readonly string[], content: ContentRows): Promise<void> {
  const { organization } = content
  // The first confirmed account of an instance becomes superadmin by trigger. One whose password is public must not,
  // unless the operator named it in SUPERADMIN_EMAILS.
  await sql`
    delete from app.superadmins s
    where s.user_id = any (${[...userIds]})
      and not exists (
        select from profiles p, app.instance_settings i
        where p.user_id = s.user_id and p.email = any (i.superadmin_emails))
  `.execute(tx)
  await sql`
    update app.instance_settings set has_had_superadmin = exists (select from app.superadmins)
  `.execute(tx)
  await sql`
    insert into organizations (id, name, slug, subscription_status, created_at)
    select ${organization.id}, ${organization.name},
           case when exists (select from organizations o where o.slug = ${organization.slug})
             then ${`${organization.slug}-${organization.id.slice(-4)}`} else ${organization.slug} end,
           'self_hosted', ${organization.created_at}
  `.execute(tx)
  await sql`
    insert into memberships (organization_id, user_id, role, joined_at)
    select ${organization.id}, m.user_id, m.role, m.joined_at
    from json_to_recordset(${JSON.stringify(content.memberships)}::json) as m (user_id uuid, role text, joined_at timestamptz)
  `.execute(tx)
  const projects = sql`json_to_recordset(${JSON.stringify(content.projects)}::json)
    as p (id uuid, name text, domain text, key text, created_at timestamptz)`
  await sql`
    insert into projects (organization_id, id, name, domain, created_at)
    select ${organization.id}, p.id, p.name, p.domain, p.created_at from ${projects}
  `.execute(tx)
  await sql`
    insert into widgets (organization_id, project_id, key, created_at, last_loaded_at)
    select ${organization.id}, p.id, p.key, p.created_at, now() from ${projects}
  `.execute(tx)
  await insertFeedback(tx, organization.id, content)
  await insertFiles(tx, content.files)
  await insertCounts(tx, organization.id, content)
  await insertSurroundings(tx, organization.id, content.surroundings)
}

/** The widget's counts, and the sums that jobs would have computed by now or will once the product runs. */
async function insertCounts(tx: SystemTx, organizationId: string, { counts }: ContentRows): Promise<void> {
  await sql`
    insert into widget_counters (organization_id, project_id, hour, event, n)
    select ${organizationId}, c.*
    from json_to_recordset(${JSON.stringify(counts)}::json) as c (project_id uuid, hour timestamptz, event text, n bigint)
  `.execute(tx)
  await sql`
    insert into widget_days (organization_id, project_id, day, loaded, opened, submitted)
    select c.organization_id, c.project_id, (c.hour at time zone 'utc')::date,
      coalesce(sum(c.n) filter (where c.event = 'loaded'), 0), coalesce(sum(c.n) filter (where c.event = 'opened'), 0),
      coalesce(sum(c.n) filter (where c.event = 'submitted'), 0)
    from widget_counters c
    where c.organization_id = ${organizationId} and c.hour < date_trunc('day', now(), 'utc')
    group by 1, 2, 3
  `.execute(tx)
  await sql`
    insert into app.feedback_day_marks (organization_id, day, is_whole)
    select distinct f.organization_id, (f.created_at at time zone 'utc')::date, true
    from feedback f where f.organization_id = ${organizationId}
  `.execute(tx)
  await sql`select app.enqueue_job('refresh_analytics', '{}')`.execute(tx)
}

/** In its final state; the triggers saw no changes, so its history is inserted as well. */
async function insertFeedback(tx: SystemTx, organizationId: string, content: ContentRows): Promise<void> {
  await sql`
    insert into feedback (organization_id, id, project_id, number, type, source, status, closed_reason, priority, message,
      rating, visitor_email, visitor_name, page_url, page_title, context, metadata, content_hash, version, created_at,
      updated_at, first_viewed_at, resolved_at, nps, tags, visitor_id, visitor_verified, spam_reason, archived_at, deleted_at, merged_into, assignee_user_id,
      first_response_at, media_kinds)
    select ${organizationId}, f.*
    from json_to_recordset(${JSON.stringify(content.feedback)}::json) as f (
      id uuid, project_id uuid, number bigint, type text, source text, status text, closed_reason text, priority text,
      message text, rating smallint, visitor_email text, visitor_name text, page_url text, page_title text,
      context jsonb, metadata jsonb, content_hash bytea, version integer, created_at timestamptz,
      updated_at timestamptz, first_viewed_at timestamptz, resolved_at timestamptz, nps smallint, tags text[],
      visitor_id text, visitor_verified boolean, spam_reason text, archived_at timestamptz, deleted_at timestamptz,
      merged_into uuid, assignee_user_id uuid, first_response_at timestamptz, media_kinds text[])
  `.execute(tx)
  await sql`
    insert into feedback_reads (organization_id, feedback_id, user_id, seen_at)
    select f.organization_id, f.id, m.user_id, '-infinity'
    from feedback f join memberships m on m.organization_id = f.organization_id
    where f.organization_id = ${organizationId} and f.location = 'inbox' and f.first_viewed_at is null
  `.execute(tx)
  await sql`
    insert into feedback_events (organization_id, id, feedback_id, actor_user_id, field, from_value, to_value, created_at)
    select ${organizationId}, e.*
    from json_to_recordset(${JSON.stringify(content.events)}::json) as e (
      id uuid, feedback_id uuid, actor_user_id uuid, field text, from_value text, to_value text, created_at timestamptz)
  `.execute(tx)
  await sql`
    insert into feedback_comments
      (organization_id, id, feedback_id, kind, author_user_id, text, created_at, from_visitor, solved, delivery)
    select ${organizationId}, c.*
    from json_to_recordset(${JSON.stringify(content.comments)}::json) as c (
      id uuid, feedback_id uuid, kind text, author_user_id uuid, text text, created_at timestamptz,
      from_visitor boolean, solved boolean, delivery text)
  `.execute(tx)
  await sql`
    update project_counters c
    set last_number = n.top, feedback_count = n.count
    from (
      select f.project_id, max(f.number) as top, count(*) as count
      from feedback f where f.organization_id = ${organizationId} group by f.project_id
    ) n
    where c.organization_id = ${organizationId} and c.project_id = n.project_id
  `.execute(tx)
}
