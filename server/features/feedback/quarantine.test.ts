import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FeedbackDetail, FeedbackListItem } from '#contract/feedback.ts'
import { createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let token: string
let organizationId: string
let projectId: string
let path: string

beforeAll(async () => {
  server = await startTestServer()
  const owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  path = `/api/v1/organizations/${organizationId}/feedback`
  token = await server.signIn(owner)
  projectId = (await createProject(server.client, { organizationId })).id
})

afterAll(() => server.stop())

async function list(query: string): Promise<{ items: FeedbackListItem[]; nextCursor: string | null }> {
  const reply = await server.call(`${path}?${query}`, { token })
  expect(reply.status).toBe(200)
  return (await reply.json()) as { items: FeedbackListItem[]; nextCursor: string | null }
}

const idsOf = async (query: string) => (await list(query)).items.map((item) => item.id)

async function change(id: string, body: unknown): Promise<FeedbackDetail> {
  return (await (await server.call(`${path}/${id}`, { method: 'PATCH', token, body })).json()) as FeedbackDetail
}

async function makeSpam(message: string, options: { type?: string; project?: string } = {}): Promise<string> {
  const { id } = await createFeedback(server.client, {
    organizationId,
    projectId: options.project ?? projectId,
    message,
    ...(options.type && { type: options.type }),
  })
  await server.client.query(`update feedback set spam_reason = 'links' where id = $1`, [id])
  return id
}

describe('GET …/feedback?location=spam', () => {
  it('lists quarantined items, which no other list does', async () => {
    const kept = (await createFeedback(server.client, { organizationId, projectId, message: 'Orchid, honestly' })).id
    const spam = await makeSpam('Orchid for sale')
    for (const query of ['', 'status=new', 'type=bug&priority=none', `projectId=${projectId}`, 'q=orchid']) {
      expect(await idsOf(query), query).toContain(kept)
      expect(await idsOf(query), query).not.toContain(spam)
      expect(await idsOf(`${query}&location=inbox`), query).not.toContain(spam)
      expect(await idsOf(`${query}&location=spam`), query).toEqual([spam])
    }
    expect(await idsOf('location=spam&status=closed')).toEqual([])
    expect(await idsOf('location=spam&q=nothing')).toEqual([])
    expect((await list('location=spam')).items[0]).toMatchObject({ spamReason: 'links' })
  })

  it('pages and filters like the inbox', async () => {
    const { id: project } = await createProject(server.client, { organizationId })
    const made = []
    for (let index = 0; index < 7; index += 1) {
      made.push(await makeSpam(`Buy ${index}`, { project, type: index % 2 ? 'idea' : 'bug' }))
    }
    const first = await list(`location=spam&projectId=${project}&limit=4`)
    const rest = await list(`location=spam&projectId=${project}&limit=4&cursor=${first.nextCursor}`)
    expect([...first.items, ...rest.items].map((item) => item.id)).toEqual(made.toReversed())
    expect(rest.nextCursor).toBeNull()
    expect(await idsOf(`location=spam&projectId=${project}&type=idea&status=new&priority=none`)).toHaveLength(3)
  })

  it('is not scanned by the inbox, however large it is', async () => {
    const { rows } = await server.client.query<{ indexdef: string }>(
      `select indexdef from pg_indexes where indexname like 'feedback_location_%' order by 1`,
    )
    expect(rows).toHaveLength(3)
    for (const { indexdef } of rows) expect(indexdef).toMatch(/\(organization_id, (project_id, )?location, /)
  })
})

describe('PATCH …/feedback/{feedbackId} with spam', () => {
  it('removes an item from spam and puts it back, with the member in the history', async () => {
    const id = await makeSpam('Not so bad')
    const out = await change(id, { spam: false })
    expect(out).toMatchObject({ spamReason: null, version: 3 })
    expect(out.history.at(-1)).toMatchObject({ field: 'spam', from: 'links', to: null, actorName: 'Ada Example' })
    expect(await idsOf('')).toContain(id)
    const back = await change(id, { spam: true })
    expect(back.spamReason).toBe('marked')
    expect(back.history.at(-1)).toMatchObject({ field: 'spam', from: null, to: 'marked' })
    expect(await idsOf('location=spam')).toContain(id)
  })

  it('changes nothing on an item that is spam already, and keeps its spam reason', async () => {
    const id = await makeSpam('Bad indeed')
    expect(await change(id, { spam: true })).toMatchObject({ spamReason: 'links', version: 2 })
  })

  it('is refused when based on an older version', async () => {
    const id = await makeSpam('Changed meanwhile')
    const reply = await server.call(`${path}/${id}`, { method: 'PATCH', token, body: { spam: false, version: 1 } })
    expect(reply.status).toBe(409)
  })
})

describe('GET …/feedback/{feedbackId}', () => {
  it('shows answers under the questions’ labels, in their order', async () => {
    const project = await createProject(server.client, { organizationId })
    const settings = {
      fields: [
        { id: 'plan', kind: 'text', label: 'Your plan', required: false },
        { id: 'unanswered', kind: 'text', label: 'More', required: false },
        { id: 'agreed', kind: 'checkbox', label: 'Agreed?', required: false },
      ],
    }
    await server.client.query('update widgets set settings = $2 where project_id = $1', [project.id, settings])
    const { id } = await createFeedback(server.client, { organizationId, projectId: project.id })
    await server.client.query(
      `update feedback set fields = '{"gone": "x", "agreed": true, "plan": "Free"}', nps = 3, consent = false,
         tags = '{a,b}', visitor_id = 'u_1', visitor_verified = true where id = $1`,
      [id],
    )
    await server.client.query(
      `insert into feedback_attachments (organization_id, id, feedback_id, kind, position)
       values ($1, gen_random_uuid(), $2, 'voice', 1), ($1, gen_random_uuid(), $2, 'screenshot', 0)`,
      [organizationId, id],
    )
    const detail = (await (await server.call(`${path}/${id}`, { token })).json()) as FeedbackDetail
    expect(detail).toMatchObject({
      fields: [
        { id: 'plan', label: 'Your plan', value: 'Free' },
        { id: 'agreed', label: 'Agreed?', value: true },
        { id: 'gone', label: 'gone', value: 'x' },
      ],
      nps: 3,
      consent: false,
      tags: ['a', 'b'],
      visitorId: 'u_1',
      visitorVerified: true,
      spamReason: null,
      attachmentKinds: ['screenshot', 'voice'],
      comments: [],
    })
    expect((await list(`projectId=${project.id}`)).items[0]).toMatchObject({
      nps: 3,
      tags: ['a', 'b'],
      attachmentKinds: ['screenshot', 'voice'],
    })
  })
})
