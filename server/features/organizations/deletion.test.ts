import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrganizationContents, OrganizationDeletion } from '#contract/organization-deletion.ts'
import type { OwnOrganization } from '#contract/own-organizations.ts'
import { type BuiltUser, createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { followEvents } from '#server/testing/event-stream.ts'
import { eventually, type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import { tables } from '#server/testing/gather-facts.ts'
import { sendFile } from '#server/testing/uploads.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

let fixture: FilesFixture

beforeAll(async () => {
  fixture = await openFilesFixture({ API_RATE_PER_MINUTE: '100000' })
})

afterAll(() => fixture.stop())

interface Team {
  owner: BuiltUser
  token: string
  organizationId: string
  project: { id: string; widgetKey: string }
  call(path: string, options?: { method?: string; token?: string; body?: unknown }): Promise<Response>
}

async function buildTeam(organizationName: string): Promise<Team> {
  const { server } = fixture
  const owner = await createUser(server.client, { organizationName })
  const organizationId = owner.organizationId ?? ''
  const token = await server.signIn(owner)
  const project = await createProject(server.client, { organizationId })
  const call: Team['call'] = (path, options) =>
    server.call(`/api/v1/organizations/${organizationId}${path}`, { token, ...options })
  return { owner, token, organizationId, project, call }
}

const close = ({ call }: Team, name: string, token?: string) =>
  call('', { method: 'DELETE', body: { name }, ...(token !== undefined && { token }) })

const load = (widgetKey: string) => fetch(`${fixture.server.url}/e/${widgetKey}.js`).then((reply) => reply.text())

async function listOwn(token: string): Promise<OwnOrganization[]> {
  const reply = await fixture.server.call('/api/v1/organizations', { token })
  return ((await reply.json()) as { items: OwnOrganization[] }).items
}

async function readCurrent(user: BuiltUser, token: string): Promise<unknown> {
  const reply = await fixture.server.call('/rest/v1/rpc/get_user_current_organization', {
    token,
    body: { p_user_id: user.id },
  })
  return reply.json()
}

/** Rows that the person's database role sees, past the server: the second gate. */
async function countSeen(user: BuiltUser): Promise<number> {
  const { client } = fixture.server
  await client.query('begin')
  const claims = JSON.stringify({ sub: user.id, role: 'authenticated' })
  await client.query(`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`, [
    claims,
  ])
  const { rows } = await client.query(
    'select (select count(*) from organizations) + (select count(*) from projects) + (select count(*) from feedback) as n',
  )
  await client.query('rollback')
  return Number(rows[0].n)
}

const endGrace = (organizationId: string) =>
  fixture.server.client.query(
    `update organizations set closed_at = now() - interval '30 days', delete_after = now() where id = $1`,
    [organizationId],
  )

const isGone = async (organizationId: string) =>
  (await fixture.server.client.query('select from organizations where id = $1', [organizationId])).rowCount === 0

describe('DELETE /api/v1/organizations/{organizationId}', () => {
  it('is for owners who have just proven who they are and type the name', async () => {
    const { server } = fixture
    const team = await buildTeam('Guarded')
    const { organizationId, owner } = team
    for (const role of ['admin', 'member', 'viewer'] as const) {
      const member = await createMember(server.client, { organizationId, role })
      const token = await server.signIn(member)
      expect((await close(team, 'Guarded', token)).status).toBe(403)
      expect((await team.call('/contents', { token })).status).toBe(403)
    }
    const wrong = await close(team, 'guarded')
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { fields: [{ path: 'body.name' }] }])
    await server.client.query(
      `update auth.mfa_amr_claims c set created_at = now() - interval '11 minutes'
       from auth.sessions s where s.id = c.session_id and s.user_id = $1`,
      [owner.id],
    )
    // A token keeps the time of its sign-in: another one is needed to see the change.
    const { refresh_token } = (await (
      await server.call('/auth/v1/token?grant_type=password', {
        body: { email: owner.email, password: 'correct horse battery staple' },
      })
    ).json()) as { refresh_token: string }
    await server.client.query(
      `update auth.mfa_amr_claims c set created_at = now() - interval '11 minutes'
       from auth.sessions s where s.id = c.session_id and s.user_id = $1`,
      [owner.id],
    )
    const refreshed = await server.call('/auth/v1/token?grant_type=refresh_token', { body: { refresh_token } })
    const old = await close(team, 'Guarded', ((await refreshed.json()) as { access_token: string }).access_token)
    expect([old.status, await old.json()]).toMatchObject([403, { code: 'identity_proof_required' }])
    expect(await listOwn(team.token)).toMatchObject([{ deleteAfter: null }])
  })

  it('closes the organisation for everyone at once, and restores all of it', async () => {
    const { server } = fixture
    const team = await buildTeam('Closing Time')
    const { organizationId, owner, token, project, call } = team
    const member = await createMember(server.client, { organizationId, role: 'admin' })
    const memberToken = await server.signIn(member)
    const fileId = await sendFile(server, project.widgetKey, { kind: 'screenshot', bytes: makePng() })
    const sent = makeSubmission({ attachments: [{ id: fileId, kind: 'screenshot' }], email: 'grace@example.org' })
    expect((await submit(server, project.widgetKey, sent)).status).toBe(201)
    const readItem = async () =>
      (await (await call(`/feedback/${sent.id}`)).json()) as { attachments: { url: string | null; state: string }[] }
    await eventually(async () => (await readItem()).attachments[0]?.state).toBe('ready')
    const fileUrl = new URL((await readItem()).attachments[0]?.url ?? '', server.url)
    expect((await fetch(fileUrl)).status).toBe(200)
    await call(`/feedback/${sent.id}/comments`, { body: { id: randomUUID(), kind: 'reply', text: 'Thank you.' } })
    const reply = (await server.mails()).findLast(({ to }) => to === 'grace@example.org')
    const conversation = `/api/v1/conversations/${/conversation\/([\w-]+)/.exec(reply?.text ?? '')?.[1]}`
    expect((await server.call(conversation)).status).toBe(200)
    await call('/invitations', { body: { email: 'guest@example.com', role: 'viewer' } })
    const invitation = (await server.mails()).findLast(({ to }) => to === 'guest@example.com')
    const invited = `/api/v1/invitations/${/accept-invitation\/([\w-]{43})/.exec(invitation?.text ?? '')?.[1]}`
    expect((await server.call(invited)).status).toBe(200)
    expect(await load(project.widgetKey)).not.toContain('archived')
    const stream = await followEvents(server, organizationId, memberToken)
    expect(await (await call('/contents')).json()).toMatchObject({
      projects: 1,
      items: 1,
      members: 2,
      files: 1,
    } satisfies Partial<OrganizationContents>)

    expect(await countSeen(owner)).toBe(3)
    const closed = await close(team, 'Closing Time')
    expect(closed.status).toBe(200)
    const { deleteAfter } = (await closed.json()) as { deleteAfter: string }
    expect((Date.parse(deleteAfter) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
    // A retry after a lost answer.
    expect(await (await close(team, 'Closing Time')).json()).toEqual({ deleteAfter })
    const notices = (await server.mails()).filter(({ kind }) => kind === 'organization_closed')
    expect(notices.map(({ to }) => to)).toEqual([owner.email])
    expect(notices[0]?.text).toContain('Until then, an owner can restore all of it.')

    // Nothing is left to be seen, of every kind.
    while ((await stream.next()) !== undefined);
    for (const [path, as] of [
      ['/projects', token],
      [`/feedback/${sent.id}`, memberToken],
      ['/members', memberToken],
      ['/contents', token],
      ['/select', token],
    ] as const) {
      const refused = await call(path, { token: as, ...(path === '/select' && { method: 'POST' }) })
      expect([path, refused.status, await refused.json()]).toMatchObject([path, 410, { code: 'organization_closed' }])
    }
    expect(await readCurrent(owner, token)).toEqual([])
    for (const person of [owner, member]) expect(await countSeen(person)).toBe(0)
    await eventually(() => load(project.widgetKey)).toContain('this project is archived')
    const refused = await submit(server, project.widgetKey, makeSubmission())
    expect([refused.status, await refused.json()]).toMatchObject([410, { code: 'project_archived' }])
    await expect(sendFile(server, project.widgetKey, { kind: 'screenshot', bytes: makePng() })).rejects.toThrow('410')
    expect((await fetch(fileUrl)).status).toBe(404)
    expect((await server.call(conversation)).status).toBe(404)
    expect((await server.call(invited)).status).toBe(404)
    const stranger = await server.signIn(await createUser(server.client))
    for (const path of ['', '/deletion', '/restore'] as const) {
      const method = { '': 'DELETE', '/deletion': 'GET', '/restore': 'POST' }[path]
      const body = path === '' ? { body: { name: 'Closing Time' } } : {}
      expect((await call(path, { method, token: stranger, ...body })).status).toBe(404)
    }

    // Members learn who can restore it, and until when.
    const told = (await (await call('/deletion', { token: memberToken })).json()) as OrganizationDeletion
    expect(told).toMatchObject({
      organizationName: 'Closing Time',
      deleteAfter,
      closedByName: 'Ada Example',
      canRestore: false,
      owners: [{ name: 'Ada Example', email: owner.email }],
    })
    expect(await listOwn(memberToken)).toMatchObject([{ id: organizationId, role: 'admin', deleteAfter }])
    expect((await call('/restore', { method: 'POST', token: memberToken })).status).toBe(403)

    for (const _ of ['first', 'repeated']) expect((await call('/restore', { method: 'POST' })).status).toBe(204)
    expect((await call('/deletion')).status).toBe(404)
    expect((await call(`/feedback/${sent.id}`, { token: memberToken })).status).toBe(200)
    expect((await fetch(fileUrl)).status).toBe(200)
    expect((await server.call(conversation)).status).toBe(200)
    expect((await server.call(invited)).status).toBe(200)
    await eventually(() => load(project.widgetKey)).not.toContain('archived')
    expect((await submit(server, project.widgetKey, makeSubmission())).status).toBe(201)
    const { rows } = await server.client.query(
      `select name, actor_user_id from app.events where organization_id = $1 and name like 'organization.%' order by occurred_at`,
      [organizationId],
    )
    expect(rows.map(({ name }) => name)).toEqual([
      'organization.created',
      'organization.deletion_requested',
      'organization.restored',
    ])
    expect(new Set(rows.map((row) => row.actor_user_id))).toEqual(new Set([owner.id]))
  })
})

describe('the job remove_closed_organizations', () => {
  /** Tables in which the text occurs, with the number of rows. */
  async function findText(text: string): Promise<Record<string, number>> {
    const { client } = fixture.server
    const { rows } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'app', 'auth', 'graphile_worker') and c.relkind in ('r', 'p')`,
    )
    const found: Record<string, number> = {}
    for (const { name } of rows) {
      const { rowCount } = await client.query(`select from ${name} t where strpos(t::text, $1) > 0`, [text])
      if (rowCount) found[name] = rowCount
    }
    return found
  }

  it('removes every row and file after the grace, also when a run was cut off, and nothing of others', async () => {
    const { server } = fixture
    const team = await buildTeam('Doomed')
    const { organizationId, owner, project } = team
    const viewer = await createMember(server.client, { organizationId, role: 'viewer' })
    const pictured = await createMember(server.client, { organizationId, role: 'member' })
    const spare = await createUser(server.client, { isInvited: true })
    const empty = await createProject(server.client, { organizationId })
    await server.client.query('delete from public.widgets where project_id = $1', [empty.id])
    const item = await createFeedback(server.client, { organizationId, projectId: project.id, message: 'canary' })
    // A row in each table that has a tenant.
    const tenant = {
      organizationId,
      projectId: project.id,
      emptyProjectId: empty.id,
      feedbackId: item.id,
      viewerId: viewer.id,
      spareId: spare.id,
      picturedId: pictured.id,
      ownerId: owner.id,
    }
    for (const { make } of Object.values(tables)) if (make) await server.client.query(make(tenant))
    // Made up; the storage refuses it.
    await server.client.query(`delete from app.removed_files where storage_key = 'made'`)
    const fileId = await sendFile(server, project.widgetKey, { kind: 'screenshot', bytes: makePng() })
    const sent = makeSubmission({ attachments: [{ id: fileId, kind: 'screenshot' }], message: 'canary' })
    expect((await submit(server, project.widgetKey, sent)).status).toBe(201)
    const folder = join(fixture.dataDir, 'files', organizationId)
    await eventually(async () => (await readdir(folder)).length).toBeGreaterThan(0)
    const neighbour = await buildTeam('Doomed')
    const kept = await createFeedback(server.client, {
      organizationId: neighbour.organizationId,
      projectId: neighbour.project.id,
    })

    expect((await close(team, 'Doomed')).status).toBe(200)
    const run = () => server.client.query(`select app.enqueue_job('remove_closed_organizations', '{}')`)
    const remove = async (limit: number) =>
      (await server.client.query('select app.remove_organization_rows($1, $2) as n', [organizationId, limit])).rows[0].n
    // Within the grace there is nothing to remove.
    expect(await remove(1)).toBeNull()
    await endGrace(organizationId)
    expect((await team.call('/restore', { method: 'POST' })).status).toBe(404)
    expect(await listOwn(team.token)).toEqual([])
    // A run that ended after its first rows.
    expect(await remove(2)).toBe(2)
    await run()
    await eventually(() => isGone(organizationId)).toBe(true)
    await run()

    await eventually(async () => (await server.client.query('select from app.removed_files')).rowCount).toBe(0)
    await eventually(async () => await readdir(folder).catch(() => [])).toEqual([])
    // That it was deleted: for who runs the instance, and for subscribers.
    await eventually(async () => {
      const { 'app.app_logs': _lines, ...found } = await findText(organizationId)
      return found
    }).toEqual({ audit_log: 1, 'app.events': 1 })
    // Until LOG_DAYS have passed, lines of the log name it by its id, also in the paths of its files. They name no one, and no content.
    const { rows: lines } = await server.client.query<{ message: string; fields: string }>(
      'select message, fields from app.app_logs l where strpos(l::text, $1) > 0',
      [organizationId],
    )
    for (const line of lines) {
      for (const text of ['Doomed', 'canary', owner.email, viewer.email, pictured.email]) {
        expect(JSON.stringify(line)).not.toContain(text)
      }
    }
    const { rows } = await server.client.query('select name from app.events where organization_id = $1', [
      organizationId,
    ])
    expect(rows).toEqual([{ name: 'organization.deleted' }])
    expect(await findText('canary')).toEqual({})

    // People keep their accounts, and others their organisations.
    expect(await listOwn(await server.signIn(viewer))).toEqual([])
    expect((await neighbour.call(`/feedback/${kept.id}`)).status).toBe(200)
  })

  it('removes the organisations of a deleted account without grace', async () => {
    const { server } = fixture
    const team = await buildTeam('Goes Along')
    await createFeedback(server.client, { organizationId: team.organizationId, projectId: team.project.id })
    // Closed, with a member who cannot restore it: it is no reason to stay.
    const shared = await buildTeam('Shared')
    await server.client.query(`update memberships set user_id = $1 where organization_id = $2`, [
      team.owner.id,
      shared.organizationId,
    ])
    await createMember(server.client, { organizationId: shared.organizationId, role: 'viewer' })
    const token = await server.signIn(team.owner)
    const leave = () => server.call('/api/v1/account', { method: 'DELETE', token, body: { email: team.owner.email } })
    expect((await leave()).status).toBe(409)
    expect((await close({ ...shared, token }, 'Shared', token)).status).toBe(200)
    const losses = await (await server.call('/api/v1/account/losses', { token })).json()
    expect(losses).toMatchObject({
      organizations: [{ name: 'Goes Along', items: 1 }, { name: 'Shared' }],
      blockedBy: [],
    })
    expect((await leave()).status).toBe(204)
    await eventually(() => isGone(team.organizationId)).toBe(true)
    expect(await isGone(shared.organizationId)).toBe(false)
    await endGrace(shared.organizationId)
    await server.client.query(`select app.enqueue_job('remove_closed_organizations', '{}')`)
    await eventually(() => isGone(shared.organizationId)).toBe(true)
  })
})
