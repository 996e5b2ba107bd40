import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Entitlements, Plan, PlanOffer } from '#contract/plans.ts'
import { type BuiltUser, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { readCsv } from '#server/testing/read-csv.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { endTrial, subscribe } from '#server/testing/subscriptions.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'

/*
 * Plans and limits, asked of two server processes of one instance.
 */
let database: TestDatabase
let server: TestServer
let other: TestServer
let superadminToken: string

beforeAll(async () => {
  database = await createTestDatabase()
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'shared', alg: 'ES256', key_ops: ['sign', 'verify'] }
  const env = {
    GOTRUE_JWT_KEYS: JSON.stringify([jwk]),
    APP_URL: 'http://earshot.example',
    API_RATE_PER_MINUTE: '100000',
  }
  server = await startTestServer(env, database)
  other = await startTestServer(env, database)
  superadminToken = await server.signIn(await createUser(server.client, { fullName: 'Sam Super' }))
})
afterAll(async () => {
  await server?.stop()
  await other?.stop()
  await database?.drop()
})

interface Tenant {
  readonly owner: BuiltUser
  readonly token: string
  readonly organizationId: string
  call(path: string, options?: { method?: string; body?: unknown; token?: string; at?: TestServer }): Promise<Response>
}

async function openTenant(): Promise<Tenant> {
  const owner = await createUser(server.client)
  const token = await server.signIn(owner)
  const organizationId = owner.organizationId ?? ''
  return {
    owner,
    token,
    organizationId,
    call: (path, { at = server, ...options } = {}) =>
      at.call(`/api/v1/organizations/${organizationId}${path}`, { token, ...options }),
  }
}

const readEntitlements = async ({ call }: Tenant, token?: string) =>
  (await (await call('/entitlements', token === undefined ? {} : { token })).json()) as Entitlements
const newProject = (index: number) => ({ body: { name: `Site ${index}`, domain: `site-${index}.example.com` } })
const readProblem = async (reply: Response) => {
  const { code, detail } = (await reply.json()) as { code: string; detail?: string }
  return { status: reply.status, code, detail }
}

/** Sends 50 requests at once, half of them to each process. @returns how many had each status. */
async function race(send: (index: number, at: TestServer) => Promise<Response>): Promise<Record<number, number>> {
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) => send(index, index % 2 === 0 ? server : other)),
  )
  const counts: Record<number, number> = {}
  for (const reply of replies) {
    counts[reply.status] = (counts[reply.status] ?? 0) + 1
    await reply.body?.cancel()
  }
  return counts
}

describe('GET /api/v1/plans', () => {
  it('lists the plans to anyone, in their order, with prices and limits', async () => {
    const reply = await server.call('/api/v1/plans')
    const { items } = (await reply.json()) as { items: PlanOffer[] }
    expect(reply.headers.get('cache-control')).toBe('public, max-age=60')
    expect(
      items.map(({ name, monthlyCents, yearlyCents, maxProjects, maxMembers, maxItemsPerMonth }) => [
        name,
        monthlyCents,
        yearlyCents,
        maxProjects,
        maxMembers,
        maxItemsPerMonth,
      ]),
    ).toEqual([
      ['Starter', 1900, 19_000, 3, 5, 500],
      ['Growth', 4900, 49_000, 10, 15, 5000],
      ['Business', 12_900, 129_000, null, null, 50_000],
    ])
  })
})

