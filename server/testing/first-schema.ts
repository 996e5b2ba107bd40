import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { migrate } from '#server/platform/database/migrate.ts'
import { functionsFolder } from '#server/platform/database/migration-files.ts'
import { firstSchema } from '#server/platform/database/migration-locks.ts'
import { builtPassword } from './builders.ts'

/*
 * An instance at the first schema: the twelve migrations that have one file per noun. Every later one is an upgrade. Its
 * rows are written without functions and triggers, which are those of today.
 */

/** Migrates an empty database to the first schema, without functions but the one that a later migration calls. */
export async function makeFirstSchema(url: string): Promise<void> {
  await migrate({ url, log: { info: () => {}, warn: () => {} }, until: firstSchema })
  const functions = await readFile(join(functionsFolder, 'feedback_counts.sql'), 'utf8')
  // 0017 counts with it what it finds. It is today as it was then.
  const [text = ''] = /^create or replace function app\.list_counted_facets.*?\$\$.*?\$\$;/ms.exec(functions) ?? []
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

export interface FirstInstance {
  readonly organizationId: string
  readonly projectId: string
  readonly widgetKey: string
  readonly domain: string
  readonly ownerEmail: string
}

/** Fills the tables of the first schema: an organisation with four members, three projects, and so many items. */
export async function fillFirstSchema(client: pg.Client, items: number): Promise<FirstInstance> {
  const organizationId = randomUUID()
  const [owner = '', ...members] = Array.from({ length: 4 }, () => randomUUID())
  const [projectId = '', ...projects] = Array.from({ length: 3 }, () => randomUUID())
  const widgetKey = `wk_${randomBytes(17).toString('base64url').slice(0, 22)}`
  const people = [owner, ...members]
  const password = await hash(builtPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await client.query('begin')
  await insertPeople(client, { organizationId, people, password })
  await client.query(
    `insert into public.projects (organization_id, id, name, domain, retention_days)
     select $1, id, 'Website ' || n, 'site-' || n || '.example.com', case n when 3 then 365 end
     from unnest($2::uuid[]) with ordinality as p (id, n)`,
    [organizationId, [projectId, ...projects]],
  )
  await client.query(
    `insert into public.widgets (organization_id, project_id, key)
     select $1, id, case n when 1 then $3 else 'wk_' || left(md5(id::text), 22) end
     from unnest($2::uuid[]) with ordinality as p (id, n)`,
    [organizationId, [projectId, ...projects], widgetKey],
  )
  await insertItems(client, { organizationId, people, projects: [projectId, ...projects], items })
  await insertSurroundings(client, { organizationId, owner, projectId })
  await client.query('commit')
  await client.query('vacuum analyze')
  return {
    organizationId,
    projectId,
    widgetKey,
    domain: 'site-1.example.com',
    ownerEmail: `${owner.slice(0, 8)}@example.com`,
  }
}

async function insertPeople(
  client: pg.Client,
  { organizationId, people, password }: { organizationId: string; people: readonly string[]; password: string },
): Promise<void> {
  await client.query(
    `insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
       raw_user_meta_data, created_at, updated_at)
     select id, 'authenticated', 'authenticated', left(id::text, 8) || '@example.com', $2, now(),
       '{"provider": "email", "providers": ["email"]}', '{"full_name": "Ada Example"}', now() - interval '400 days', now()
     from unnest($1::uuid[]) as id`,
    [people, password],
  )
  await client.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
     select id, id, jsonb_build_object('sub', id, 'email', left(id::text, 8) || '@example.com', 'email_verified', true),
       'email', now(), now() from unnest($1::uuid[]) as id`,
    [people],
  )
  await client.query(
    `insert into public.profiles (user_id, full_name, email)
     select id, 'Ada Example ' || n, left(id::text, 8) || '@example.com' from unnest($1::uuid[]) with ordinality as p (id, n)`,
    [people],
  )
  await client.query(
    `insert into public.organizations (id, name, slug, subscription_status, created_at)
     values ($1::uuid, 'Example', 'example-' || left($1::uuid::text, 8), 'self_hosted', now() - interval '400 days')`,
    [organizationId],
  )
  await client.query(
    `insert into public.memberships (organization_id, user_id, role, joined_at)
     select $1, id, case n when 1 then 'owner' when 2 then 'admin' when 3 then 'member' else 'viewer' end, now() - interval '300 days'
     from unnest($2::uuid[]) with ordinality as p (id, n)`,
    [organizationId, people],
  )
}

async function insertItems(
  client: pg.Client,
  given: { organizationId: string; people: readonly string[]; projects: readonly string[]; items: number },
): Promise<void> {
  const { organizationId, people, projects, items } = given
  // The rows are right by construction; checking each reference would only take time.
  await client.query('set local session_replication_role = replica')
  await client.query(
    `insert into public.feedback (organization_id, id, project_id, number, type, source, status, priority, message,
       visitor_email, visitor_name, visitor_id, page_url, page_title, context, metadata, content_hash, rating, nps, fields, tags,
       media_kinds, assignee_user_id, first_viewed_at, first_response_at, resolved_at, archived_at, spam_reason, deleted_at,
       version, created_at, updated_at, search)
     select $1::uuid, md5($1::uuid::text || n)::uuid, ($2::uuid[])[1 + n % 3], 1 + n / 3,
       (array['bug', 'idea', 'question', 'praise', 'other'])[1 + n % 5], (array['widget', 'widget', 'api', 'import'])[1 + n % 4],
       (array['new', 'open', 'in_progress', 'resolved'])[1 + n % 4], (array['none', 'none', 'low', 'high', 'urgent'])[1 + n % 5],
       message, visitor_email, case when n % 4 = 0 then 'Visitor ' || n % 997 end, case when n % 3 = 0 then 'customer-' || n % 7919 end,
       page_url, 'Product ' || n % 1009, '{"browser": "Firefox 140", "viewport": [1280, 720]}', jsonb_build_object('plan', n % 3),
       sha256(convert_to(message, 'UTF8')), case when n % 2 = 0 then 1 + n % 5 end, case when n % 11 = 0 then n % 11 end, '{}',
       case when n % 7 = 0 then array['Checkout', 'mobile'] else '{}' end, case when n % 9 = 0 then array['screenshot'] else '{}' end,
       case when n % 6 = 0 then ($3::uuid[])[1 + n % 4] end, case when n % 2 = 0 then created_at + interval '1 hour' end,
       case when n % 10 = 0 then created_at + interval '3 hours' end, case when n % 4 = 3 then created_at + interval '1 day' end,
       case when n % 8 = 3 then created_at + interval '2 days' end, case when n % 40 = 1 then 'honeypot' end,
       case when n % 50 = 2 then created_at + interval '3 days' end, 1 + n % 3, created_at,
       created_at + case when n % 2 = 0 then interval '1 hour' else interval '0' end, to_tsvector('simple', message)
     from (select n, 'The checkout number ' || n || ' does not add up after ' || n % 97 || ' clicks on ' || md5(n::text) as message,
         'visitor-' || n % 9973 || '@example.org' as visitor_email, 'https://site.example.com/products/' || n % 1009 as page_url,
         date_trunc('milliseconds', now()) - interval '365 days' * ($4::float8 - n) / $4 as created_at
       from generate_series(0, $4::int - 1) as n) as i`,
    [organizationId, projects, people, items],
  )
  await client.query(
    `insert into public.feedback_comments (organization_id, id, feedback_id, kind, author_user_id, text, created_at, from_visitor)
     select f.organization_id, md5(f.id::text || 'comment')::uuid, f.id, case when f.number % 2 = 0 then 'note' else 'reply' end,
       case when f.number % 4 <> 3 then ($2::uuid[])[1] end, 'We look into it', f.created_at + interval '3 hours', f.number % 4 = 3
     from public.feedback f where f.organization_id = $1 and f.first_response_at is not null`,
    [organizationId, people],
  )
  await client.query(
    `insert into public.feedback_events (organization_id, feedback_id, actor_user_id, field, from_value, to_value, created_at)
     select f.organization_id, f.id, ($2::uuid[])[2], 'status', 'new', f.status, f.created_at + interval '2 hours'
     from public.feedback f where f.organization_id = $1 and f.status <> 'new'`,
    [organizationId, people],
  )
  await client.query(
    `insert into public.feedback_attachments (organization_id, id, feedback_id, kind, name)
     select organization_id, md5(id::text || 'attachment')::uuid, id, 'screenshot', 'page.png' from public.feedback
     where organization_id = $1 and media_kinds <> '{}'`,
    [organizationId],
  )
  await insertSums(client, organizationId)
  await client.query('set local session_replication_role = origin')
}

/** What triggers keep beside the items. */
async function insertSums(client: pg.Client, organizationId: string): Promise<void> {
  await client.query(
    `insert into public.feedback_counts (organization_id, project_id, location, facet, change_id, n)
     select f.organization_id, f.project_id, f.location, l.facet, 0, count(*)
     from public.feedback f cross join lateral app.list_counted_facets(f.facets, f.tags, true) as l (facet)
     where f.organization_id = $1 group by 1, 2, 3, 4`,
    [organizationId],
  )
  await client.query(
    `insert into public.feedback_words (organization_id, word)
     select distinct f.organization_id, w.lexeme from public.feedback f cross join lateral unnest(f.search) as w
     where f.organization_id = $1 and w.lexeme ~ '^[a-z]{3,}$'`,
    [organizationId],
  )
  await client.query(
    `insert into public.project_counters (organization_id, project_id, last_number, feedback_count)
     select organization_id, project_id, max(number), count(*) from public.feedback where organization_id = $1 group by 1, 2`,
    [organizationId],
  )
  await client.query(
    `insert into public.visitors (organization_id, key, visitor_id, email, first_seen_at, last_seen_at)
     select organization_id, coalesce(visitor_id, visitor_email), max(visitor_id), max(visitor_email), min(created_at), max(created_at)
     from public.feedback where organization_id = $1 group by 1, 2`,
    [organizationId],
  )
}

/** A row or more in each table that migrations change. */
async function insertSurroundings(
  client: pg.Client,
  { organizationId, owner, projectId }: { organizationId: string; owner: string; projectId: string },
): Promise<void> {
  await client.query(
    `insert into public.notification_preferences (organization_id, user_id, project_id) values ($1, $2, $3)`,
    [organizationId, owner, projectId],
  )
  await client.query(`insert into public.notification_settings (organization_id, user_id) values ($1, $2)`, [
    organizationId,
    owner,
  ])
  await client.query(
    `insert into public.notifications (organization_id, user_id, feedback_id, kind, in_app, mail_due)
     select organization_id, $2, id, 'assigned', true, false from public.feedback where organization_id = $1 order by id limit 100`,
    [organizationId, owner],
  )
  await client.query(
    `insert into app.emails (id, kind, to_address, subject, html, text, sent_at)
     select gen_random_uuid(), 'verification', 'ada-' || n || '@example.com', 'Confirm', '<p>Confirm</p>', 'Confirm', now()
     from generate_series(1, 200) as n`,
  )
  await client.query(
    `insert into app.events (organization_id, name, ids, announced, dispatched_at)
     select $1, 'feedback.updated', array[id], 'commit', now() from public.feedback where organization_id = $1 order by id limit 200`,
    [organizationId],
  )
  await client.query(
    `insert into public.audit_log (organization_id, actor_user_id, action, target_type, target_id)
     select $1, $2, 'project.created', 'project', id from public.projects where organization_id = $1`,
    [organizationId, owner],
  )
  await client.query(
    `insert into public.widget_counters (organization_id, project_id, hour, event, n)
     select $1, $2, date_trunc('hour', now()) - n * interval '1 hour', 'loaded', n from generate_series(1, 500) as n`,
    [organizationId, projectId],
  )
  await client.query(
    `insert into public.invitations (organization_id, email, role, token_hash, invited_by, expires_at)
     values ($1, 'grace@example.com', 'member', sha256('token'), $2, now() + interval '7 days')`,
    [organizationId, owner],
  )
  await client.query(
    `insert into public.saved_views (organization_id, id, owner_user_id, name, search, is_shared)
     values ($1, gen_random_uuid(), $2, 'Bugs', 'type=bug', true)`,
    [organizationId, owner],
  )
  await client.query(
    `insert into public.uploads (organization_id, id, project_id, state, kind, name, bytes, storage_key, mime, completed_at)
     values ($1::uuid, gen_random_uuid(), $2, 'ready', 'screenshot', 'page.png', 10, $1::uuid || '/' || gen_random_uuid(), 'image/png', now())`,
    [organizationId, projectId],
  )
  await client.query(
    `insert into public.exports (organization_id, id, created_by, format, selection, state) values ($1, gen_random_uuid(), $2, 'csv', '{}', 'failed')`,
    [organizationId, owner],
  )
}
