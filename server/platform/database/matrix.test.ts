import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMember, createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { statements, type Tenant } from '#server/testing/table-statements.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'

type Outcomes = readonly [anon: string, outsiders: string, members: string, owners: string, service: string]

/*
 * Who may do what with a row of organisation A: every role × every table × select, insert, update, delete, tried on the
 * database itself, whatever the server above it does.
 *
 *   s i u d   the verb works: the row is seen, added, changed, deleted
 *   .         the role may use the verb, but this row is out of reach: nothing is seen or changed, an insert is refused
 *   -         the role may not use the verb on this table at all
 *
 * Outsiders are signed in but have no business in A: without an organisation, owner of another, unconfirmed, banned,
 * removed, or a superadmin who has not named A. Members are A's viewers, members and admins; owners are A's owners and a
 * superadmin who has named A.
 */
// biome-ignore format: it is read as a table
const matrix: Record<string, Outcomes> = {
  //                           anon    outside member  owner   service_role
  'public.audit_log':         ['----', '..--', '.i--', 'si--', 'si--'],
  'public.avatars':           ['----', '....', '....', '....', 's--d'],
  'public.exports':           ['----', '..-.', 'si-d', 'si-d', 'siud'],
  'public.feedback':          ['----', '.-.-', 's-u-', 's-u-', 'siud'],
  'public.feedback_attachments': ['----', '.---', 's---', 's---', 'siud'],
  'public.feedback_comments': ['----', '..--', 'si--', 'si--', 'siud'],
  'public.feedback_counts':   ['----', '.---', 's---', 's---', 's---'],
  'public.feedback_day_values': ['----', '.---', 's---', 's---', 'siud'],
  'public.feedback_days':     ['----', '.---', 's---', 's---', 'siud'],
  'public.feedback_events':   ['----', '.---', 's---', 's---', 'si--'],
  'public.feedback_operations': ['----', '...-', '.i.-', '.i.-', 's-ud'],
  'public.feedback_words':    ['----', '----', '----', '----', 's---'],
  'public.import_problems':   ['----', '.---', 's---', 's---', 'siud'],
  'public.imports':           ['----', '..--', 'si--', 'si--', 'siud'],
  'public.invitations':       ['----', '...-', '...-', 'siu-', 'siud'],
  'public.memberships':       ['----', '.-..', 's-..', 's-ud', 'siud'],
  'public.notices':           ['----', '.-.-', '.-.-', '.-.-', 'siud'],
  // Each member's own alone; this row is a colleague's.
  'public.notification_preferences': ['----', '...-', '...-', '...-', 'siud'],
  'public.notification_settings': ['----', '...-', '...-', '...-', 'siud'],
  'public.organizations':     ['----', '.-..', 's-..', 's-ud', 'siud'],
  'public.presence':          ['----', '....', 'si..', 'si..', 's--d'],
  'public.profiles':          ['----', '.---', 's---', 's---', 's---'],
  'public.project_counters':  ['----', '.---', 's---', 's---', 's-u-'],
  'public.projects':          ['----', '....', 's...', 'siud', 'siud'],
  'public.visitor_erasures':  ['----', '..--', 'si--', 'si--', 's-u-'],
  'public.visitors':          ['----', '.---', 's---', 's---', 'siud'],
  'public.saved_views':       ['----', '....', 'siud', 'siud', 's--d'],
  'public.uploads':           ['----', '.---', 's---', 's---', 'siud'],
  'public.widget_counters':   ['----', '.---', 's---', 's---', 'siu-'],
  'public.widget_days':       ['----', '.---', 's---', 's---', 'siud'],
  'public.widget_versions':   ['----', '..-.', 's.-.', 'si-d', 'siud'],
  'public.widgets':           ['----', '...-', 's..-', 'siu-', 'siud'],
  // Not of a tenant: the instance's own.
  'app.email_pauses':         ['----', '----', '----', '----', 'siud'],
  'app.emails':               ['----', '----', '----', '----', 'siud'],
  'app.feedback_day_marks':   ['----', '----', '----', '----', 'si-d'],
  'app.instance_settings':    ['----', '----', '----', '----', 's-u-'],
  'app.job_workers':          ['----', '----', '----', '----', 'siud'],
  'app.rate_limits':          ['----', '----', '----', '----', 's--d'],
  'app.removed_files':        ['----', '----', '----', '----', 'si-d'],
  'app.schema_migrations':    ['----', '----', '----', '----', '----'],
  'app.superadmins':          ['----', '----', '----', '----', 'si-d'],
}

