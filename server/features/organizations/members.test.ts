import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { Member } from '#contract/members.ts'
import { isAllowed, type Role, roles } from '#contract/permissions.ts'
import { addMember, type BuiltUser, createMember, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
/** Runs the instance, and is a member nowhere. */
let superadminToken: string
/** Connections on which statements run as the tenant role. */
let planes: readonly [Plane, Plane]

beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '1000000' })
  superadminToken = await server.signIn(await createUser(server.client))
  await server.client.query('delete from memberships')
  planes = [await openPlane(), await openPlane()]
})

afterAll(async () => {
  for (const { client } of planes) await client.end()
  await server.stop()
})

interface Team {
  id: string
  owner: BuiltUser
  token: string
  path: string
}

async function createTeam(fullName = 'Grace Hopper'): Promise<Team> {
  const owner = await createUser(server.client, { fullName })
  const id = owner.organizationId ?? ''
  return { id, owner, token: await server.signIn(owner), path: `/api/v1/organizations/${id}` }
}

interface Page {
  items: Member[]
  nextCursor: string | null
  total: number
}

async function read<T>(path: string, token: string): Promise<T> {
  const reply = await server.call(path, { token })
  expect(reply.status).toBe(200)
  return (await reply.json()) as T
}

async function send(path: string, token: string, method: string, body?: object) {
  const reply = await server.call(path, { method, token, ...(body && { body }) })
  const text = await reply.text()
  return { status: reply.status, reply: (text === '' ? {} : JSON.parse(text)) as Member & Problem }
}

async function findRole(organizationId: string, userId: string): Promise<Role | undefined> {
  const { rows } = await server.client.query(
    'select role from memberships where organization_id = $1 and user_id = $2',
    [organizationId, userId],
  )
  return rows[0]?.role
}

async function listEvents(organizationId: string): Promise<{ name: string; payload: object; actor: string }[]> {
  const { rows } = await server.client.query(
    `select name, payload, actor_user_id as actor from app.events where organization_id = $1
     and name like 'member.%' and actor_user_id is not null order by id`,
    [organizationId],
  )
  return rows
}

