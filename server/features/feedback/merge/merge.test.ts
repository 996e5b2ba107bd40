import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { SimilarItem } from '#contract/merge.ts'
import { createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let token: string
let organizationId: string
let projectId: string
let api: string

beforeAll(async () => {
  server = await startTestServer()
  const owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  api = `/api/v1/organizations/${organizationId}/feedback`
  token = await server.signIn(owner)
  projectId = (await createProject(server.client, { organizationId })).id
})

afterAll(() => server.stop())

const make = (message = 'It jumps.', project = projectId) =>
  createFeedback(server.client, { organizationId, projectId: project, message })

const merge = (id: string, body: Record<string, unknown>) => server.call(`${api}/${id}/merge`, { token, body })
const unmerge = (id: string, take?: string[]) =>
  server.call(`${api}/${id}/unmerge`, { token, body: { ...(take && { take }) } })

async function read(id: string): Promise<FeedbackDetail> {
  return (await (await server.call(`${api}/${id}`, { token })).json()) as FeedbackDetail
}

describe('POST …/feedback/{feedbackId}/merge', () => {
  it('merges an item into another, by id or number, and adds to both histories', async () => {
    const [target, one, two] = [await make(), await make(), await make()]
    const reply = await merge(one.id, { into: target.id })
    expect(reply.status).toBe(200)
    expect(await reply.json()).toMatchObject({
      location: 'merged',
      mergedInto: target.id,
      original: { id: target.id, number: target.number, status: 'new' },
    })
    expect((await merge(two.id, { number: target.number })).status).toBe(200)
    // Again changes nothing.
    expect((await merge(two.id, { number: target.number })).status).toBe(200)
    const shown = await read(target.id)
    expect(shown.duplicates.map(({ number }) => number)).toEqual([two.number, one.number])
    expect(shown.history.map(({ field, from, to }) => [field, from, to])).toEqual([
      ['duplicate', null, `#${one.number}`],
      ['duplicate', null, `#${two.number}`],
    ])
    expect((await read(two.id)).history).toMatchObject([{ field: 'merged', from: null, to: `#${target.number}` }])
  })

  it('makes no chains', async () => {
    const [a, b, c, d] = [await make(), await make(), await make(), await make()]
    await merge(a.id, { into: b.id })
    // The duplicates of an item move with it.
    await merge(b.id, { into: c.id })
    expect((await read(a.id)).mergedInto).toBe(c.id)
    // A merged target stands for its own target.
    await merge(d.id, { into: a.id })
    expect((await read(d.id)).mergedInto).toBe(c.id)
    expect((await read(c.id)).duplicates).toHaveLength(3)
  })

  it('makes no chains in simultaneous merges', async () => {
    const [a, b, c] = [await make(), await make(), await make()]
    await Promise.all([merge(a.id, { into: b.id }), merge(b.id, { into: c.id })])
    expect((await read(a.id)).mergedInto).toBe(c.id)
  })

  it('names the reason for an invalid target', async () => {
    const [item, under] = [await make(), await make()]
    await merge(under.id, { into: item.id })
    const other = await make('Elsewhere', (await createProject(server.client, { organizationId })).id)
    const stranger = await createUser(server.client)
    const theirs = await createProject(server.client, { organizationId: stranger.organizationId ?? '' })
    const foreign = await createFeedback(server.client, {
      organizationId: stranger.organizationId ?? '',
      projectId: theirs.id,
    })
    for (const [body, path, message] of [
      [{ into: item.id }, 'body.into', 'another item'],
      [{ into: other.id }, 'body.into', 'same project'],
      [{ into: foreign.id }, 'body.into', 'not an item of this project'],
      [{ into: randomUUID() }, 'body.into', 'not an item of this project'],
      [{ number: 99_999 }, 'body.number', 'not an item of this project'],
      [{ number: item.number }, 'body.number', 'another item'],
      [{ into: under.id }, 'body.into', `take #${under.number} out first`],
    ] as const) {
      const reply = await merge(item.id, body)
      expect(reply.status).toBe(400)
      const { fields } = (await reply.json()) as { fields: { path: string; message: string }[] }
      expect(fields).toEqual([{ path, message: expect.stringContaining(message) }])
    }
    for (const body of [{}, { into: item.id, number: 1 }]) expect((await merge(item.id, body)).status).toBe(400)
    const thrown = await make()
    await server.call(`${api}/${thrown.id}`, { method: 'PATCH', token, body: { deleted: true } })
    for (const [id, into] of [
      [item.id, thrown.id],
      [thrown.id, item.id],
    ] as const) {
      const reply = await merge(id, { into })
      expect(reply.status).toBe(409)
      expect(await reply.json()).toMatchObject({ code: 'item_in_trash' })
    }
    expect((await merge(foreign.id, { into: item.id })).status).toBe(404)
  })
})

describe('POST …/feedback/{feedbackId}/unmerge', () => {
  it('unmerges an item, with its former duplicates', async () => {
    const [a, b, c] = [await make(), await make(), await make()]
    await merge(a.id, { into: b.id })
    await merge(b.id, { into: c.id })
    expect((await unmerge(b.id, [a.id])).status).toBe(200)
    expect((await unmerge(b.id, [a.id])).status).toBe(200)
    expect(await read(b.id)).toMatchObject({ location: 'inbox', mergedInto: null, duplicates: [{ id: a.id }] })
    const { duplicates, history } = await read(c.id)
    expect(duplicates).toEqual([])
    expect(
      history
        .filter(({ to }) => to === null)
        .map(({ from }) => from)
        .sort(),
    ).toEqual([`#${a.number}`, `#${b.number}`].sort())
  })

  it('takes along existing items only, and finds no foreign items', async () => {
    const [a, b, c] = [await make(), await make(), await make()]
    await merge(b.id, { into: c.id })
    await unmerge(b.id, [a.id, randomUUID()])
    expect((await read(a.id)).mergedInto).toBeNull()
    expect((await unmerge(randomUUID())).status).toBe(404)
  })
})

describe('GET …/feedback/{feedbackId}/similar', () => {
  const list = async (id: string) => {
    const reply = await server.call(`${api}/${id}/similar`, { token })
    expect(reply.status).toBe(200)
    return ((await reply.json()) as { items: SimilarItem[] }).items
  }

  it('lists similar items of the same project, most similar first', async () => {
    const project = (await createProject(server.client, { organizationId })).id
    const say = (message: string) => make(message, project)
    const item = await say('The checkout button does nothing when I pay with a voucher')
    const same = await say('Checkout button does nothing when I pay with my voucher')
    const like = await say('The checkout button does nothing')
    await say('Please add a dark mode to the settings')
    await make('The checkout button does nothing when I pay with a voucher')
    const thrown = await say('The checkout button does nothing when I pay with a voucher!')
    await server.call(`${api}/${thrown.id}`, { method: 'PATCH', token, body: { deleted: true } })
    const found = await list(item.id)
    expect(found.map(({ number }) => number)).toEqual([same.number, like.number])
    expect(found[0]?.likeness).toBeGreaterThan(found[1]?.likeness ?? 1)
  })

  it('accepts every message, and finds no foreign items', async () => {
    for (const message of ['', '!!!', `a' | b & c:* "\\ ' -- `, `${'W'.repeat(9000)}`, 'אבגדה مرحبا', '🎉']) {
      const { id } = await make(message)
      expect(Array.isArray(await list(id))).toBe(true)
    }
    const stranger = await createUser(server.client)
    const theirs = await createProject(server.client, { organizationId: stranger.organizationId ?? '' })
    const { id } = await createFeedback(server.client, {
      organizationId: stranger.organizationId ?? '',
      projectId: theirs.id,
    })
    for (const each of [id, randomUUID()]) {
      expect((await server.call(`${api}/${each}/similar`, { token })).status).toBe(404)
    }
  })
})
