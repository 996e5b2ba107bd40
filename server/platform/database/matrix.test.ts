import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMember, createFeedback, createMember, createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TableFacts, Tenant } from '#server/testing/facts.ts'
import { tables } from '#server/testing/gather-facts.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { createTenant } from '#server/testing/tenant.ts'

/*
 * Who may do what with a row of organisation A: every role × every table × select, insert, update, delete, tried on the
 * database itself, independently of the server above it. The facts of each noun state the expected rights:
 *
 *   s i u d   the verb works: the row is seen, added, changed, deleted
 *   .         the role may use the verb, but this row is out of reach: nothing is seen or changed, an insert is refused
 *   -         the role may not use the verb on this table at all
 *
 * Outsiders are signed in but have no business in A: without an organisation, owner of another, unconfirmed, banned,
 * removed, or a superadmin who has not named A. Members are A's viewers, members and admins; owners are A's owners and a
 * superadmin who has named A.
 */
type Verb = 'select' | 'insert' | 'update' | 'delete'
const verbs: readonly Verb[] = ['select', 'insert', 'update', 'delete']

/** Someone to be: the role of the transaction and what the token says. */
interface Persona {
  role: string
  userId?: string
  organizationId?: string
}

let database: Required<TestDatabase>
/** The database's owner: makes rows and looks at what was stored. */
let client: pg.Client
/** The app's own login, as which every attempt is made. */
let app: pg.Client
let a: Tenant
let b: Tenant
/** By column of the matrix, seen from organisation A. */
let groups: Record<'anon' | 'outsiders' | 'members' | 'owners' | 'service', Record<string, Persona>>
let powerless: Record<string, Persona>
/** API keys: with both scopes, for reading alone, and some that reach nothing. */
let keys: { working: Persona; reading: Persona; others: Record<string, Persona> }

interface GuardedFunction {
  /** Returns a row for a caller that it serves. */
  readonly ask: (tenant: Tenant & { readonly invitationId: string; readonly keyId: string }) => string
  /** Default: a row for members and owners, nothing for outsiders, a refusal for the other roles. */
  readonly expected?: Partial<Record<keyof typeof groups, number | 'refused'>>
  /** Outsiders whom it serves all the same. */
  readonly alsoServes?: readonly string[]
}

/** Closing and restoring name no organisation to the request: a closed one can't be entered. */
const ownersInOtherRequests = ['an owner of both in a request to B', 'a superadmin who names nothing']

