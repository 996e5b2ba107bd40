import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FeedbackComment } from '#contract/conversation.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import { createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let token: string
let organizationId: string
let path: string
let itemId: string

beforeAll(async () => {
  server = await startTestServer()
  const owner = await createUser(server.client, { fullName: 'Ada Lovelace' })
  organizationId = owner.organizationId ?? ''
  path = `/api/v1/organizations/${organizationId}/feedback`
  token = await server.signIn(owner)
  const project = await createProject(server.client, { organizationId })
  itemId = (await createFeedback(server.client, { organizationId, projectId: project.id })).id
})

afterAll(() => server.stop())

const comment = (body: Record<string, unknown>, options: { as?: string; item?: string } = {}) =>
  server.call(`${path}/${options.item ?? itemId}/comments`, {
    token: options.as ?? token,
    body: { id: randomUUID(), kind: 'note', text: 'Seen.', ...body },
  })

async function read(): Promise<FeedbackDetail> {
  return (await (await server.call(`${path}/${itemId}`, { token })).json()) as FeedbackDetail
}

describe('POST …/feedback/{feedbackId}/comments', () => {
  it('adds notes and replies of every member, oldest first', async () => {
    const viewer = await createMember(server.client, { organizationId, role: 'viewer' })
    const first = await comment({ text: ' Look at\n\tthis. ' })
    expect(first.status).toBe(201)
    expect((await first.json()) as FeedbackComment).toMatchObject({
      kind: 'note',
      text: 'Look at\n\tthis.',
      authorName: 'Ada Lovelace',
    })
    expect((await comment({ kind: 'reply', text: 'Thanks' }, { as: await server.signIn(viewer) })).status).toBe(201)
    expect((await read()).comments).toMatchObject([
      { kind: 'note', text: 'Look at\n\tthis.' },
      { kind: 'reply', text: 'Thanks', authorName: expect.any(String) },
    ])
  })

  it('writes a retry once, and answers it alike', async () => {
    const body = { id: randomUUID(), text: 'Once' }
    const replies = await Promise.all(Array.from({ length: 5 }, () => comment(body)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
    expect(new Set(await Promise.all(replies.map((reply) => reply.text()))).size).toBe(1)
    expect((await read()).comments.filter(({ text }) => text === 'Once')).toHaveLength(1)
  })

  it('refuses an id that stands for another comment', async () => {
    const id = randomUUID()
    await comment({ id, text: 'Mine' })
    const project = await createProject(server.client, { organizationId })
    const item = (await createFeedback(server.client, { organizationId, projectId: project.id })).id
    const colleague = await server.signIn(await createMember(server.client, { organizationId, role: 'admin' }))
    for (const reply of [
      await comment({ id, text: 'Other' }),
      await comment({ id, text: 'Mine', kind: 'reply' }),
      await comment({ id, text: 'Mine' }, { item }),
      await comment({ id, text: 'Mine' }, { as: colleague }),
    ]) {
      expect(reply.status).toBe(422)
      expect(await reply.json()).toMatchObject({ code: 'id_reused' })
    }
  })

  it.each([
    [{ text: '  \n ' }, 'body.text'],
    [{ text: '' }, 'body.text'],
    [{ text: 'a\u0000' }, 'body.text'],
    [{ text: 'x'.repeat(10_001) }, 'body.text'],
    [{ kind: 'shout' }, 'body.kind'],
    [{ id: '1' }, 'body.id'],
    [{ authorUserId: 'me' }, 'body.authorUserId'],
  ])('names the field that is wrong in %j', async (body, field) => {
    const reply = await comment(body)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ code: 'validation_failed', fields: [{ path: field }] })
  })

  it('finds neither foreign items nor those that are none', async () => {
    const stranger = await createUser(server.client)
    const theirs = await createProject(server.client, { organizationId: stranger.organizationId ?? '' })
    const { id } = await createFeedback(server.client, {
      organizationId: stranger.organizationId ?? '',
      projectId: theirs.id,
    })
    for (const item of [id, randomUUID()]) {
      const reply = await comment({}, { item })
      expect(reply.status).toBe(404)
      expect(await reply.json()).toMatchObject({ code: 'feedback_not_found' })
    }
  })

  it('keeps what was said when the account is gone', async () => {
    const leaver = await createMember(server.client, { organizationId, role: 'member' })
    await comment({ text: 'Farewell' }, { as: await server.signIn(leaver) })
    await server.client.query('delete from auth.users where id = $1', [leaver.id])
    expect((await read()).comments.at(-1)).toMatchObject({ text: 'Farewell', authorName: null })
  })
})