describe('GET …/members', () => {
  it('names all members by name, and no one else', async () => {
    const { owner, id, path } = await createTeam()
    const viewer = await createMember(server.client, { organizationId: id, role: 'viewer' })
    await server.client.query(
      "update public.profiles set full_name = null, email = 'ada@example.com' where user_id = $1",
      [viewer.id],
    )
    const removed = await createMember(server.client, { organizationId: id, role: 'member' })
    await server.client.query('delete from memberships where user_id = $1', [removed.id])
    await createUser(server.client, { fullName: 'Someone Else' })

    const all = await read<Page>(`${path}/members`, await server.signIn(viewer))
    const joinedAt = expect.any(String)
    expect(all).toEqual({
      items: [
        {
          userId: viewer.id,
          name: 'ada@example.com',
          email: 'ada@example.com',
          role: 'viewer',
          avatarUrl: null,
          joinedAt,
          lastActiveAt: null,
        },
        {
          userId: owner.id,
          name: 'Grace Hopper',
          email: owner.email,
          role: 'owner',
          avatarUrl: null,
          joinedAt,
          lastActiveAt: null,
        },
      ],
      nextCursor: null,
      total: 2,
    })
  })

  it('pages through 1,000 members by name, each once, and finds parts of names and addresses', async () => {
    const { id, token, path } = await createTeam('Zoë Last')
    await server.client.query(
      `with made as (
         insert into auth.users (id, aud, role, email, email_confirmed_at, invited_at, raw_user_meta_data)
         select gen_random_uuid(), 'authenticated', 'authenticated', 'm' || n || '-' || left($1::text, 8) || '@example.com', now(), now(),
           -- Many people have the same name.
           jsonb_build_object('full_name', 'Person ' || (n % 300))
         from generate_series(1, 999) as n
         returning id)
       select count(*) from made`,
      [id],
    )
    await server.client.query(
      `insert into memberships (organization_id, user_id, role)
       select $1::uuid, id, 'member' from auth.users where email like 'm%-' || left($1::text, 8) || '@example.com'`,
      [id],
    )
    const seen: Member[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const page: Page = await read<Page>(`${path}/members?limit=100${query}`, token)
      expect(page.total).toBe(1000)
      seen.push(...page.items)
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(new Set(seen.map(({ userId }) => userId)).size).toBe(1000)
    expect(seen.at(-1)?.name).toBe('Zoë Last')

    const found = await read<Page>(`${path}/members?search=${encodeURIComponent('ZOË')}`, token)
    expect(found.items.map(({ name }) => name)).toEqual(['Zoë Last'])
    expect((await read<Page>(`${path}/members?search=m77-`, token)).items).toHaveLength(1)
    expect((await read<Page>(`${path}/members?search=${encodeURIComponent('100%')}`, token)).items).toEqual([])
    for (const bad of ['x', Buffer.from('x y').toString('base64url')]) {
      const refused = await send(`${path}/members?cursor=${bad}`, token, 'GET')
      expect([refused.status, refused.reply.fields?.[0]?.path]).toEqual([400, 'query.cursor'])
    }

    // A renamed person is sorted by the new name.
    await server.client.query(`update auth.users set raw_user_meta_data = '{"full_name": "Aaron"}' where id = $1`, [
      seen[500]?.userId,
    ])
    expect((await read<Page>(`${path}/members?limit=1`, token)).items[0]?.name).toBe('Aaron')
  })

  it('tells owners alone when members were last active', async () => {
    const { id, token, path } = await createTeam()
    const viewer = await createMember(server.client, { organizationId: id, role: 'viewer' })
    const viewerToken = await server.signIn(viewer)
    const findActive = async (as: string) =>
      (await read<Page>(`${path}/members?limit=10`, as)).items.find(({ userId }) => userId === viewer.id)?.lastActiveAt
    expect(await findActive(token)).toBeNull()
    expect(await findActive(viewerToken)).toBeNull()
    // The call before is recorded without being waited for.
    await expect.poll(() => findActive(token)).not.toBeNull()
    expect(await findActive(viewerToken)).toBeNull()
  })
})

describe('changing members', () => {
  it('changes a role, removes a member, and records who did', async () => {
    const { id, owner, token, path } = await createTeam()
    const member = await createMember(server.client, { organizationId: id, role: 'member' })
    const memberToken = await server.signIn(member)
    const changed = await send(`${path}/members/${member.id}`, token, 'PATCH', { role: 'owner' })
    expect([changed.status, changed.reply]).toMatchObject([200, { userId: member.id, role: 'owner' }])
    expect((await send(`${path}/members/${owner.id}`, memberToken, 'PATCH', { role: 'viewer' })).status).toBe(200)
    // The former owner's token is as good as before, but no longer an owner's.
    expect((await send(`${path}/members/${member.id}`, token, 'PATCH', { role: 'viewer' })).status).toBe(403)
    expect((await send(`${path}/members/${owner.id}`, memberToken, 'DELETE')).status).toBe(204)
    const again = await send(`${path}/members/${owner.id}`, memberToken, 'DELETE')
    expect([again.status, again.reply.code]).toEqual([404, 'member_not_found'])
    // V-29: the next call of the removed person, with the old token.
    expect((await send(`${path}/members`, token, 'GET')).status).toBe(404)
    expect((await listEvents(id)).filter(({ name }) => name !== 'member.joined')).toEqual([
      {
        name: 'member.role_changed',
        payload: { members: [{ userId: member.id, from: 'member', to: 'owner' }] },
        actor: owner.id,
      },
      {
        name: 'member.role_changed',
        payload: { members: [{ userId: owner.id, from: 'owner', to: 'viewer' }] },
        actor: member.id,
      },
      {
        name: 'member.removed',
        payload: { members: [{ userId: owner.id, role: 'viewer', name: 'Grace Hopper' }] },
        actor: member.id,
      },
    ])
  })

  it('hands ownership over: the other is owner, the caller admin', async () => {
    const { id, owner, token, path } = await createTeam()
    const member = await createMember(server.client, { organizationId: id, role: 'viewer' })
    const stranger = await createUser(server.client)
    const transfer = (userId: string, as = token) => send(`${path}/transfer-ownership`, as, 'POST', { userId })
    expect((await transfer(stranger.id)).reply.code).toBe('member_not_found')
    expect((await transfer(owner.id)).reply.fields?.[0]?.path).toBe('body.userId')
    expect((await transfer(member.id)).reply).toMatchObject({ userId: member.id, role: 'owner' })
    expect([await findRole(id, owner.id), await findRole(id, member.id)]).toEqual(['admin', 'owner'])
    expect((await transfer(member.id)).status).toBe(403)
    expect((await transfer(owner.id, superadminToken)).status).toBe(200)
    expect([await findRole(id, owner.id), await findRole(id, member.id)]).toEqual(['owner', 'owner'])
  })

  it('lets everyone leave but the only owner, also without colleagues', async () => {
    const { id, owner, token, path } = await createTeam()
    const leave = (as: string) => send(`${path}/leave`, as, 'POST')
    expect((await leave(token)).reply.code).toBe('owner_required')
    for (const role of ['viewer', 'owner'] as const) {
      const member = await createMember(server.client, { organizationId: id, role })
      const memberToken = await server.signIn(member)
      expect((await leave(memberToken)).status).toBe(204)
      expect(await findRole(id, member.id)).toBeUndefined()
      expect((await leave(memberToken)).status).toBe(404)
    }
    for (const [method, body] of [['PATCH', { role: 'admin' }], ['DELETE']] as const) {
      const refused = await send(`${path}/members/${owner.id}`, token, method, body)
      expect([refused.status, refused.reply.code]).toEqual([409, 'owner_required'])
    }
    expect(await findRole(id, owner.id)).toBe('owner')
  })
})

interface Plane {
  /** Runs a statement as a person, in a transaction. @returns how many rows it touched. */
  run(userId: string, statement: string, isolation?: string): Promise<number>
  readonly client: pg.Client
}

async function openPlane(): Promise<Plane> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  async function run(userId: string, statement: string, isolation = 'read committed'): Promise<number> {
    await client.query(`begin isolation level ${isolation}`)
    try {
      await client.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
        [JSON.stringify({ role: 'authenticated', sub: userId })],
      )
      const { rowCount } = await client.query(statement)
      await client.query('commit')
      return rowCount ?? 0
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }
  return { run, client }
}

