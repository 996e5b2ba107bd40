import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Export } from '#contract/exports.ts'
import type { Visitor, VisitorErasure, VisitorListItem } from '#contract/visitors.ts'
import { createUser } from '#server/testing/builders.ts'
import { eventually, type FilesFixture, openFilesFixture } from '#server/testing/files-fixture.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

/* One person is one visitor: joined by proof or by hand, and separated again. */

let fixture: FilesFixture
let path: string

beforeAll(async () => {
  fixture = await openFilesFixture({ API_RATE_PER_MINUTE: '100000', INGEST_RATE_PER_MINUTE: '100000' })
  path = `/api/v1/organizations/${fixture.project.organizationId}`
})

afterAll(() => fixture.stop())

const call = (rest: string, body?: unknown, token = fixture.token) =>
  fixture.server.call(`${path}${rest}`, { token, ...(body !== undefined && { body }) })
const read = async <T>(rest: string) => (await (await call(rest)).json()) as T

async function send(sent: Record<string, unknown>): Promise<string> {
  const body = makeSubmission(sent)
  const reply = await submit(fixture.server, fixture.project.widgetKey, body)
  expect(reply.status, await reply.text()).toBe(201)
  return body.id
}

const profile = (visitor: string) => read<Visitor>(`/visitors/profile?visitor=${encodeURIComponent(visitor)}`)
const listKeys = async (q: string) =>
  (await read<{ items: VisitorListItem[] }>(`/visitors?q=${encodeURIComponent(q)}`)).items.map(({ key }) => key)
const inbox = async (visitor: string) =>
  (await read<{ items: { id: string }[] }>(`/feedback?visitor=${encodeURIComponent(visitor)}`)).items.map(
    ({ id }) => id,
  )
const join = (into: string, part: string, token = fixture.token) => call('/visitors/joins', { into, part }, token)
const separate = (part: string) => call('/visitors/separations', { part })

/** A tag that only this test's visitors have, in ids and addresses. */
const makeTag = () => randomUUID().slice(0, 8)

/** Sends an item of each visitor, oldest first, and waits until all are listed. */
async function sendOfEach(tag: string, visitors: readonly Record<string, unknown>[]): Promise<string[]> {
  const ids: string[] = []
  for (const visitor of visitors) ids.push(await send(visitor))
  await eventually(async () => (await listKeys(tag)).length).toBe(visitors.length)
  return ids
}