const guardedFunctions: Readonly<Record<string, GuardedFunction>> = {
  'app.find_feedback': {
    ask: ({ organizationId }) =>
      `select from app.find_feedback('${organizationId}', 'inbox', null, '[]', '''button''', null, null, false, 'newest', null, null, 10) limit 1`,
  },
  'app.count_matches': {
    ask: ({ organizationId }) =>
      `select where app.count_matches('${organizationId}', 'inbox', null, '[]', null, null, null, false, 10) > 0`,
  },
  'app.count_waiting_deliveries': {
    ask: ({ organizationId }) =>
      `select where app.count_waiting_deliveries('${organizationId}', (
         select d.id from public.integrations d where d.organization_id = '${organizationId}'
         order by d.created_at, d.id limit 1), 10) > 0`,
  },
  'app.count_groups': {
    ask: ({ organizationId }) =>
      `select from app.count_groups('${organizationId}', 'inbox', null, '[]', null, null, null, false, 'type', 'UTC', 10)`,
  },
  'app.list_visitors': {
    ask: ({ organizationId }) => `select from app.list_visitors('${organizationId}', null, 'seen', 0, null, null, 10)`,
  },
  'app.list_visitor_feedback': {
    ask: ({ organizationId }) =>
      `select from app.list_visitor_feedback('${organizationId}', 'made', null, null, 10, true)`,
  },
  'app.count_open_exports': {
    ask: ({ organizationId }) => `select where app.count_open_exports('${organizationId}') > 0`,
  },
  'app.similar_words': {
    ask: ({ organizationId }) => `select from app.similar_words('${organizationId}', '{chairs}')`,
  },
  'app.find_similar_feedback': {
    ask: ({ organizationId, feedbackId }) =>
      `select from app.find_similar_feedback('${organizationId}', '${feedbackId}', 10)`,
  },
  'app.list_members': {
    ask: ({ organizationId }) => `select from app.list_members('${organizationId}', '', null, null, 1)`,
  },
  'app.get_key_name': {
    ask: ({ organizationId, keyId }) => `select where app.get_key_name('${organizationId}', '${keyId}') is not null`,
  },
  'app.close_organization': {
    ask: ({ organizationId }) =>
      `select from app.close_organization('${organizationId}', '', '1 day') c where c.outcome <> 'unknown'`,
    expected: { members: 0 },
    alsoServes: ownersInOtherRequests,
  },
  'app.restore_organization': {
    ask: ({ organizationId }) => `select where app.restore_organization('${organizationId}')`,
    expected: { members: 0 },
    alsoServes: ownersInOtherRequests,
  },
  'app.hold_member': {
    ask: ({ organizationId, viewerId }) => `select where app.hold_member('${organizationId}', '${viewerId}')`,
  },
  'app.delete_project': {
    ask: ({ organizationId, emptyProjectId }) =>
      `select where app.delete_project('${organizationId}', '${emptyProjectId}')`,
    expected: { members: 0 },
  },
  'app.disconnect_integration': {
    ask: ({ organizationId }) =>
      `select where app.disconnect_integration('${organizationId}', (
         select i.id from public.integrations i where i.organization_id = '${organizationId}'
         order by i.created_at, i.id limit 1))`,
    expected: { members: 0 },
  },
  'app.find_entitlements': {
    ask: ({ organizationId }) => `select from app.find_entitlements('${organizationId}')`,
    expected: { service: 1 },
  },
  'app.list_plan_warnings': {
    ask: ({ organizationId }) => `select from app.list_plan_warnings('${organizationId}')`,
    // A trial has no limits to warn of, and this one has just begun.
    expected: { members: 0, owners: 0 },
  },
  'app.require_room': {
    ask: ({ organizationId }) => `select from app.require_room('${organizationId}', 'project', 1)`,
    expected: { members: 0, service: 1 },
  },
  'app.record_event': {
    ask: ({ organizationId }) => `select from app.record_event('${organizationId}', 'project.updated', '{}')`,
    expected: { outsiders: 'refused', service: 1 },
  },
  'app.queue_invitation': {
    ask: ({ organizationId, invitationId }) =>
      `select from app.queue_invitation('${organizationId}', '${invitationId}', gen_random_uuid(), 'k', 's', 'h', 't')`,
    expected: { outsiders: 'refused', members: 'refused' },
  },
  'app.visible_organization_ids': {
    ask: ({ organizationId }) => `select from app.visible_organization_ids() o where o = '${organizationId}'`,
  },
  'app.owned_organization_ids': {
    ask: ({ organizationId }) => `select from app.owned_organization_ids() o where o = '${organizationId}'`,
    expected: { members: 0 },
  },
  'app.visible_user_ids': {
    ask: ({ viewerId }) => `select from app.visible_user_ids() u where u = '${viewerId}'`,
  },
}

/** Asks for the newest item of projects. */
function findItems(projects: (tenant: Tenant) => string): GuardedFunction['ask'] {
  return (tenant) =>
    `select from app.find_feedback('${tenant.organizationId}', 'inbox', ${projects(tenant)}, '[]', null, null, null, false, 'newest', null, null, 1)`
}