/** Columns that a member's UPDATE may name, whoever they are. Every other is refused by the database. */
const changeableColumns: Record<string, readonly string[]> = {
  'public.avatars': ['bytes', 'created_at', 'id', 'mime', 'user_id'],
  'public.feedback': [
    'archived_at',
    'assignee_user_id',
    'closed_reason',
    'deleted_at',
    'first_response_at',
    'first_viewed_at',
    'merged_into',
    'priority',
    'spam_reason',
    'status',
    'tags',
  ],
  'public.feedback_operations': ['changed', 'kept', 'processed', 'state', 'undo_processed'],
  'public.invitations': ['expires_at', 'invited_by', 'revoked_at', 'role', 'sent_at', 'token_hash'],
  'public.memberships': ['role'],
  'public.notices': ['read_at'],
  'public.notification_preferences': [
    'assigned_app',
    'assigned_mail',
    'mailed_until',
    'mentioned_app',
    'mentioned_mail',
    'new_feedback_app',
    'new_feedback_mail',
    'seen_until',
    'visitor_replied_app',
    'visitor_replied_mail',
  ],
  'public.notification_settings': ['muted_mails', 'time_zone'],
  'public.organizations': ['mails_hold_words', 'name'],
  'public.projects': ['archived_at', 'domain', 'extra_origins', 'name', 'retention_days'],
  'public.presence': ['feedback_id', 'seen_at'],
  'public.saved_views': ['is_shared', 'name', 'search'],
  'public.widgets': ['draft', 'draft_token', 'identity_generation', 'key', 'published_at', 'published_by', 'settings'],
}

type Verb = 'select' | 'insert' | 'update' | 'delete'
const verbs: readonly Verb[] = ['select', 'insert', 'update', 'delete']

/** Someone to be: the role of the transaction and what the token says. */
interface Persona {
  role: string
  userId?: string
  organizationId?: string
}

let database: TestDatabase
let client: pg.Client
let a: Tenant
let b: Tenant
/** By column of the matrix, seen from organisation A. */
let groups: Record<'anon' | 'outsiders' | 'members' | 'owners' | 'service', Record<string, Persona>>
let powerless: Record<string, Persona>