describe('POST …/visitors/joins', () => {
  it('makes two visitors one in the list, the profile, filters and exports, until it is undone', async () => {
    const tag = makeTag()
    const [id, address] = [`u-${tag}`, `ada.${tag}@example.com`]
    const [ofId, ofAddress] = await sendOfEach(tag, [{ visitor: { id }, name: `Ada ${tag}` }, { email: address }])
    const both = [ofAddress, ofId]
    expect(await inbox(id)).toEqual([ofId])
    const joined = await join(id, address.toUpperCase())
    expect(joined.status, await joined.clone().text()).toBe(200)
    expect(await joined.json()).toEqual({ key: id, part: address })

    expect(await listKeys(tag)).toEqual([id])
    // Found by what only the part is called, and listed by the latest of all items.
    expect(await listKeys(address)).toEqual([id])
    for (const key of [id, address, address.toUpperCase()]) {
      expect(await profile(key)).toMatchObject({ key: id, total: 2, visitorIds: [id], emails: [address] })
      expect(await inbox(key), key).toEqual(both)
    }
    expect((await profile(id)).joined).toMatchObject([{ key: address, cause: 'member', joinedByName: 'Ada Example' }])
    expect((await profile(id)).lastSeenAt).toBe((await readListed(id)).lastSeenAt)
    expect(await readListed(id)).toMatchObject({ items: 2, openItems: 2, unansweredItems: 1 })
    // Open inboxes match items by the same keys.
    const { items } = await read<{ items: { joinedVisitors?: string[] }[] }>(`/feedback?visitor=${id}`)
    expect(items.map(({ joinedVisitors }) => joinedVisitors)).toEqual([
      [id, address],
      [id, address],
    ])
    expect(await countExported(id)).toBe(2)
    // The same again changes nothing.
    expect((await join(id, address)).status).toBe(200)
    expect((await profile(id)).joined).toHaveLength(1)

    expect((await separate(address)).status).toBe(204)
    expect((await separate(address)).status).toBe(204)
    expect((await listKeys(tag)).sort()).toEqual([address, id].sort())
    expect(await inbox(id)).toEqual([ofId])
    expect(await inbox(address)).toEqual([ofAddress])
    expect(await profile(id)).toMatchObject({ key: id, total: 1, joined: [] })
    expect((await readListed(id)).lastSeenAt).toBe((await profile(id)).lastSeenAt)
    for (const key of [id, address]) expect(await readListed(key)).toMatchObject({ items: 1, openItems: 1 })
    expect((await read<{ items: object[] }>(`/feedback?visitor=${id}`)).items[0]).not.toHaveProperty('joinedVisitors')
  })

  it('lists a merged visitor by the latest item of any part', async () => {
    const tag = makeTag()
    const [first, second] = [`a-${tag}`, `b-${tag}`]
    await sendOfEach(tag, [{ visitor: { id: first } }, { visitor: { id: second } }, { visitor: { id: `c-${tag}` } }])
    await join(first, second)
    expect(await listKeys(tag)).toEqual([`c-${tag}`, first])
    await send({ visitor: { id: second } })
    await eventually(() => listKeys(tag)).toEqual([first, `c-${tag}`])
    expect(await readListed(first)).toMatchObject({ items: 3, unansweredItems: 0 })
  })

  it('takes a visitor with its parts, and gives it back with them', async () => {
    const tag = makeTag()
    const [a, b, c] = [`a-${tag}`, `b-${tag}`, `c-${tag}`]
    const [ofA, ofB, ofC] = await sendOfEach(tag, [
      { visitor: { id: a } },
      { visitor: { id: b } },
      { visitor: { id: c } },
    ])
    await join(b, a)
    // By a part of it: the whole visitor is meant.
    expect(await (await join(c, a)).json()).toEqual({ key: c, part: b })
    expect(await inbox(a)).toEqual([ofC, ofB, ofA])
    expect(await listKeys(tag)).toEqual([c])
    expect((await separate(b)).status).toBe(204)
    expect(await inbox(a)).toEqual([ofB, ofA])
    expect(await inbox(c)).toEqual([ofC])
    expect((await listKeys(tag)).sort()).toEqual([b, c])
  })

  it('refuses a visitor with itself, an unknown one, and those of other organisations', async () => {
    const tag = makeTag()
    const address = `ada.${tag}@example.com`
    await sendOfEach(tag, [{ email: address }])
    expect((await join(address, address.toUpperCase())).status).toBe(400)
    expect((await join(address, 'unknown')).status).toBe(404)
    expect((await join('unknown', address)).status).toBe(404)
    expect((await separate(address)).status).toBe(404)
    const stranger = await createUser(fixture.server.client)
    const token = await fixture.server.signIn(stranger)
    expect((await join(address, 'x', token)).status).toBe(404)
    const theirs = `/api/v1/organizations/${stranger.organizationId}/visitors/joins`
    expect((await fixture.server.call(theirs, { token, body: { into: address, part: 'x' } })).status).toBe(404)
  })
})

describe('erasing a merged visitor', () => {
  it('erases all parts, by any key, but not items from addresses that any of them claims', async () => {
    const tag = makeTag()
    const [first, second] = [`a-${tag}`, `b-${tag}`]
    const [ofFirst, ofSecond] = [`first.${tag}@example.com`, `second.${tag}@example.com`]
    const [, , typedFirst = '', typedSecond = ''] = await sendOfEach(tag, [
      { visitor: { id: first }, email: ofFirst },
      { visitor: { id: second }, email: ofSecond },
      { email: ofFirst },
      { email: ofSecond },
    ])
    await join(first, second)
    expect((await profile(second)).total).toBe(4)
    expect(await read(`/visitors/erasure-preview?visitor=${second}`)).toMatchObject({ items: 2, claimedItems: 2 })
    const erasure = randomUUID()
    expect((await call('/visitors/erasures', { id: erasure, visitor: second, confirmation: second })).status).toBe(201)
    await eventually(async () => (await read<VisitorErasure>(`/visitors/erasures/${erasure}`)).state).toBe('done')
    expect(await read(`/visitors/erasures/${erasure}`)).toMatchObject({ items: 2, total: 2 })
    expect((await listKeys(tag)).sort()).toEqual([ofFirst, ofSecond])
    for (const kept of [typedFirst, typedSecond]) expect((await call(`/feedback/${kept}`)).status).toBe(200)
  })

  it('erases a merged address with its items, and leaves no trace of the merge', async () => {
    const tag = makeTag()
    const [id, address] = [`u-${tag}`, `ada.${tag}@example.com`]
    await sendOfEach(tag, [{ visitor: { id } }, { email: address }, { email: `other.${tag}@example.com` }])
    await join(id, `other.${tag}@example.com`)
    await separate(`other.${tag}@example.com`)
    await join(id, address)
    await call('/views', { id: randomUUID(), name: 'Part', search: `visitor=${address}`, isShared: true })
    expect(await read(`/visitors/erasure-preview?visitor=${id}`)).toMatchObject({
      items: 2,
      claimedItems: 0,
      savedViews: 1,
    })
    const erasure = randomUUID()
    expect((await call('/visitors/erasures', { id: erasure, visitor: id, confirmation: id })).status).toBe(201)
    await eventually(async () => (await read<VisitorErasure>(`/visitors/erasures/${erasure}`)).state).toBe('done')
    expect(await read(`/visitors/erasures/${erasure}`)).toMatchObject({ items: 2, total: 2 })
    for (const key of [id, address]) expect(await inbox(key)).toEqual([])
    expect(await listKeys(tag)).toEqual([`other.${tag}@example.com`])
    const { rowCount } = await fixture.server.client.query(
      'select from visitor_joins where organization_id = $1 and (part_key = any ($2) or root_key = any ($2))',
      [fixture.project.organizationId, [id, address]],
    )
    expect(rowCount).toBe(0)
    const views = await read<{ items: { search: string }[] }>('/views')
    expect(views.items.filter(({ search }) => search.includes(address))).toEqual([])
  })
})