/** For the caller's own account, and for what the caller read, wrote or closed; tests of their features try them. */
const aboutCallers = [
  'app.accept_invitation',
  'app.count_unread',
  'app.create_own_organization',
  'app.delete_own_account',
  'app.end_own_session',
  'app.enqueue_own_job',
  'app.find_organization_deletion',
  'app.find_organization_suspension',
  'app.find_own_organization_of',
  'app.get_own_account',
  'app.get_read_until',
  'app.leave_organization',
  'app.list_own_losses',
  'app.list_own_organizations',
  'app.list_own_sessions',
  'app.list_unread_exceptions',
  'app.mark_reply_unsent',
  'app.queue_closing_emails',
  'app.queue_reply',
  'app.select_organization',
]

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  app = new pg.Client({ connectionString: database.appUrl, options: '-c role=authenticator' })
  await Promise.all([client.connect(), app.connect()])
  // The first to be confirmed runs the instance.
  const superadmin = await createUser(client)
  const tenantA = await createTenant(client)
  const tenantB = await createTenant(client)
  // Two that are alike.
  await createFeedback(client, tenantA)
  a = tenantA
  b = tenantB
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
      'no user': { role: 'authenticated' },
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
  const makeKey = async (
    { organizationId: at, projectId }: Tenant,
    columns = '',
    values = '',
  ): Promise<Persona & { userId: string }> => {
    const { rows } = await client.query<{ id: string }>(
      `insert into public.api_keys (organization_id, project_id, name, prefix, hash, scopes, created_by${columns})
       values ($1, $2, 'Key', 'es_AbCdEf12', sha256(convert_to(gen_random_uuid()::text, 'UTF8')), '{read,write}', $1${values})
       returning id`,
      [at, projectId],
    )
    return { role: 'earshot_api_key', userId: rows[0]?.id ?? '', organizationId: at }
  }
  const foreign = await makeKey(tenantB)
  const reading = await makeKey(tenantA)
  await client.query(`update public.api_keys set scopes = '{read}' where id = $1`, [reading.userId])
  keys = {
    working: await makeKey(tenantA),
    reading,
    others: {
      'a revoked key': await makeKey(tenantA, ', revoked_at', ', now()'),
      'an expired key': await makeKey(tenantA, ', expires_at', ", now() - interval '1 second'"),
      'a regenerated key after its overlap': await makeKey(
        tenantA,
        ', replaced_by, overlap_until',
        ", gen_random_uuid(), now() - interval '1 second'",
      ),
      'a key of B': foreign,
      'a key of B that names A': { ...foreign, organizationId },
      'an owner as a key': { role: 'earshot_api_key', userId: tenantA.ownerId, organizationId },
      'no key': { role: 'earshot_api_key', organizationId },
    },
  }
  // Every user is signed in, in a session with the user's id.
  await client.query('insert into auth.sessions (id, user_id) select id, id from auth.users')
})

afterAll(async () => {
  await Promise.all([client.end(), app.end()])
  await database.drop()
})

function getTable(name: string): TableFacts {
  const facts = tables[name]
  if (!facts) throw new Error(`no facts of ${name}`)
  return facts
}

