import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Presence } from '#contract/presence.ts'
import { type BuiltUser, createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { followEvents } from '#server/testing/event-stream.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let first: TestServer
/** Another process on the same database, as far as presence can tell. */
let second: TestServer
let owner: BuiltUser
let organizationId: string
let token: string
let member: BuiltUser
let colleague: string
let itemId: string
let otherId: string

beforeAll(async () => {
  first = await startTestServer()
  second = await startTestServer({}, { url: first.databaseUrl })
})

afterAll(async () => {
  await second.stop()
  await first.stop()
})

beforeEach(async () => {
  owner = await createUser(first.client, { fullName: 'Ada Lovelace' })
  organizationId = owner.organizationId ?? ''
  token = await first.signIn(owner)
  member = await createMember(first.client, { organizationId, role: 'member' })
  await first.client.query("update profiles set full_name = 'Grace Hopper' where user_id = $1", [member.id])
  // Each signs in at their own server, because these servers have different keys.
  colleague = await second.signIn(member)
  const project = await createProject(first.client, { organizationId })
  itemId = (await createFeedback(first.client, { organizationId, projectId: project.id })).id
  otherId = (await createFeedback(first.client, { organizationId, projectId: project.id })).id
})

const myPage = crypto.randomUUID()
const theirPage = crypto.randomUUID()

async function announce(server: TestServer, bearer: string, pageId: string, feedbackId: string | null) {
  const reply = await server.call(`/api/v1/organizations/${organizationId}/presence`, {
    token: bearer,
    body: { pageId, feedbackId },
  })
  expect(reply.status).toBe(200)
  return ((await reply.json()) as { others: Presence[] }).others
}
const mine = (feedbackId: string | null) => announce(first, token, myPage, feedbackId)
const theirs = (feedbackId: string | null) => announce(second, colleague, theirPage, feedbackId)

describe('POST /api/v1/organizations/{organizationId}/presence', () => {
  it('shows two people in one item to each other, across processes', async () => {
    expect(await mine(itemId)).toEqual([])
    expect(await theirs(itemId)).toEqual([{ feedbackId: itemId, userId: owner.id, name: 'Ada Lovelace' }])
    expect(await mine(itemId)).toEqual([{ feedbackId: itemId, userId: member.id, name: 'Grace Hopper' }])
    expect(await theirs(otherId)).toEqual([])
    expect(await mine(itemId)).toEqual([])
    await theirs(itemId)
    await theirs(null)
    expect(await mine(itemId)).toEqual([])
  })

  it('sends notices to members who have the item open, and to no one else', async () => {
    await mine(itemId)
    const notices = await followEvents(first, organizationId, token)
    await theirs(otherId)
    await theirs(itemId)
    expect(await notices.next()).toEqual({ kind: 'presence', ids: [itemId] })
    // Staying sends no notice; leaving sends one.
    await theirs(itemId)
    await theirs(null)
    expect(await notices.next()).toEqual({ kind: 'presence', ids: [itemId] })
    notices.stop()
  })

  it('counts a person with several pages once, and forgets silent pages', async () => {
    await theirs(itemId)
    await announce(second, colleague, crypto.randomUUID(), itemId)
    expect(await mine(itemId)).toHaveLength(1)
    await first.client.query(`update presence set seen_at = now() - interval '46 seconds' where user_id = $1`, [
      member.id,
    ])
    expect(await mine(itemId)).toEqual([])
    const { rows } = await first.client.query('select from presence where user_id = $1', [member.id])
    expect(rows).toEqual([])
  })

  it('shows neither removed members nor other organisations', async () => {
    await theirs(itemId)
    await first.client.query('delete from memberships where user_id = $1', [member.id])
    expect(await mine(itemId)).toEqual([])
    const reply = await second.call(`/api/v1/organizations/${organizationId}/presence`, {
      token: colleague,
      body: { pageId: theirPage, feedbackId: itemId },
    })
    expect(reply.status).toBe(404)
    const stranger = await createUser(first.client)
    const strangersPath = `/api/v1/organizations/${stranger.organizationId}/presence`
    const strangers = await first.call(strangersPath, {
      token: await first.signIn(stranger),
      body: { pageId: crypto.randomUUID(), feedbackId: itemId },
    })
    expect(strangers.status).toBe(404)
    expect(await strangers.json()).toMatchObject({ code: 'feedback_not_found' })
  })
})

describe('a member who is removed from the organisation', () => {
  it('gets no more live events from that moment on, while others do', async () => {
    const leaver = await followEvents(second, organizationId, colleague)
    const stayer = await followEvents(first, organizationId, token)
    await first.client.query('delete from memberships where user_id = $1', [member.id])
    expect(await leaver.next()).toBeUndefined()
    await first.call(`/api/v1/organizations/${organizationId}/feedback/${itemId}`, {
      method: 'PATCH',
      token,
      body: { status: 'open' },
    })
    expect(await stayer.next()).toEqual({ kind: 'feedback.updated', ids: [itemId] })
    stayer.stop()
  })
})