describe('plans, for superadmins', () => {
  const call = (path: string, options: { method?: string; body?: unknown; token?: string } = {}) =>
    server.call(`/api/v1/superadmin/plans${path}`, { token: superadminToken, ...options })
  const body = {
    key: 'team',
    name: 'Team',
    forWhom: '',
    monthlyCents: 900,
    yearlyCents: 9000,
    maxProjects: 1,
    maxMembers: 2,
    maxItemsPerMonth: null,
    position: 5,
  }

  it('are created, changed and retired, and the audit log of the instance says by whom', async () => {
    const made = (await (await call('', { body })).json()) as Plan
    expect(made).toMatchObject({ ...body, retiredAt: null, organizations: 0 })
    expect(await readProblem(await call('', { body }))).toMatchObject({ status: 409, code: 'plan_key_taken' })
    const changed = (await (
      await call(`/${made.id}`, { method: 'PATCH', body: { monthlyCents: 1000, maxProjects: null } })
    ).json()) as Plan
    expect(changed).toMatchObject({ ...body, monthlyCents: 1000, maxProjects: null })

    const tenant = await openTenant()
    await subscribe(server, tenant.organizationId, 'team')
    await call(`/${made.id}`, { method: 'PATCH', body: { retired: true } })
    const { items } = (await (await server.call('/api/v1/plans')).json()) as { items: PlanOffer[] }
    expect(items.map(({ key }) => key)).not.toContain('team')
    const all = (await (await call('')).json()) as { items: Plan[] }
    expect(all.items.at(-1)).toMatchObject({ key: 'team', organizations: 1, retiredAt: expect.any(String) })
    const rows = await readCsv(await call('/exports', { method: 'POST' }))
    expect(rows.map(({ key }) => key)).toEqual(all.items.map(({ key }) => key))
    expect(rows.at(-1)).toMatchObject({ monthly_cents: '1000', max_projects: '', organizations: '1' })
    // Who has it keeps it.
    expect((await readEntitlements(tenant)).plan).toMatchObject({ key: 'team' })

    const { rows: entries } = await server.client.query(
      `select action, actor_kind, actor_name, before, after from audit_log where target_id = $1 order by created_at, id`,
      [made.id],
    )
    expect(entries.map(({ action }) => action)).toEqual(['plan.created', 'plan.updated', 'plan.retired'])
    expect(entries[1]).toMatchObject({
      actor_kind: 'superadmin',
      actor_name: 'Sam Super',
      before: { monthly_cents: 900, max_projects: 1 },
      after: { monthly_cents: 1000, max_projects: null },
    })
    // Not even the database's owner deletes a plan that is in use.
    await expect(server.client.query('delete from plans where id = $1', [made.id])).rejects.toThrow('foreign key')
  })

  it('are hidden from everyone else', async () => {
    const { token } = await openTenant()
    expect((await call('', { token })).status).toBe(403)
    expect((await call('', { token, body })).status).toBe(403)
    expect((await server.call('/api/v1/superadmin/plans')).status).toBe(401)
    expect((await call('/01a1fbfe-0000-7000-8000-000000000000', { method: 'PATCH', body: { name: 'x' } })).status).toBe(
      404,
    )
  })
})

describe('GET …/entitlements', () => {
  it('shows a trial without limits to every member, and what is used', async () => {
    const tenant = await openTenant()
    const { organizationId } = tenant
    await createProject(server.client, { organizationId })
    const viewer = await createMember(server.client, { organizationId, role: 'viewer' })
    await tenant.call('/invitations', { body: { email: 'guest@example.com', role: 'member' } })
    await tenant.call('/invitations', { body: { email: 'reader@example.com', role: 'viewer' } })
    expect(await readEntitlements(tenant, await server.signIn(viewer))).toEqual({
      status: 'trialing',
      trialEndsAt: expect.any(String),
      plan: null,
      hasEnded: false,
      locksNewFeedback: false,
      projects: { used: 1, max: null },
      // The owner and an open invitation; viewers don't count.
      members: { used: 2, max: null },
      items: { used: 0, max: null },
    })
  })

  it.each(['active', 'past_due'])('shows the limits of the plan while it is %s', async (status) => {
    const tenant = await openTenant()
    await subscribe(server, tenant.organizationId, 'starter')
    await server.client.query('update organizations set subscription_status = $2 where id = $1', [
      tenant.organizationId,
      status,
    ])
    expect(await readEntitlements(tenant)).toMatchObject({
      status,
      plan: { key: 'starter', name: 'Starter' },
      hasEnded: false,
      projects: { max: 3 },
      members: { max: 5 },
      items: { max: 500 },
    })
  })

  it.each(['canceled', 'expired', 'trialing'])('says that %s has ended, by the clock', async (status) => {
    const tenant = await openTenant()
    await endTrial(server.client, tenant.organizationId)
    await server.client.query('update organizations set subscription_status = $2 where id = $1', [
      tenant.organizationId,
      status,
    ])
    expect(await readEntitlements(tenant)).toMatchObject({ status, hasEnded: true, locksNewFeedback: true })
  })
})