/** Tries one verb and undoes it. */
async function attempt(persona: Persona, verb: Verb, table: string, tenant: Tenant): Promise<string> {
  const { row, change, add } = getTable(table)
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

/** Runs a statement as a role, rolls it back, and returns how many rows it touched. */
async function runAs(persona: Persona, statement: string): Promise<number> {
  const claims = { role: persona.role, ...(persona.userId && { sub: persona.userId, session_id: persona.userId }) }
  await app.query('begin')
  try {
    await app.query(
      `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('app.organization_id', $3, true)`,
      [persona.role, JSON.stringify(claims), persona.organizationId ?? ''],
    )
    return (await app.query(statement)).rowCount ?? 0
  } finally {
    await app.query('rollback')
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
  it('lists exactly the existing tables', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'app') and c.relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
    )
    expect(Object.keys(tables).sort()).toEqual(rows.map((row) => row.name).sort())
  })

  describe.each(Object.keys(tables))('%s', (table) => {
    const [anon, outsiders, members, owners, service] = getTable(table).rights

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

    it('rows of B, for members of A', async () => {
      for (const [name, persona] of Object.entries({ ...groups.members, ...groups.owners })) {
        expect.soft([name, await attemptAll(persona, table, b)]).toEqual([name, outsiders])
      }
    })

    it('API keys', async () => {
      const { keyRights = '----' } = getTable(table)
      expect.soft(await attemptAll(keys.working, table, a)).toBe(keyRights)
      // A key that reads may request exports, and retry that.
      const ofReading = table === 'app.idempotent_requests' ? keyRights : keyRights.replaceAll(/[iud]/g, '.')
      expect.soft(await attemptAll(keys.reading, table, a)).toBe(ofReading)
      for (const [name, persona] of Object.entries(keys.others)) {
        expect.soft([name, await attemptAll(persona, table, a)]).toEqual([name, keyRights.replaceAll(/[siud]/g, '.')])
      }
    })

    it('roles that only pass through', async () => {
      for (const [name, persona] of Object.entries(powerless)) {
        expect.soft([name, await attemptAll(persona, table, a)]).toEqual([name, '----'])
      }
    })
  })

  // Without a condition no column is read, so that the policy for SELECT does not apply: the verb's own has to suffice.
  it('limits a change without a condition to the rows of the caller’s organisation', async () => {
    const owner = groups.owners['an owner'] ?? { role: 'anon' }
    const stranger = groups.outsiders['a user without organisation'] ?? { role: 'anon' }
    for (const [table, { rights, change }] of Object.entries(tables)) {
      const [, , , owners] = rights
      const scope = `${table === 'public.organizations' ? 'id' : 'organization_id'} = '${a.organizationId}'`
      const blind = [
        ...(owners.includes('u') ? [`update ${table} set ${change}`] : []),
        ...(owners.includes('d') ? [`delete from ${table}`] : []),
      ]
      for (const statement of blind) {
        const { rowCount } = await client.query(`select from ${table} where ${scope}`)
        expect.soft([statement, await runAs(owner, statement)]).toEqual([statement, rowCount])
        expect.soft([statement, await runAs(stranger, statement)]).toEqual([statement, 0])
      }
    }
  })

  it('lets no one add a row in another member’s name', async () => {
    const owner = groups.owners['an owner'] ?? { role: 'anon' }
    const named = Object.entries(tables).filter(
      ([, { rights, add }]) => rights[3].includes('i') && add(a, a.viewerId) !== add(a, a.ownerId),
    )
    expect(named.length).toBeGreaterThan(5)
    for (const [table, { add }] of named) {
      const outcome = await runAs(owner, `insert into ${table} ${add(a, a.viewerId)}`).catch(refusal)
      expect.soft([table, outcome]).toEqual([table, 'refused'])
    }
  })

  // These look past row-level security, so they ask the question themselves. What they find of A, or do in it:
  it.each(Object.entries(guardedFunctions))('%s serves callers of the organisation only', async (_name, guarded) => {
    const expected = { anon: 'refused', outsiders: 0, members: 1, owners: 1, service: 'refused', ...guarded.expected }
    const { rows } = await client.query<{ id: string }>('select id from invitations where organization_id = $1', [
      a.organizationId,
    ])
    const query = guarded.ask({ ...a, invitationId: rows[0]?.id ?? '', keyId: keys.working.userId ?? '' })
    for (const [group, personas] of Object.entries(groups)) {
      for (const [who, persona] of Object.entries(personas)) {
        const found = await runAs(persona, query).catch(refusal)
        const isServed = guarded.alsoServes?.includes(who)
        expect.soft([who, found]).toEqual([who, isServed ? 1 : expected[group as keyof typeof groups]])
      }
    }
  })

  it('lists every function of members that looks past row-level security', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select 'app.' || p.proname as name from pg_proc p
       where p.pronamespace = 'app'::regnamespace and p.prosecdef and has_function_privilege('authenticated', p.oid, 'execute')
         and (p.proretset or array['p_organization_id', 'p_id'] && p.proargnames) order by 1`,
    )
    const names = rows.map((row) => row.name).filter((name) => !aboutCallers.includes(name))
    expect(Object.keys(guardedFunctions).sort()).toEqual(names.sort())
  })

  // Of the same functions, what is open to API keys: never another project, never one that has ended.
  it.each([
    ['items of its project', 1, 0, findItems(({ projectId }) => `array['${projectId}'::uuid]`)],
    ['items of another project', 0, 0, findItems(({ emptyProjectId }) => `array['${emptyProjectId}'::uuid]`)],
    ['items of several', 0, 0, findItems((t) => `array['${t.projectId}'::uuid, '${t.emptyProjectId}'::uuid]`)],
    ['items of all projects', 0, 0, findItems(() => 'null')],
    ['words of all projects', 0, 0, guardedFunctions['app.similar_words']?.ask],
    ['a member to assign to', 1, 0, guardedFunctions['app.hold_member']?.ask],
    ['its own name', 1, 0, guardedFunctions['app.get_key_name']?.ask],
    ['an event', 1, 'refused', guardedFunctions['app.record_event']?.ask],
    ['visitors', 'refused', 'refused', guardedFunctions['app.list_visitors']?.ask],
    ['members', 'refused', 'refused', guardedFunctions['app.list_members']?.ask],
    ['an organisation to close', 'refused', 'refused', guardedFunctions['app.close_organization']?.ask],
  ] as const)('for an API key: %s', async (_what, expected, ofOthers, query) => {
    const statement = query?.({ ...a, invitationId: '', keyId: keys.working.userId ?? '' }) ?? ''
    expect(await runAs(keys.working, statement).catch(refusal)).toBe(expected)
    // An account in a key's role is still that account to them; the server never makes one.
    const { 'an owner as a key': _owner, ...others } = keys.others
    for (const [who, persona] of Object.entries(others)) {
      expect.soft([who, await runAs(persona, statement).catch(refusal)]).toEqual([who, ofOthers])
    }
  })

  it('closes an organisation to its members and API keys', async () => {
    const close = (at: string) =>
      client.query(
        `update organizations set closed_at = ${at}, delete_after = ${at} + interval '1 day' where id = $1`,
        [a.organizationId],
      )
    const items = `select from public.feedback where organization_id = '${a.organizationId}'`
    const callers = { ...groups.members, ...groups.owners, 'an API key': keys.working }
    await close('now()')
    try {
      for (const [who, persona] of Object.entries(callers))
        expect.soft([who, await runAs(persona, items)]).toEqual([who, 0])
    } finally {
      await close('null::timestamptz')
    }
    for (const [who, persona] of Object.entries(callers)) {
      expect.soft([who, (await runAs(persona, items)) > 0]).toEqual([who, true])
    }
  })

  it('hides the rows of a suspended organisation from its members and keys, and not from superadmins', async () => {
    const suspend = (at: string) =>
      client.query(`update organizations set suspended_at = ${at} where id = $1`, [a.organizationId])
    const items = `select from public.feedback where organization_id = '${a.organizationId}'`
    const callers = { ...groups.members, ...groups.owners, 'an API key': keys.working }
    await suspend('now()')
    try {
      for (const [who, persona] of Object.entries(callers)) {
        const isServed = who === 'a superadmin in a request to A'
        expect.soft([who, (await runAs(persona, items)) > 0]).toEqual([who, isServed])
      }
    } finally {
      await suspend('null')
    }
    for (const [who, persona] of Object.entries(callers)) {
      expect.soft([who, (await runAs(persona, items)) > 0]).toEqual([who, true])
    }
  })

  it('tells a browser about its own user only, unless that is a superadmin', async () => {
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

  it('lets members change these columns only', async () => {
    const { rows } = await client.query<{ table: string; columns: string[] }>(
      `select table_schema || '.' || table_name as "table", array_agg(column_name::text order by column_name) as columns
       from information_schema.column_privileges
       where grantee = 'authenticated' and privilege_type = 'UPDATE' and table_schema in ('public', 'app')
       group by 1`,
    )
    expect(Object.fromEntries(rows.map((row) => [row.table, row.columns]))).toEqual(
      Object.fromEntries(
        Object.entries(tables).flatMap(([name, { changeable }]) => (changeable ? [[name, changeable]] : [])),
      ),
    )
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

  it('lets no role truncate a table or create triggers on it', async () => {
    const { rows } = await client.query(
      `select r, c.oid::regclass from unnest(array['anon', 'authenticated', 'authenticator', 'service_role', 'supabase_auth_admin', 'earshot_api_key']) r, pg_class c
       where c.relnamespace in ('public'::regnamespace, 'app'::regnamespace) and c.relkind in ('r', 'p')
         and has_table_privilege(r, c.oid, 'truncate, references, trigger')`,
    )
    expect(rows).toEqual([])
  })
})

describe('the app’s login', () => {
  // What a statement that slipped into a query could do after `set role none`.
  const attempts: readonly string[] = [
    "copy (select 1) to program 'true'",
    "copy pg_class to '/tmp/earshot-stolen'",
    "select pg_read_file('/etc/hostname')",
    "select pg_read_binary_file('postgresql.conf')",
    "select pg_ls_dir('.')",
    "select lo_export(0, '/tmp/earshot-stolen')",
    'create role intruder superuser login',
    'alter role current_user superuser',
    "alter system set archive_command = 'true'",
    'create table public.intruder ()',
    'create table app.intruder ()',
    'create extension file_fdw',
    'select from public.feedback',
    'select from auth.users',
    'select from app.emails',
    'select from graphile_worker._private_jobs',
    "select graphile_worker.add_job('dispatch_events')",
    "select app.enqueue_job('dispatch_events', '{}')",
    'select from pg_authid',
  ]

  it.each(attempts)('has no right of its own: %s', async (statement) => {
    await app.query('set role none')
    try {
      await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' })
    } finally {
      await app.query('set role authenticator')
    }
  })

  it('is no superuser, passes no row-level security, and takes on the app’s roles only', async () => {
    const { rows: login } = await app.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolinherit
       from pg_roles where rolname = session_user`,
    )
    expect(Object.values(login[0] ?? {})).toEqual([false, false, false, false, false, false])
    const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles order by 1')
    const taken: string[] = []
    for (const { rolname } of rows) {
      await app.query(`set role ${pg.escapeIdentifier(rolname)}`).then(() => taken.push(rolname), refusal)
    }
    await app.query('set role authenticator')
    expect(taken).toEqual(
      [
        'anon',
        'authenticated',
        'authenticator',
        'earshot_api_key',
        new URL(database.appUrl).username,
        'service_role',
        'supabase_auth_admin',
      ].sort(),
    )
  })
})

