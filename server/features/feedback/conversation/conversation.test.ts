import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FeedbackComment } from '#contract/conversation.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { VisitorConversation, VisitorMessage } from '#contract/visitor-conversation.ts'
import { type BuiltUser, createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { deliverNotifications } from '#server/testing/deliver-events.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let owner: BuiltUser
let token: string
let organizationId: string
let projectId: string

beforeAll(async () => {
  server = await startTestServer({ INGEST_RATE_PER_MINUTE: '100000' })
  owner = await createUser(server.client, { fullName: 'Ada Lovelace' })
  organizationId = owner.organizationId ?? ''
  token = await server.signIn(owner)
  projectId = (await createProject(server.client, { organizationId, name: 'Northwind <b>' })).id
})

afterAll(() => server.stop())

async function makeItem(
  email: string | null = 'visitor@example.org',
  message = 'It <i>jumps</i>.\nSee evil.example',
): Promise<string> {
  const { id } = await createFeedback(server.client, { organizationId, projectId, message })
  await server.client.query('update feedback set visitor_email = $2 where id = $1', [id, email])
  return id
}

const comment = (item: string, body: Record<string, unknown>, as = token) =>
  server.call(`/api/v1/organizations/${organizationId}/feedback/${item}/comments`, {
    token: as,
    body: { id: randomUUID(), kind: 'reply', text: 'It is mended.', ...body },
  })

async function read(item: string): Promise<FeedbackDetail> {
  const reply = await server.call(`/api/v1/organizations/${organizationId}/feedback/${item}`, { token })
  return (await reply.json()) as FeedbackDetail
}

const change = (item: string, body: Record<string, unknown>) =>
  server.call(`/api/v1/organizations/${organizationId}/feedback/${item}`, { method: 'PATCH', token, body })

/** Replies, and returns the token of the link in the email. */
async function mailedToken(item: string): Promise<string> {
  expect((await comment(item, {})).status).toBe(201)
  const mail = (await server.mails()).at(-1)
  return /\/conversation\/([A-Za-z0-9_-]{64})/.exec(mail?.text ?? '')?.[1] ?? ''
}

const look = (conversation: string) => fetch(`${server.url}/api/v1/conversations/${conversation}`)
const say = (conversation: string, body: Record<string, unknown>) =>
  server.call(`/api/v1/conversations/${conversation}/answers`, { body: { id: randomUUID(), ...body } })

async function lookInto(conversation: string): Promise<VisitorConversation> {
  return (await (await look(conversation)).json()) as VisitorConversation
}

/** Notifications of an item in the app, by user. */
async function listNotifications(item: string): Promise<[string, string][]> {
  await deliverNotifications(server)
  const { rows } = await server.client.query<{ user_id: string; kind: string }>(
    'select user_id, kind from notifications where feedback_id = $1 order by id',
    [item],
  )
  return rows.map(({ user_id, kind }) => [user_id, kind])
}

describe('a reply', () => {
  it('is emailed once to the visitor, with their message and a link to the conversation', async () => {
    const item = await makeItem()
    const before = (await server.mails()).length
    const body = { id: randomUUID(), text: 'Fixed & <b>done</b>.\nhttps://northwind.example/help' }
    const replies = await Promise.all([comment(item, body), comment(item, body), comment(item, body)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    const mails = (await server.mails()).slice(before)
    expect(mails).toHaveLength(1)
    const [mail] = mails
    expect(mail).toMatchObject({ kind: 'conversation_reply', to: 'visitor@example.org' })
    expect(mail?.subject).toMatch(/^Northwind <b>: your message #\d+$/)
    expect(mail?.html).toContain('Fixed &amp; &lt;b&gt;done&lt;/b&gt;.')
    expect(mail?.html).toContain('It &lt;i&gt;jumps&lt;/i&gt;')
    expect(mail?.html).not.toMatch(/<i>|<b>/)
    // The team's links are clickable; quoted links are not.
    expect(mail?.text).toContain('https://northwind.example/help')
    expect(mail?.text).not.toContain('evil.example')
    expect(mail?.text).toContain('> It <i>jumps</i>.')
    const links = [...(mail?.html.matchAll(/href="([^"]*)"/g) ?? [])].map(([, href = '']) => href)
    expect(new Set(links.map((href) => new URL(href).origin))).toEqual(new Set([server.url]))
    expect((await read(item)).comments).toMatchObject([{ kind: 'reply', delivery: 'waiting', fromVisitor: false }])
  })

  it('shows the delivery of its email', async () => {
    const item = await makeItem()
    await comment(item, { text: 'one' })
    await comment(item, { text: 'two' })
    const { rows } = await server.client.query<{ email_id: string }>(
      'select email_id from feedback_comments where feedback_id = $1 order by created_at',
      [item],
    )
    await server.client.query('update app.emails set sent_at = now() where id = $1', [rows[0]?.email_id])
    await server.client.query('update app.emails set failed_at = now() where id = $1', [rows[1]?.email_id])
    expect((await read(item)).comments.map(({ delivery }) => delivery)).toEqual(['sent', 'failed'])
    const { rows: mails } = await server.client.query<{ refers_to: string; sender_name: string }>(
      'select refers_to::text, sender_name from app.emails where id = $1',
      [rows[1]?.email_id],
    )
    expect(mails).toEqual([{ refers_to: `{${item},${rows[0]?.email_id}}`, sender_name: 'Northwind <b>' }])
  })

  it.each([null, 'not an address'])('is kept, and shown as unsent, for the address %j', async (email) => {
    const item = await makeItem(email)
    const before = (await server.mails()).length
    const reply = await comment(item, {})
    expect(reply.status).toBe(201)
    expect(await reply.json()).toMatchObject({ delivery: 'no_address' })
    expect(await server.mails()).toHaveLength(before)
  })

  it('counts as the first response, a note does not, and both change the item', async () => {
    const item = await makeItem()
    const { updatedAt } = await read(item)
    await comment(item, { kind: 'note', text: 'Hm.' })
    const noted = await read(item)
    expect(noted.firstResponseAt).toBeNull()
    expect(noted.updatedAt > updatedAt).toBe(true)
    await comment(item, {})
    const { firstResponseAt, comments } = await read(item)
    expect(firstResponseAt).toBe(comments[1]?.createdAt)
    await comment(item, {})
    expect((await read(item)).firstResponseAt).toBe(firstResponseAt)
  })

  it('is refused for an item in the trash, and nothing is written', async () => {
    const item = await makeItem()
    await change(item, { deleted: true })
    const reply = await comment(item, {})
    expect(reply.status).toBe(409)
    expect(await reply.json()).toMatchObject({ code: 'item_in_trash' })
    expect((await read(item)).comments).toEqual([])
    expect((await comment(item, { kind: 'note' })).status).toBe(201)
  })
})

describe('a note', () => {
  it('mentions members by id, under their current name', async () => {
    const item = await makeItem()
    const colleague = await createMember(server.client, { organizationId, role: 'viewer' })
    const text = `<@${colleague.id.toUpperCase()}> and <@${owner.id}>, look: <@${owner.id}>`
    const reply = await comment(item, { kind: 'note', text })
    expect(reply.status).toBe(201)
    const saved = (await reply.json()) as FeedbackComment
    expect(saved.text).toBe(text)
    expect(saved.mentions.map(({ userId }) => userId)).toEqual([colleague.id, owner.id])
    await server.client.query(`update profiles set full_name = 'Grace Hopper' where user_id = $1`, [colleague.id])
    expect((await read(item)).comments[0]?.mentions[0]).toEqual({ userId: colleague.id, name: 'Grace Hopper' })
  })

  it('notifies mentioned members once, and not its author', async () => {
    const item = await makeItem()
    const colleague = await createMember(server.client, { organizationId, role: 'member' })
    const body = { id: randomUUID(), kind: 'note', text: `<@${colleague.id}> <@${owner.id}> <@${colleague.id}>` }
    await comment(item, body)
    await comment(item, body)
    expect(await listNotifications(item)).toEqual([[colleague.id, 'mentioned']])
  })

  it('can mention members of the organisation alone', async () => {
    const item = await makeItem()
    const stranger = await createUser(server.client)
    for (const id of [stranger.id, randomUUID()]) {
      const reply = await comment(item, { kind: 'note', text: `<@${id}> <@${owner.id}>` })
      expect(reply.status).toBe(404)
      expect(await reply.json()).toMatchObject({ code: 'member_not_found' })
    }
    const many = Array.from({ length: 21 }, () => `<@${randomUUID()}>`).join(' ')
    expect((await comment(item, { kind: 'note', text: many })).status).toBe(400)
    expect((await read(item)).comments).toEqual([])
  })

  it('never reaches the visitor', async () => {
    const item = await makeItem()
    await comment(item, { kind: 'note', text: 'Secret' })
    const conversation = await mailedToken(item)
    expect(await (await look(conversation)).text()).not.toContain('Secret')
  })
})

describe('GET /api/v1/conversations/{token}', () => {
  it('shows the visitor their message, the status and the replies, and no internal data', async () => {
    const item = await makeItem()
    const conversation = await mailedToken(item)
    await change(item, { status: 'in_progress', priority: 'urgent', tags: ['vip'] })
    const reply = await look(conversation)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
    expect(reply.headers.get('x-robots-tag')).toBe('noindex')
    const shown = (await reply.json()) as VisitorConversation
    expect(shown).toMatchObject({
      projectName: 'Northwind <b>',
      status: 'in_progress',
      message: 'It <i>jumps</i>.\nSee evil.example',
      messages: [{ fromVisitor: false, authorName: 'Ada Lovelace', text: 'It is mended.' }],
    })
    expect(JSON.stringify(shown)).not.toMatch(/urgent|vip|@example/)
  })

  it('gives the same answer for forged and foreign tokens, deleted and removed items', async () => {
    const item = await makeItem()
    const conversation = await mailedToken(item)
    const other = await makeItem()
    const bytes = Buffer.from(conversation, 'base64url')
    const withIds = (start: number, id: string) => {
      const copy = Buffer.from(bytes)
      Buffer.from(id.replaceAll('-', ''), 'hex').copy(copy, start)
      return copy.toString('base64url')
    }
    const flipped = Array.from({ length: 48 }, (_, index) => {
      const copy = Buffer.from(bytes)
      copy[index] = (copy[index] ?? 0) ^ 1
      return copy.toString('base64url')
    })
    const stranger = await createUser(server.client)
    const forged = [
      ...flipped,
      withIds(16, other),
      withIds(0, stranger.organizationId ?? ''),
      conversation.slice(1),
      `${conversation}A`,
      'x',
      '%00',
      '..%2f',
    ]
    for (const each of forged) {
      const reply = await look(each)
      expect([each, reply.status]).toEqual([each, 404])
    }
    expect((await look(conversation)).status).toBe(200)
    await change(item, { deleted: true })
    const gone = await look(conversation)
    expect(gone.status).toBe(404)
    expect(await gone.json()).toMatchObject({ code: 'conversation_not_found' })
    expect((await say(conversation, { text: 'Hello?' })).status).toBe(404)
    await change(item, { deleted: false })
    expect((await look(conversation)).status).toBe(200)
    await server.client.query('delete from feedback where id = $1', [item])
    expect((await look(conversation)).status).toBe(404)
  })
})

describe('POST /api/v1/conversations/{token}/answers', () => {
  it('becomes a comment, once, cleaned like every text of a visitor', async () => {
    const item = await makeItem()
    const conversation = await mailedToken(item)
    const body = { id: randomUUID(), text: ' Still\u0000 broken \ud800 <script>\n' }
    const replies = await Promise.all([1, 2, 3].map(() => say(conversation, body)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    const message = (await replies[0]?.json()) as VisitorMessage
    expect(message).toMatchObject({ fromVisitor: true, authorName: null, text: 'Still  broken \ufffd <script>' })
    const answers = (await read(item)).comments.filter(({ fromVisitor }) => fromVisitor)
    expect(answers).toMatchObject([{ kind: 'reply', text: message.text, authorName: null, delivery: null }])
    expect((await lookInto(conversation)).messages).toHaveLength(2)
    for (const other of [
      { ...body, text: 'Other' },
      { ...body, solved: true },
    ]) {
      expect((await say(conversation, other)).status).toBe(422)
    }
  })

  it('reopens a resolved and archived item, with an entry in the history', async () => {
    const item = await makeItem()
    const conversation = await mailedToken(item)
    await change(item, { status: 'resolved', archived: true })
    expect((await say(conversation, { solved: true })).status).toBe(201)
    expect(await read(item)).toMatchObject({ status: 'resolved', location: 'archived' })
    expect((await say(conversation, { text: 'It came back.' })).status).toBe(201)
    const { status, location, history, comments } = await read(item)
    expect([status, location]).toEqual(['open', 'inbox'])
    expect(history.slice(-3).map(({ field, to, actorName }) => [field, to, actorName])).toEqual(
      expect.arrayContaining([
        ['status', 'open', null],
        ['answer', 'reopened', null],
      ]),
    )
    expect(comments.slice(1).map(({ solved, text }) => [solved, text])).toEqual([
      [true, ''],
      [null, 'It came back.'],
    ])
  })

  it('notifies the assignee and members who replied, and no former member', async () => {
    const item = await makeItem()
    const assignee = await createMember(server.client, { organizationId, role: 'member' })
    const leaver = await createMember(server.client, { organizationId, role: 'member' })
    await comment(item, {}, await server.signIn(leaver))
    await server.client.query('delete from memberships where user_id = $1', [leaver.id])
    const conversation = await mailedToken(item)
    await server.client.query('update feedback set assignee_user_id = $2 where id = $1', [item, assignee.id])
    const body = { id: randomUUID(), text: 'And now?' }
    await say(conversation, body)
    await say(conversation, body)
    expect((await listNotifications(item)).sort()).toEqual(
      [
        [assignee.id, 'visitor_replied'],
        [owner.id, 'visitor_replied'],
      ].sort(),
    )
  })

  it('keeps a closed item closed', async () => {
    const item = await makeItem()
    const conversation = await mailedToken(item)
    await change(item, { status: 'closed', closedReason: 'wont_fix' })
    await say(conversation, { text: 'Why not?' })
    expect(await read(item)).toMatchObject({ status: 'closed', closedReason: 'wont_fix' })
  })

  it.each([
    [{ text: ' \n ' }, 'body.text'],
    [{}, 'body.text'],
    [{ text: 'x '.repeat(5001) }, 'body.text'],
    [{ text: 'x', id: '1' }, 'body.id'],
    [{ text: 'x', kind: 'note' }, 'body.kind'],
  ])('refuses what is wrong with $1 (%#) and names the field', async (body, field) => {
    const conversation = await mailedToken(await makeItem())
    const reply = await say(conversation, body)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ code: 'validation_failed', fields: [{ path: field }] })
  })

  it('limits the rate of one conversation, and of no other', async () => {
    const conversation = await mailedToken(await makeItem())
    const other = await mailedToken(await makeItem())
    const statuses: number[] = []
    for (let count = 0; count < 31; count += 1) statuses.push((await say(conversation, { text: `${count}` })).status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(30)
    const refused = await say(conversation, { text: 'more' })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await say(other, { text: 'Hello' })).status).toBe(201)
  })

  it('shows under the item that its item was merged into', async () => {
    const [item, target] = [await makeItem(), await makeItem()]
    const conversation = await mailedToken(item)
    const path = `/api/v1/organizations/${organizationId}/feedback/${item}/merge`
    expect((await server.call(path, { token, body: { into: target } })).status).toBe(200)
    await change(target, { status: 'resolved' })
    expect((await lookInto(conversation)).status).toBe('resolved')
    await say(conversation, { text: 'Not for me.' })
    const top = await read(target)
    expect(top.status).toBe('open')
    expect(top.comments.at(-1)).toMatchObject({ text: 'Not for me.', itemNumber: (await read(item)).number })
  })
})