describe('a limit of the plan', () => {
  it('admits one of 50 projects that two processes create at once, and names plan and limit', async () => {
    const tenant = await openTenant()
    await subscribe(server, tenant.organizationId, 'starter')
    for (const _ of ['one', 'two']) await createProject(server.client, { organizationId: tenant.organizationId })
    expect(await race((index, at) => tenant.call('/projects', { ...newProject(index), at }))).toEqual({
      201: 1,
      402: 49,
    })
    expect(await readProblem(await tenant.call('/projects', newProject(99)))).toEqual({
      status: 402,
      code: 'plan_limit_reached',
      detail: 'The Starter plan includes 3 projects. Archive a project, or choose a larger plan.',
    })
    expect((await readEntitlements(tenant)).projects).toEqual({ used: 3, max: 3 })
  })

  it('counts no archived project, and needs room to unarchive one', async () => {
    const tenant = await openTenant()
    const { organizationId } = tenant
    await subscribe(server, organizationId, 'starter')
    const [first, ...others] = [
      await createProject(server.client, { organizationId }),
      await createProject(server.client, { organizationId }),
      await createProject(server.client, { organizationId }),
    ]
    const archive = (id: string | undefined, archived: boolean) =>
      tenant.call(`/projects/${id}`, { method: 'PATCH', body: { archived } })
    expect((await archive(first?.id, true)).status).toBe(200)
    expect((await tenant.call('/projects', newProject(1))).status).toBe(201)
    expect((await archive(first?.id, false)).status).toBe(402)
    await archive(others[0]?.id, true)
    expect((await archive(first?.id, false)).status).toBe(200)
  })

  it('admits one of 50 invitations at once, and none whose place is taken when it is accepted', async () => {
    const tenant = await openTenant()
    const { organizationId } = tenant
    await subscribe(server, organizationId, 'starter')
    for (const _ of ['one', 'two', 'three']) await createMember(server.client, { organizationId, role: 'member' })
    const invite = (email: string, role: string, at = server) =>
      tenant.call('/invitations', { body: { email, role }, at })
    expect(await race((index, at) => invite(`guest-${index}@example.com`, 'member', at))).toEqual({ 201: 1, 402: 49 })
    expect((await readEntitlements(tenant)).members).toEqual({ used: 5, max: 5 })
    // Viewers need no room, and an invitation that is repeated holds its place already.
    expect((await invite('reader@example.com', 'viewer')).status).toBe(201)
    const { rows } = await server.client.query<{ email: string }>(
      `select email from invitations where organization_id = $1 and role = 'member'`,
      [organizationId],
    )
    expect((await invite(rows[0]?.email ?? '', 'member')).status).toBe(201)
    const batch = { recipients: ['x@example.com', 'y@example.com'], role: 'admin' }
    expect((await tenant.call('/invitations/batch', { body: batch })).status).toBe(402)
    expect((await readEntitlements(tenant)).members).toEqual({ used: 5, max: 5 })

    const guest = await createUser(server.client, { email: rows[0]?.email ?? '' })
    const link = /accept-invitation\/([\w-]+)/.exec(
      (await server.mails()).findLast(({ to }) => to === guest.email)?.text ?? '',
    )?.[1]
    const guestToken = await server.signIn(guest)
    const accept = () => server.call(`/api/v1/invitations/${link}/accept`, { token: guestToken, body: {} })
    await createMember(server.client, { organizationId, role: 'admin' })
    expect(await readProblem(await accept())).toEqual({
      status: 402,
      code: 'plan_limit_reached',
      detail: 'The organisation’s plan has no room for another member. Ask its owner to choose a larger plan.',
    })
    await subscribe(server, organizationId, 'growth')
    expect((await accept()).status).toBe(200)
  })

  it('admits one of the viewers who become members at once', async () => {
    const tenant = await openTenant()
    const { organizationId } = tenant
    await subscribe(server, organizationId, 'starter')
    for (const _ of ['one', 'two', 'three']) await createMember(server.client, { organizationId, role: 'member' })
    const viewers: BuiltUser[] = []
    while (viewers.length < 50) viewers.push(await createMember(server.client, { organizationId, role: 'viewer' }))
    const promote = (index: number, at: TestServer) =>
      tenant.call(`/members/${viewers[index]?.id}`, { method: 'PATCH', body: { role: 'member' }, at })
    expect(await race(promote)).toEqual({ 200: 1, 402: 49 })
  })
})

describe('after a trial', () => {
  it('reading and export stay open, and no project or member can be added', async () => {
    const tenant = await openTenant()
    await createProject(server.client, { organizationId: tenant.organizationId })
    await endTrial(server.client, tenant.organizationId)
    expect(await readProblem(await tenant.call('/projects', newProject(1)))).toEqual({
      status: 402,
      code: 'plan_required',
      detail: 'Your trial or plan has ended. Choose a plan to add a project.',
    })
    expect((await tenant.call('/invitations', { body: { email: 'a@example.com', role: 'member' } })).status).toBe(402)
    expect((await tenant.call('/feedback')).status).toBe(200)
    const body = { id: crypto.randomUUID(), format: 'csv', selection: {} }
    expect((await tenant.call('/exports', { body })).status).toBe(201)
  })
})

describe('BILLING=off', () => {
  it('has no plans, no trial and no limits, also for those who had a trial', async () => {
    const before = await openTenant()
    const free = await startTestServer({ BILLING: 'off' })
    try {
      const owner = await createUser(free.client)
      const token = await free.signIn(owner)
      const path = `/api/v1/organizations/${owner.organizationId}`
      expect(await (await free.call('/api/v1/plans')).json()).toEqual({ items: [] })
      expect(await (await free.call(`${path}/entitlements`, { token })).json()).toMatchObject({
        status: 'self_hosted',
        trialEndsAt: null,
        plan: null,
        hasEnded: false,
        locksNewFeedback: false,
        projects: { max: null },
      })
      for (const index of [1, 2, 3, 4]) {
        expect((await free.call(`${path}/projects`, { token, ...newProject(index) })).status).toBe(201)
      }
    } finally {
      await free.stop()
    }
    // On an instance that bills, who was self-hosted before stays so.
    await server.client.query(`update organizations set subscription_status = 'self_hosted' where id = $1`, [
      before.organizationId,
    ])
    expect(await readEntitlements(before)).toMatchObject({ status: 'self_hosted', hasEnded: false })
  })
})
