import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

let server: TestServer
let token: string
let organizationId: string
let project: { id: string; widgetKey: string; domain: string }

interface Page {
  items: FeedbackListItem[]
  similarWords: Record<string, string[]>
}

async function search(q: string, organization = organizationId, bearer = token): Promise<Page> {
  const query = new URLSearchParams({ q })
  const reply = await server.call(`/api/v1/organizations/${organization}/feedback?${query}`, { token: bearer })
  expect(reply.status).toBe(200)
  return (await reply.json()) as Page
}

async function list(query: string): Promise<Page & { nextCursor: string | null }> {
  const reply = await server.call(`/api/v1/organizations/${organizationId}/feedback?${query}`, { token })
  expect(reply.status).toBe(200)
  return (await reply.json()) as Page & { nextCursor: string | null }
}

const excerpts = async (q: string) => (await search(q)).items.map((item) => item.excerpt)

async function learn(message: string): Promise<void> {
  const { id } = await createFeedback(server.client, { organizationId, projectId: project.id, message })
  // The job after a submission, twice, because it may be retried.
  for (let turn = 0; turn < 2; turn += 1) {
    await server.client.query('select app.learn_words($1, $2)', [organizationId, [id]])
  }
}

beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web,worker' })
  const owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  token = await server.signIn(owner)
  project = await createProject(server.client, { organizationId })
  await learn('The checkout button is broken')
  await learn('Please send the invoice again')
  await learn('Der Größenwähler fehlt')
})

afterAll(() => server.stop())

describe('GET …/feedback with a mistyped word', () => {
  it.each([
    ['chekout', 'chekout', ['checkout'], 'The checkout button is broken'],
    ['buton', 'buton', ['button'], 'The checkout button is broken'],
    ['invioce', 'invioce', ['invoice'], 'Please send the invoice again'],
    ['INVOICR again', 'invoicr', ['invoice'], 'Please send the invoice again'],
    ['größenwaehler', 'größenwaehler', ['größenwähler'], 'Der Größenwähler fehlt'],
  ])('finds by %j what was meant, and says so', async (typed, word, meant, excerpt) => {
    const { items, similarWords } = await search(typed)
    expect(items.map((item) => item.excerpt)).toEqual([excerpt])
    expect(similarWords).toEqual({ [word]: meant })
  })

  it('finds only literal matches of a known word, also as a beginning', async () => {
    await learn('A checkup for the invoicing')
    expect(await search('check')).toMatchObject({ similarWords: {} })
    expect(await excerpts('checkout')).toEqual(['The checkout button is broken'])
    expect((await search('checkout')).similarWords).toEqual({})
  })

  it.each(['zzzzqqqq', 'xy', '12345', "';--", 'a'.repeat(200), 'constructor', '__proto__'])(
    'guesses nothing for %j',
    async (typed) => {
      expect(await search(typed)).toMatchObject({ items: [], similarWords: {} })
    },
  )

  it('knows the words of a submission once it was received', async () => {
    const message = 'The thermometer stands still'
    const { status } = await submit(server, project.widgetKey, makeSubmission({ message }), {
      origin: `https://${project.domain}`,
    })
    expect(status).toBe(201)
    await expect.poll(() => excerpts('termometer'), { timeout: 10_000 }).toEqual([message])
  })

  it("suggests only its own organisation's words", async () => {
    const stranger = await createUser(server.client)
    const other = await server.signIn(stranger)
    expect(await search('chekout', stranger.organizationId, other)).toMatchObject({ items: [], similarWords: {} })
  })
})

describe('GET …/feedback with a number', () => {
  it('finds the item with that number in each project, in every order and location, and no other', async () => {
    const other = await createProject(server.client, { organizationId })
    await createFeedback(server.client, { organizationId, projectId: other.id, message: 'First of another, not #2' })
    await createFeedback(server.client, { organizationId, projectId: other.id, message: 'Second of another' })
    const both = ['Please send the invoice again', 'Second of another']
    expect((await excerpts('#2')).sort()).toEqual(both)
    expect((await excerpts(' #2 ')).sort()).toEqual(both)
    for (const sort of ['newest', 'oldest', 'updated', 'priority']) {
      const first = await list(`q=%232&limit=1&sort=${sort}`)
      const second = await list(`q=%232&limit=1&sort=${sort}&cursor=${encodeURIComponent(first.nextCursor ?? '')}`)
      expect([...first.items, ...second.items].map(({ excerpt }) => excerpt).sort()).toEqual(both)
      expect(second.nextCursor).toBeNull()
    }
    expect((await list(`q=%232&projectId=${other.id}`)).items.map(({ excerpt }) => excerpt)).toEqual([
      'Second of another',
    ])
    expect((await list('q=%232&location=trash')).items).toEqual([])
    expect(await excerpts('#999999999')).toEqual([])
    expect(await excerpts('#0')).toEqual([])
  })

  it('changes the shown items alone', async () => {
    const { id: projectId } = await createProject(server.client, { organizationId })
    for (const message of ['One', 'Two']) await createFeedback(server.client, { organizationId, projectId, message })
    const reply = await server.call(`/api/v1/organizations/${organizationId}/feedback/bulk`, {
      token,
      body: { id: randomUUID(), selection: { q: '#2', projectId: [projectId] }, change: { archived: true } },
    })
    expect(await reply.json()).toMatchObject({ changed: 1 })
    const archived = await list(`location=archived&projectId=${projectId}`)
    expect(archived.items.map(({ excerpt }) => excerpt)).toEqual(['Two'])
  })
})