describe('a signed id and an address', () => {
  const sign = async (id: string) => {
    const { secret } = await read<{ secret: string }>(`/projects/${fixture.project.id}/widget/identity-secret`)
    return createHmac('sha256', secret).update(id).digest('hex')
  }

  /** The team replies, and the owner of the mailbox answers by the link in the email. */
  const answerByMail = async (feedbackId: string) => {
    const before = (await fixture.server.mails()).length
    await call(`/feedback/${feedbackId}/comments`, { id: randomUUID(), kind: 'reply', text: 'Which one?' })
    const mail = (await fixture.server.mails()).slice(before).at(-1)
    const token = /\/conversation\/([A-Za-z0-9_-]{64})/.exec(mail?.text ?? '')?.[1]
    const reply = await fixture.server.call(`/api/v1/conversations/${token}/answers`, {
      body: { id: randomUUID(), text: 'The oak one.' },
    })
    expect(reply.status).toBe(201)
  }

  it('are one visitor once the address’s owner answered by email, and stay apart once separated', async () => {
    const tag = makeTag()
    const [id, address] = [`u-${tag}`, `ada.${tag}@example.com`]
    const hash = await sign(id)
    const [ofAddress = '', ofId = ''] = await sendOfEach(tag, [
      { email: address },
      { visitor: { id, hash }, email: address.toUpperCase() },
    ])
    await answerByMail(ofId)
    await eventually(() => listKeys(tag)).toEqual([id])
    expect((await profile(address)).joined).toMatchObject([{ key: address, cause: 'verified', joinedByName: null }])
    expect(await inbox(address)).toEqual([ofId, ofAddress])

    await separate(address)
    await answerByMail(ofId)
    await settled()
    expect((await listKeys(tag)).sort()).toEqual([address, id].sort())
  })

  it.each([
    ['an unsigned id', async (id: string) => ({ id }), true],
    ['a wrong signature', async (id: string) => ({ id, hash: '0'.repeat(64) }), true],
    ['a typed address that no one answered from', async (id: string) => ({ id, hash: await sign(id) }), false],
  ])('stay apart with %s', async (_, identify, isAnswered) => {
    const tag = makeTag()
    const [id, address] = [`u-${tag}`, `ada.${tag}@example.com`]
    const [ofAddress = '', ofId = ''] = await sendOfEach(tag, [
      { email: address },
      { visitor: await identify(id), email: address },
    ])
    // The address itself is proven either way: what is not is that it belongs to the id.
    await answerByMail(ofAddress)
    if (isAnswered) await answerByMail(ofId)
    await settled()
    expect((await listKeys(tag)).sort()).toEqual([address, id].sort())
  })
})

async function readListed(key: string): Promise<VisitorListItem> {
  const { items } = await read<{ items: VisitorListItem[] }>(`/visitors?q=${encodeURIComponent(key)}`)
  const found = items.find((each) => each.key === key)
  if (!found) throw new Error(`${key} is not listed`)
  return found
}

async function countExported(visitor: string): Promise<number | null> {
  const id = randomUUID()
  expect((await call('/exports', { id, format: 'json', selection: { visitor } })).status).toBe(201)
  await eventually(async () => (await read<Export>(`/exports/${id}`)).state).toBe('ready')
  return (await read<Export>(`/exports/${id}`)).count
}

/** Every event so far has reached its subscribers. */
async function settled(): Promise<void> {
  await eventually(async () => {
    const { rows } = await fixture.server.client.query<{ n: number }>(
      `select ((select count(*) from app.events where dispatched_at is null) + (select count(*) from graphile_worker.jobs j
         where j.task_identifier = 'dispatch_events' or j.task_identifier like '%join_visitors'))::integer as n`,
    )
    return rows[0]?.n
  }).toBe(0)
}