async function createTenant(): Promise<Tenant & { ownerId: string }> {
  const owner = await createUser(client)
  if (!owner.organizationId) throw new Error('Sign-up made no organisation.')
  const organizationId = owner.organizationId
  const project = await createProject(client, { organizationId })
  const empty = await createProject(client, { organizationId })
  await client.query('delete from public.widgets where project_id = $1', [empty.id])
  const feedback = await createFeedback(client, { organizationId, projectId: project.id })
  await client.query("update public.feedback set priority = 'high' where id = $1", [feedback.id])
  await client.query(
    `insert into public.invitations (organization_id, email, role, token_hash, invited_by)
     values ($1::uuid, 'invited@example.com', 'member', sha256(uuid_send($1::uuid)), $2)`,
    [organizationId, owner.id],
  )
  await client.query("insert into public.audit_log (organization_id, action) values ($1, 'made')", [organizationId])
  await client.query(
    `insert into public.feedback_attachments (organization_id, id, feedback_id, kind)
     values ($1, $2, $3, 'file')`,
    [organizationId, randomUUID(), feedback.id],
  )
  await client.query(
    `insert into public.feedback_comments (organization_id, id, feedback_id, kind, text)
     values ($1, gen_random_uuid(), $2, 'note', 'made')`,
    [organizationId, feedback.id],
  )
  await client.query(
    `with made as (
       insert into public.imports (organization_id, id, project_id, created_by, name)
       values ($1, gen_random_uuid(), $2, gen_random_uuid(), 'made') returning id),
     asked as (
       insert into public.exports (organization_id, id, created_by, format, selection)
       values ($1, gen_random_uuid(), gen_random_uuid(), 'csv', '{}'))
     insert into public.import_problems select $1, id, 1, 'made' from made`,
    [organizationId, project.id],
  )
  await client.query(
    `insert into public.widget_counters (organization_id, project_id, hour, event, n) values ($1, $2, '2026-01-01T00:00Z', 'loaded', 1)`,
    [organizationId, project.id],
  )
  await client.query(
    `insert into public.feedback_days values ($1::uuid, $1::uuid, '2026-01-01', 1, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
       0, 0, '{}', '{}')`,
    [organizationId],
  )
  await client.query(
    "insert into public.feedback_day_values values ($1::uuid, $1::uuid, 'page', '2026-01-01', 'made', 1)",
    [organizationId],
  )
  await client.query("insert into public.feedback_words values ($1, 'chair')", [organizationId])
  await client.query("insert into public.widget_days values ($1, $2, '2026-01-01', 1, 0, 0)", [
    organizationId,
    project.id,
  ])
  await client.query(
    `insert into public.widget_versions (organization_id, project_id, settings) values ($1, $2, '{}')`,
    [organizationId, project.id],
  )
  await client.query(
    `insert into public.uploads (organization_id, id, project_id, kind, storage_key)
     values ($1::uuid, $2::uuid, $3, 'file', $1::text || '/' || $2::text)`,
    [organizationId, randomUUID(), project.id],
  )
  await client.query(
    `insert into public.visitors (organization_id, key, first_seen_at, last_seen_at) values ($1, 'made', now(), now())`,
    [organizationId],
  )
  await client.query(
    `insert into public.visitor_erasures (organization_id, id, subject_hash, requested_by)
     values ($1, gen_random_uuid(), sha256('made'), $2)`,
    [organizationId, owner.id],
  )
  await client.query("update public.feedback set visitor_id = 'made' where id = $1", [feedback.id])
  const viewer = await createMember(client, { organizationId, role: 'viewer' })
  const spare = await createUser(client, { isInvited: true })
  const withPicture = await createMember(client, { organizationId, role: 'member' })
  await client.query(
    "insert into public.avatars (user_id, id, mime, bytes) values ($1, gen_random_uuid(), 'image/png', 'x')",
    [withPicture.id],
  )
  const theirs = [organizationId, withPicture.id]
  await client.query('insert into public.notification_settings (organization_id, user_id) values ($1, $2)', theirs)
  await client.query(
    'insert into public.notification_preferences (organization_id, user_id, project_id) values ($1, $2, $3)',
    [...theirs, project.id],
  )
  await client.query(
    `insert into public.notices (organization_id, user_id, feedback_id, kind, in_app, mail_due)
     values ($1, $2, $3, 'assigned', true, false)`,
    [...theirs, feedback.id],
  )
  await client.query(
    `insert into public.feedback_operations (organization_id, id, actor_user_id, request_hash, change, item_ids)
     values ($1, gen_random_uuid(), $2, sha256('x'), '{}', '{}')`,
    [organizationId, withPicture.id],
  )
  await client.query(
    `insert into public.saved_views (organization_id, id, owner_user_id, name, search, is_shared)
     values ($1, gen_random_uuid(), $2, 'made', '', true)`,
    [organizationId, withPicture.id],
  )
  await client.query('insert into public.presence values ($1, $2, gen_random_uuid(), $3)', [
    organizationId,
    withPicture.id,
    feedback.id,
  ])
  return {
    organizationId,
    projectId: project.id,
    emptyProjectId: empty.id,
    feedbackId: feedback.id,
    viewerId: viewer.id,
    spareId: spare.id,
    picturedId: withPicture.id,
    ownerId: owner.id,
  }
}

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // The first to be confirmed runs the instance.
  const superadmin = await createUser(client)
  const tenantA = await createTenant()
  const tenantB = await createTenant()
  a = tenantA
  b = tenantB
  await client.query(`
    insert into app.emails (id, kind, to_address, subject, html, text) values (gen_random_uuid(), 'made', 'x@example.com', 'x', 'x', 'x');
    insert into app.email_pauses values ('made', '', now());
    insert into app.job_workers (worker_id) values ('made');
    insert into app.removed_files (storage_key) values ('made');
    insert into app.rate_limits values ('made', '', now())`)

  const { organizationId } = a
  const signedIn = (userId: string, at?: string): Persona => ({
    role: 'authenticated',
    userId,
    ...(at && { organizationId: at }),
  })
  const inA = async (options: { role: 'owner' | 'admin' | 'member'; isConfirmed?: boolean; isBanned?: boolean }) =>
    (await createMember(client, { organizationId, ...options })).id
  const removed = await inA({ role: 'owner' })
  await client.query('delete from public.memberships where user_id = $1', [removed])
  const admin = await inA({ role: 'admin' })
  const ofBoth = await inA({ role: 'owner' })
  await addMember(client, { organizationId: b.organizationId, userId: ofBoth, role: 'owner' })
  groups = {
    anon: { anon: { role: 'anon' } },
    outsiders: {
      'nobody in particular': { role: 'authenticated' },
      'a user without organisation': signedIn(a.spareId),
      'an unknown user': signedIn(randomUUID()),
      'an owner of B': signedIn(tenantB.ownerId),
      'an owner of B who names A': signedIn(tenantB.ownerId, organizationId),
      'an owner of A who is not confirmed': signedIn(await inA({ role: 'owner', isConfirmed: false })),
      'an owner of A who is banned': signedIn(await inA({ role: 'owner', isBanned: true })),
      'an owner of A who was removed': signedIn(removed),
      'an owner of both in a request to B': signedIn(ofBoth, b.organizationId),
      'a superadmin who names nothing': signedIn(superadmin.id),
    },
    members: {
      'a viewer': signedIn(a.viewerId),
      'a member': signedIn(await inA({ role: 'member' })),
      'an admin': signedIn(admin),
      'an admin in a request to A': signedIn(admin, organizationId),
    },
    owners: {
      'an owner': signedIn(tenantA.ownerId),
      'an owner in a request to A': signedIn(tenantA.ownerId, organizationId),
      'a superadmin in a request to A': signedIn(superadmin.id, organizationId),
    },
    service: { service_role: { role: 'service_role' } },
  }
  powerless = { authenticator: { role: 'authenticator' }, 'the auth server': { role: 'supabase_auth_admin' } }
  // Everybody is signed in, in a session that goes by their own id.
  await client.query('insert into auth.sessions (id, user_id) select id, id from auth.users')
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Tries one verb and undoes it. */
async function attempt(persona: Persona, verb: Verb, table: string, tenant: Tenant): Promise<string> {
  const { row, change, add } = statements[table] ?? { row: () => 'true', change: '', add: () => '' }
  const statement = {
    select: `select from ${table} where ${row(tenant)}`,
    insert: `insert into ${table} ${add(tenant, persona.userId ?? '')}`,
    update: `update ${table} set ${change} where ${row(tenant)}`,
    delete: `delete from ${table} where ${row(tenant)}`,
  }[verb]
  try {
    const rowCount = await runAs(persona, statement)
    return rowCount > 0 ? verb.charAt(0) : '.'
  } catch (error) {
    refusal(error)
    return error instanceof Error && error.message.startsWith('new row violates row-level security') ? '.' : '-'
  }
}