describe('V-28: who may give whom which role', () => {
  it('is a table of requester, target and new role, the same over HTTP and in the database', async () => {
    const { id, path } = await createTeam()
    const targets = new Map<Role, string>()
    for (const role of roles) {
      targets.set(role, (await createMember(server.client, { organizationId: id, role })).id)
    }
    const requesters: { name: string; role?: Role; id: string; token: string }[] = []
    for (const role of roles) {
      const person = await createMember(server.client, { organizationId: id, role })
      requesters.push({ name: role, role, id: person.id, token: await server.signIn(person) })
    }
    const outsider = await createUser(server.client)
    requesters.push({ name: 'outsider', id: outsider.id, token: await server.signIn(outsider) })
    for (const requester of requesters) {
      for (const [from, targetId] of targets) {
        for (const to of roles) {
          const isRight = isAllowed(requester.role, 'change_roles')
          const { status } = await send(`${path}/members/${targetId}`, requester.token, 'PATCH', { role: to })
          const expected = isRight ? 200 : requester.role === undefined ? 404 : 403
          expect.soft([requester.name, from, to, status]).toEqual([requester.name, from, to, expected])
          expect.soft(await findRole(id, targetId)).toBe(isRight ? to : from)
          await server.client.query('update memberships set role = $1 where user_id = $2', [from, targetId])
          const count = await planes[0].run(
            requester.id,
            `update memberships set role = '${to}' where organization_id = '${id}' and user_id = '${targetId}'`,
          )
          expect.soft([requester.name, from, to, count]).toEqual([requester.name, from, to, isRight ? 1 : 0])
          await server.client.query('update memberships set role = $1 where user_id = $2', [from, targetId])
        }
      }
    }
    for (const to of roles) {
      const { status } = await send(`${path}/members/${targets.get('owner')}`, superadminToken, 'PATCH', { role: to })
      expect(status).toBe(200)
    }
  })
})

