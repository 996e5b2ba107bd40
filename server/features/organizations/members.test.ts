import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Member } from '#contract/organizations.ts'
import { createMember, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

describe('GET /api/v1/organizations/{organizationId}/members', () => {
  it('names all members by name, and no one else', async () => {
    const owner = await createUser(server.client, { fullName: 'Grace Hopper' })
    const organizationId = owner.organizationId ?? ''
    const viewer = await createMember(server.client, { organizationId, role: 'viewer' })
    await server.client.query(
      "update public.profiles set full_name = null, email = 'ada@example.com' where user_id = $1",
      [viewer.id],
    )
    const removed = await createMember(server.client, { organizationId, role: 'member' })
    await server.client.query('delete from memberships where user_id = $1', [removed.id])
    await createUser(server.client, { fullName: 'Someone Else' })

    const token = await server.signIn(viewer)
    const reply = await server.call(`/api/v1/organizations/${organizationId}/members`, { token })
    expect(reply.status).toBe(200)
    const { items } = (await reply.json()) as { items: Member[] }
    expect(items).toEqual([
      { userId: viewer.id, name: 'ada@example.com', email: 'ada@example.com', role: 'viewer', avatarUrl: null },
      { userId: owner.id, name: 'Grace Hopper', email: owner.email, role: 'owner', avatarUrl: null },
    ])
  })
})