describe('the job queue', () => {
  const rows: Readonly<Record<string, (id: string, organizationId: string, userId: string) => string>> = {
    write_export: (id, organizationId, userId) =>
      `insert into public.exports (organization_id, id, created_by, format, selection)
       values ('${organizationId}', '${id}', '${userId}', 'csv', '{}')`,
    erase_visitor: (id, organizationId, userId) =>
      `insert into public.visitor_erasures (organization_id, id, subject, subject_hash, requested_by)
       values ('${organizationId}', '${id}', 'x', sha256('x'), '${userId}')`,
    change_feedback: (id, organizationId, userId) =>
      `insert into public.feedback_operations (organization_id, id, actor_user_id, request_hash, change, item_ids)
       values ('${organizationId}', '${id}', '${userId}', sha256('x'), '{}', '{}')`,
  }
  const enqueue = (persona: Persona, name: string, organizationId: string, id: string) =>
    runAs(persona, `select app.enqueue_own_job('${name}', '${organizationId}', '${id}')`).catch(refusal)

  it.each(Object.keys(rows))('takes %s from the member whose row waits for it, and from no one else', async (name) => {
    const member = groups.members['a member'] ?? { role: 'anon' }
    const [own, foreign, elsewhere] = [randomUUID(), randomUUID(), randomUUID()]
    const insert = rows[name] ?? (() => '')
    await client.query(insert(own, a.organizationId, member.userId ?? ''))
    await client.query(insert(foreign, a.organizationId, a.ownerId))
    // Written as if by the member, in an organisation that they don't belong to.
    await client.query(insert(elsewhere, b.organizationId, member.userId ?? ''))
    expect(await enqueue(member, name, a.organizationId, own)).toBe(1)
    expect(await enqueue(member, name, a.organizationId, foreign)).toBe('refused')
    expect(await enqueue(member, name, b.organizationId, elsewhere)).toBe('refused')
    expect(await enqueue(member, name, a.organizationId, elsewhere)).toBe('refused')
    expect(await enqueue(member, name, a.organizationId, randomUUID())).toBe('refused')
    for (const other of ['empty_trash', 'delete_project', 'send_email', 'dispatch_events', 'no_job']) {
      expect(await enqueue(member, other, a.organizationId, own)).toBe('refused')
    }
    for (const [who, persona] of Object.entries({ ...groups.anon, ...groups.outsiders })) {
      expect.soft([who, await enqueue(persona, name, a.organizationId, own)]).toEqual([who, 'refused'])
    }
  })

  it('takes no job and no payload of a member’s choice', async () => {
    const calls = [
      `select app.enqueue_job('empty_trash', '{"organizationId": "${b.organizationId}"}')`,
      `select app.enqueue_in_turn('write_export', '{"organizationId": "${b.organizationId}"}', 'x')`,
      `select graphile_worker.add_job('empty_trash', '{"organizationId": "${b.organizationId}"}')`,
    ]
    for (const call of calls) {
      for (const [who, persona] of Object.entries({
        ...groups.anon,
        ...groups.outsiders,
        ...groups.members,
        ...groups.owners,
      })) {
        expect.soft([who, call, await runAs(persona, call).catch(refusal)]).toEqual([who, call, 'refused'])
      }
    }
  })
})