/** Runs a statement as somebody, undoes it, and tells how many rows it touched. */
async function runAs(persona: Persona, statement: string): Promise<number> {
  const claims = { role: persona.role, ...(persona.userId && { sub: persona.userId, session_id: persona.userId }) }
  await client.query('begin')
  try {
    await client.query(
      `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('app.organization_id', $3, true)`,
      [persona.role, JSON.stringify(claims), persona.organizationId ?? ''],
    )
    return (await client.query(statement)).rowCount ?? 0
  } finally {
    await client.query('rollback')
  }
}

/** @throws the error again, unless it says that the role has no right to. */
function refusal(error: unknown): 'refused' {
  if (error instanceof pg.DatabaseError && error.code === '42501') return 'refused'
  throw error
}

async function attemptAll(persona: Persona, table: string, tenant: Tenant): Promise<string> {
  let outcome = ''
  for (const verb of verbs) outcome += await attempt(persona, verb, table, tenant)
  return outcome
}

describe('role × table × verb', () => {
  it('lists every table, and no other', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'app') and c.relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
    )
    expect(Object.keys(matrix).sort()).toEqual(rows.map((row) => row.name).sort())
    expect(Object.keys(statements).sort()).toEqual(Object.keys(matrix).sort())
  })

  describe.each(Object.entries(matrix))('%s', (table, [anon, outsiders, members, owners, service]) => {
    it('rows of A', async () => {
      const expected = { anon, outsiders, members, owners, service }
      for (const [group, personas] of Object.entries(groups)) {
        for (const [name, persona] of Object.entries(personas)) {
          expect
            .soft([name, await attemptAll(persona, table, a)])
            .toEqual([name, expected[group as keyof typeof groups]])
        }
      }
    })

    it('rows of B, for the people of A', async () => {
      for (const [name, persona] of Object.entries({ ...groups.members, ...groups.owners })) {
        expect.soft([name, await attemptAll(persona, table, b)]).toEqual([name, outsiders])
      }
    })

    it('roles that only pass through', async () => {
      for (const [name, persona] of Object.entries(powerless)) {
        expect.soft([name, await attemptAll(persona, table, a)]).toEqual([name, '----'])
      }
    })
  })

  // Without a condition no column is read, and the policy for SELECT is not asked: the verb's own must hold alone.
  it('lets a change without a condition touch the rows of the own organisation alone', async () => {
    const owner = groups.owners['an owner'] ?? { role: 'anon' }
    const stranger = groups.outsiders['a user without organisation'] ?? { role: 'anon' }
    for (const [table, [, , , owners]] of Object.entries(matrix)) {
      const scope = `${table === 'public.organizations' ? 'id' : 'organization_id'} = '${a.organizationId}'`
      const blind = [
        ...(owners.includes('u') ? [`update ${table} set ${statements[table]?.change}`] : []),
        ...(owners.includes('d') ? [`delete from ${table}`] : []),
      ]
      for (const statement of blind) {
        const { rowCount } = await client.query(`select from ${table} where ${scope}`)
        expect.soft([statement, await runAs(owner, statement)]).toEqual([statement, rowCount])
        expect.soft([statement, await runAs(stranger, statement)]).toEqual([statement, 0])
      }
    }
  })

  // These look past row-level security, so they ask the question themselves. What they find of A:
  it.each([
    ['app.find_feedback', { anon: 'refused', outsiders: 0, members: 1, owners: 1, service: 'refused' }],
    ['app.list_visitors', { anon: 'refused', outsiders: 0, members: 1, owners: 1, service: 'refused' }],
    ['app.list_visitor_feedback', { anon: 'refused', outsiders: 0, members: 1, owners: 1, service: 'refused' }],
    ['app.visible_organization_ids', { anon: 'refused', outsiders: 0, members: 1, owners: 1, service: 'refused' }],
    ['app.owned_organization_ids', { anon: 'refused', outsiders: 0, members: 0, owners: 1, service: 'refused' }],
    ['app.visible_user_ids', { anon: 'refused', outsiders: 0, members: 1, owners: 1, service: 'refused' }],
  ])('%s finds for each only what is theirs', async (name, expected) => {
    const { organizationId, viewerId } = a
    const query = {
      'app.find_feedback': `select from app.find_feedback('${organizationId}', 'inbox', null, '[]', '''button''', null, null, 'newest', null, null, 10)`,
      'app.list_visitors': `select from app.list_visitors('${organizationId}', null, null, null, 10)`,
      'app.list_visitor_feedback': `select from app.list_visitor_feedback('${organizationId}', 'made', null, null, 10)`,
      'app.visible_organization_ids': `select from app.visible_organization_ids() o where o = '${organizationId}'`,
      'app.owned_organization_ids': `select from app.owned_organization_ids() o where o = '${organizationId}'`,
      'app.visible_user_ids': `select from app.visible_user_ids() u where u = '${viewerId}'`,
    }[name]
    for (const [group, personas] of Object.entries(groups)) {
      for (const [who, persona] of Object.entries(personas)) {
        const found = await runAs(persona, query ?? '').catch(refusal)
        expect.soft([who, found]).toEqual([who, expected[group as keyof typeof groups]])
      }
    }
  })

  it('tells a browser about nobody but its own user, unless that is a superadmin', async () => {
    const subject = a.viewerId
    const calls = [
      `select from public.get_user_current_organization('${subject}')`,
      `select from public.get_user_organization_by_id('${a.organizationId}', '${subject}')`,
    ]
    const superadmin = groups.owners['a superadmin in a request to A']
    for (const call of calls) {
      for (const [who, persona] of Object.entries({ ...groups.outsiders, ...groups.members, ...groups.owners })) {
        const mayKnow = persona.userId === subject || persona.userId === superadmin?.userId
        expect.soft([who, await runAs(persona, call)]).toEqual([who, mayKnow ? 1 : 0])
      }
      expect(await runAs({ role: 'anon' }, call).catch(refusal)).toBe('refused')
    }
    const call = `select where public.is_superadmin('${superadmin?.userId}')`
    for (const [who, persona] of Object.entries({ ...groups.outsiders, ...groups.members, ...groups.owners })) {
      const mayKnow = persona.userId === superadmin?.userId
      expect.soft([who, await runAs(persona, call)]).toEqual([who, mayKnow ? 1 : 0])
    }
  })

  it('lets members change these columns and no other', async () => {
    const { rows } = await client.query<{ table: string; columns: string[] }>(
      `select table_schema || '.' || table_name as "table", array_agg(column_name::text order by column_name) as columns
       from information_schema.column_privileges
       where grantee = 'authenticated' and privilege_type = 'UPDATE' and table_schema in ('public', 'app')
       group by 1`,
    )
    expect(Object.fromEntries(rows.map((row) => [row.table, row.columns]))).toEqual(changeableColumns)
  })

  it('keeps the tables of schema auth to the auth server', async () => {
    const { rows } = await client.query(
      `select r, c.oid::regclass from unnest(array['anon', 'authenticated', 'authenticator', 'service_role']) r, pg_class c
       where c.relnamespace = 'auth'::regnamespace and c.relkind in ('r', 'S')
         and case c.relkind when 'S' then has_sequence_privilege(r, c.oid, 'usage, select, update')
           else has_table_privilege(r, c.oid, 'select, insert, update, delete, truncate, references, trigger') end`,
    )
    expect(rows).toEqual([])
  })

  it('lets no role empty a table or hang triggers on it', async () => {
    const { rows } = await client.query(
      `select r, c.oid::regclass from unnest(array['anon', 'authenticated', 'authenticator', 'service_role', 'supabase_auth_admin']) r, pg_class c
       where c.relnamespace in ('public'::regnamespace, 'app'::regnamespace) and c.relkind in ('r', 'p')
         and has_table_privilege(r, c.oid, 'truncate, references, trigger')`,
    )
    expect(rows).toEqual([])
  })
})