describe('V-27: an organisation always keeps an owner', () => {
  let team: Team
  let other: BuiltUser
  let tokens: [string, string]
  const both = () => [team.owner.id, other.id] as const

  beforeAll(async () => {
    team = await createTeam()
    other = await createMember(server.client, { organizationId: team.id, role: 'owner' })
    tokens = [team.token, await server.signIn(other)]
    await createMember(server.client, { organizationId: team.id, role: 'viewer' })
  })

  async function restore(): Promise<void> {
    for (const userId of both()) {
      await server.client.query(
        `insert into memberships (organization_id, user_id, role) values ($1, $2, 'owner')
         on conflict (organization_id, user_id) do update set role = 'owner'`,
        [team.id, userId],
      )
    }
  }

  async function countOwners(): Promise<number> {
    const { rows } = await server.client.query(
      `select count(*)::int as n from memberships where organization_id = $1 and role = 'owner'`,
      [team.id],
    )
    return rows[0].n
  }

  it('while two owners remove, demote and leave each other at once, over HTTP', async () => {
    const [first, second] = both()
    const acts: ((own: string, colleague: string, token: string) => ReturnType<typeof send>)[] = [
      (_own, colleague, token) => send(`${team.path}/members/${colleague}`, token, 'DELETE'),
      (_own, colleague, token) => send(`${team.path}/members/${colleague}`, token, 'PATCH', { role: 'viewer' }),
      (own, _colleague, token) => send(`${team.path}/members/${own}`, token, 'PATCH', { role: 'member' }),
      (_own, _colleague, token) => send(`${team.path}/leave`, token, 'POST'),
    ]
    for (let round = 0; round < 64; round += 1) {
      const [one = acts[0], two = acts[0]] = [acts[round % 4], acts[Math.floor(round / 4) % 4]]
      const answers = await Promise.all([one?.(first, second, tokens[0]), two?.(second, first, tokens[1])])
      const statuses = answers.map((answer) => answer?.status ?? 0)
      expect(await countOwners(), String(statuses)).toBe(1)
      // The second is no owner any more, no member any more, or the last owner; or was demoted, and leaves.
      const [best = 0, worst = 0] = statuses.toSorted((a, b) => a - b)
      expect([200, 204]).toContain(best)
      expect([200, 204, 403, 404, 409]).toContain(worst)
      await restore()
    }
  })

  it.each(['read committed', 'repeatable read'])(
    'while two owners do so in the database, as the tenant role, at level %s',
    async (isolation) => {
      const [first, second] = both()
      const inTeam = `organization_id = '${team.id}' and user_id =`
      const acts = [
        (_own: string, colleague: string) => `delete from memberships where ${inTeam} '${colleague}'`,
        (_own: string, colleague: string) => `update memberships set role = 'viewer' where ${inTeam} '${colleague}'`,
        (own: string) => `delete from memberships where ${inTeam} '${own}'`,
        () => `select app.leave_organization('${team.id}')`,
      ]
      for (let round = 0; round < 64; round += 1) {
        const [one = acts[0], two = acts[0]] = [acts[round % 4], acts[Math.floor(round / 4) % 4]]
        await Promise.allSettled([
          planes[0].run(first, one?.(first, second) ?? '', isolation),
          planes[1].run(second, two?.(second, first) ?? '', isolation),
        ])
        expect(await countOwners(), `round ${round}`).toBeGreaterThanOrEqual(1)
        await restore()
      }
    },
  )

  it('while the only owner leaves and a guest joins', async () => {
    await server.client.query(`delete from memberships where organization_id = $1 and user_id = $2`, [
      team.id,
      other.id,
    ])
    await expect(
      planes[0].run(
        team.owner.id,
        `delete from memberships where organization_id = '${team.id}' and user_id = auth.uid()`,
      ),
    ).rejects.toThrow(/at least one owner/)
    await addMember(server.client, { organizationId: team.id, userId: other.id, role: 'owner' })
  })
})
