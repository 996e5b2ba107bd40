import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FeedbackListItem,
  type FeedbackPriority,
  feedbackLocations,
  feedbackPriorities,
  feedbackSources,
  feedbackStatuses,
  feedbackTypes,
} from '#contract/feedback.ts'
import { attachmentKinds } from '#contract/files.ts'
import { mediaKinds } from '#contract/filters.ts'
import { type FeedbackSelection, type InboxSort, inboxSorts } from '#contract/inbox.ts'
import { createMember, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/** An item for the comparison in plain JavaScript. */
interface Model {
  id: string
  projectId: string
  location: string
  status: string
  priority: FeedbackPriority
  type: string
  source: string
  message: string
  rating: number | null
  tags: string[]
  kinds: string[]
  assignee: string | null
  isRead: boolean
  visitorId: string | null
  visitorEmail: string | null
  createdAt: number
  updatedAt: number
}

let server: TestServer
let token: string
let organizationId: string
let path: string
let projects: string[]
let members: string[]
const items: Model[] = []

// The same random order in every run: failures are reproducible.
let state = 42
function random(): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return state / 2_147_483_648
}
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
const some = <T>(from: readonly T[]): T[] => [...new Set([pick(from), ...(random() < 0.4 ? [pick(from)] : [])])]
const chance = (part: number) => random() < part

const words = ['checkout', 'button', 'invoice', 'broken', 'slow', 'garden', 'mobile']
const tags = ['Checkout', 'checkout', 'iOS', "it's", 'Größe', 'back\\slash']
const visitors = ['customer-1', 'Customer-2', "o'hara"]
const addresses = ['ada@example.com', 'Bob@Example.com']
const startMs = Date.parse('2026-01-01T00:00:00Z')
const readUntilMs = startMs + 20 * 7_200_000

function makeItem(): Model {
  const createdAt = startMs + Math.floor(random() * 40) * 7_200_000
  return {
    id: randomUUID(),
    projectId: pick(projects),
    location: chance(0.6) ? 'inbox' : pick(feedbackLocations.filter((location) => location !== 'merged')),
    status: pick(feedbackStatuses),
    priority: pick(feedbackPriorities),
    type: pick(feedbackTypes),
    source: pick(feedbackSources),
    message: chance(0.15) ? '' : `${pick(words)} ${pick(words)}`,
    rating: chance(0.5) ? Math.ceil(random() * 5) : null,
    tags: chance(0.5) ? some(tags) : [],
    kinds: chance(0.4) ? some(attachmentKinds) : [],
    assignee: chance(0.5) ? pick(members) : null,
    isRead: chance(0.5),
    visitorId: chance(0.4) ? pick(visitors) : null,
    visitorEmail: chance(0.4) ? pick(addresses) : null,
    createdAt,
    updatedAt: chance(0.5) ? createdAt + Math.floor(random() * 20) * 3_600_000 : createdAt,
  }
}

async function insert(item: Model, number: number): Promise<void> {
  await server.client.query(
    `insert into public.feedback (organization_id, id, project_id, number, type, source, status, priority, message, rating,
       tags, assignee_user_id, visitor_id, visitor_email, page_url, content_hash, created_at, updated_at,
       archived_at, spam_reason, deleted_at, snoozed_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, '/', sha256('x'),
       $15, $16, case when $17 = 'archived' then now() end, case when $17 = 'spam' then 'links' end,
       case when $17 = 'trash' then now() end, case when $17 = 'snoozed' then now() end)`,
    [
      organizationId,
      item.id,
      item.projectId,
      number,
      item.type,
      item.source,
      item.status,
      item.priority,
      item.message,
      item.rating,
      item.tags,
      item.assignee,
      item.visitorId,
      item.visitorEmail,
      new Date(item.createdAt),
      new Date(item.updatedAt),
      item.location,
    ],
  )
  for (const kind of item.kinds) {
    await server.client.query(
      'insert into public.feedback_attachments (organization_id, id, feedback_id, kind) values ($1, gen_random_uuid(), $2, $3)',
      [organizationId, item.id, kind],
    )
  }
}

/** Makes an item read or unread for the first member, in each of the ways in which it can become so. */
async function mark({ id, isRead, createdAt }: Model): Promise<void> {
  const isRecent = createdAt > readUntilMs
  const setSeen = (seenAt: string) =>
    server.client.query(
      `insert into public.feedback_reads (organization_id, feedback_id, user_id, seen_at) values ($1, $2, $3, $4)
       on conflict (organization_id, feedback_id, user_id) do update set seen_at = excluded.seen_at`,
      [organizationId, id, members[0], seenAt],
    )
  if (isRead) {
    if (isRecent || chance(0.3)) await setSeen(toTime(createdAt))
    return
  }
  if (isRecent ? chance(0.3) : chance(0.5)) return void (await setSeen('-infinity'))
  if (isRecent) return
  if (chance(0.5)) await setSeen(toTime(createdAt))
  await server.client.query('update public.feedback set visitor_wrote_at = now() where id = $1', [id])
}

const hasOf = <T>(asked: readonly T[] | undefined, own: readonly T[]) =>
  !asked || asked.some((each) => own.includes(each))

function belongs(item: Model, selection: FeedbackSelection): boolean {
  const { visitor, from, to, q } = selection
  const media = [...item.kinds, ...(item.message ? ['text'] : []), ...(item.rating === null ? [] : ['rating'])]
  return (
    item.location === (selection.location ?? 'inbox') &&
    hasOf(selection.projectId, [item.projectId]) &&
    hasOf<string>(selection.status, [item.status]) &&
    hasOf<string>(selection.priority, [item.priority]) &&
    hasOf<string>(selection.type, [item.type]) &&
    hasOf<string>(selection.source, [item.source]) &&
    hasOf<string>(selection.media, media) &&
    hasOf(selection.rating, item.rating === null ? [] : [item.rating]) &&
    hasOf(
      selection.tag?.map((tag) => tag.toLowerCase()),
      item.tags.map((tag) => tag.toLowerCase()),
    ) &&
    hasOf(selection.assignee, [item.assignee ?? 'none']) &&
    (!selection.unread || !item.isRead) &&
    (!selection.unanswered || item.visitorEmail !== null) &&
    (visitor === undefined ||
      item.visitorId === visitor ||
      (item.visitorId === null && item.visitorEmail?.toLowerCase() === visitor.toLowerCase())) &&
    (from === undefined || item.createdAt >= Date.parse(from)) &&
    (to === undefined || item.createdAt < Date.parse(to)) &&
    (q === undefined || q.split(' ').every((word) => item.message.split(' ').some((own) => own.startsWith(word))))
  )
}

function inOrder(found: readonly Model[], sort: InboxSort): string[] {
  const keys = (item: Model): [number, number] => [
    sort === 'priority' ? feedbackPriorities.indexOf(item.priority) : 0,
    sort === 'updated' ? item.updatedAt : item.createdAt,
  ]
  const newestFirst = found.toSorted((a, b) => {
    const [rankA, timeA] = keys(a)
    const [rankB, timeB] = keys(b)
    return rankB - rankA || timeB - timeA || (a.id < b.id ? 1 : -1)
  })
  return (sort === 'oldest' ? newestFirst.toReversed() : newestFirst).map((item) => item.id)
}

function toSearch(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each))
  }
  return search.toString()
}

interface Page {
  items: FeedbackListItem[]
  nextCursor: string | null
  similarWords: Record<string, string[]>
}

async function list(query: Readonly<Record<string, unknown>>, bearer = token): Promise<Page> {
  const reply = await server.call(`${path}?${toSearch(query)}`, { token: bearer })
  expect([query, reply.status]).toEqual([query, 200])
  return (await reply.json()) as Page
}

async function listAll(selection: FeedbackSelection, sort: InboxSort, limit: number): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page = await list({ ...selection, sort, limit, ...(cursor && { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    ids.push(...page.items.map((item) => item.id))
    cursor = page.nextCursor
  }
  return ids
}

async function compare(selection: FeedbackSelection, sort: InboxSort, limit: number): Promise<number> {
  const expected = inOrder(
    items.filter((item) => belongs(item, selection)),
    sort,
  )
  expect({ selection, sort, ids: await listAll(selection, sort, limit) }).toEqual({ selection, sort, ids: expected })
  return expected.length
}

const toTime = (ms: number) => new Date(ms).toISOString()

/** One of each filter, at random. */
const filters: Record<string, () => FeedbackSelection> = {
  projectId: () => ({ projectId: some(projects) }),
  status: () => ({ status: some(feedbackStatuses) }),
  priority: () => ({ priority: some(feedbackPriorities) }),
  type: () => ({ type: some(feedbackTypes) }),
  source: () => ({ source: some(feedbackSources) }),
  media: () => ({ media: some(mediaKinds) }),
  rating: () => ({ rating: some([1, 2, 3, 4, 5]) }),
  tag: () => ({ tag: some(['CHECKOUT', 'ios', "IT'S", 'GRÖSSE', 'größe', 'back\\slash']) }),
  assignee: () => ({ assignee: some([...members, 'none']) }),
  unread: () => ({ unread: true }),
  unanswered: () => ({ unanswered: true }),
  visitor: () => ({ visitor: pick([...visitors, ...addresses, 'ADA@example.com', 'unknown']) }),
  from: () => ({ from: toTime(startMs + Math.floor(random() * 40) * 7_200_000) }),
  to: () => ({ to: toTime(startMs + Math.floor(random() * 40) * 7_200_000) }),
  location: () => ({ location: pick(feedbackLocations) }),
  q: () => ({ q: pick(['checkout', 'butt', 'invoice slow', 'broken chec', 'garden']) }),
}

beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web', API_RATE_PER_MINUTE: '100000' })
  const owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  path = `/api/v1/organizations/${organizationId}/feedback`
  token = await server.signIn(owner)
  projects = []
  members = [owner.id, (await createMember(server.client, { organizationId, role: 'member' })).id]
  for (let n = 0; n < 3; n += 1) projects.push((await createProject(server.client, { organizationId })).id)
  for (let n = 1; n <= 240; n += 1) items.push(makeItem())
  for (const [index, item] of items.entries()) await insert(item, index + 1)
  await server.client.query('update public.memberships set feedback_read_until = $2 where user_id = $1', [
    owner.id,
    new Date(readUntilMs),
  ])
  for (const item of items) await mark(item)
  // Some are changed after their arrival, as by a team.
  for (const item of items.slice(0, 40)) {
    item.tags = some(tags)
    item.assignee = pick(members)
    item.location = pick(['inbox', 'archived'])
    const { rows } = await server.client.query<{ updated_at: Date }>(
      `update public.feedback set tags = $2, assignee_user_id = $3, spam_reason = null,
         deleted_at = null, snoozed_until = null, archived_at = case when $4 = 'archived' then now() end where id = $1 returning updated_at`,
      [item.id, item.tags, item.assignee, item.location],
    )
    item.updatedAt = rows[0]?.updated_at.getTime() ?? 0
  }
}, 60_000)

afterAll(() => server.stop())

describe('GET …/feedback', () => {
  it.each(Object.keys(filters))(
    'finds by %s alone the items that plain JavaScript finds, in every order',
    async (name) => {
      for (const sort of inboxSorts) await compare(filters[name]?.() ?? {}, sort, 100)
    },
  )

  const mix = () =>
    Object.assign({}, ...Object.values(filters).map((filter) => (chance(0.2) ? filter() : {}))) as FeedbackSelection

  it('finds by any mix of filters the items that plain JavaScript finds, on all pages in every order', async () => {
    let found = 0
    for (let turn = 0; turn < 60; turn += 1) found += await compare(mix(), pick(inboxSorts), 1 + pick([2, 6, 40]))
    expect(found).toBeGreaterThan(100)
  })

  it('finds the same items when there are too many to scan', async () => {
    // As with a thousand times as many items: other query plans start after a few rows.
    await server.client.query("alter function app.find_feedback set app.inbox_rows = '5'")
    let found = 0
    for (const sort of inboxSorts) await compare({ unread: true }, sort, 7)
    for (let turn = 0; turn < 60; turn += 1) found += await compare(mix(), pick(inboxSorts), 1 + pick([2, 6, 40]))
    await server.client.query('alter function app.find_feedback reset app.inbox_rows')
    expect(found).toBeGreaterThan(100)
  })

  it('refuses a cursor of another order, and names it', async () => {
    const { nextCursor } = await list({ sort: 'updated', limit: 2 })
    const reply = await server.call(`${path}?${toSearch({ sort: 'newest', cursor: nextCursor })}`, { token })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ fields: [{ path: 'query.cursor' }] })
  })

  it.each([
    ['status=done', 'query.status'],
    ['rating=6', 'query.rating'],
    ['rating=x', 'query.rating'],
    ['media=picture', 'query.media'],
    ['tag=', 'query.tag'],
    ['assignee=unknown', 'query.assignee'],
    ['unread=false', 'query.unread'],
    ['from=yesterday', 'query.from'],
    ['from=0000-01-01T00:00:00Z', 'query.from'],
    ['to=0000-12-31T23:59:59.999Z', 'query.to'],
    ['location=attic', 'query.location'],
    ['sort=best', 'query.sort'],
    ['colour=red', 'query'],
  ])('refuses %s, naming the field', async (query, field) => {
    const reply = await server.call(`${path}?${query}`, { token })
    expect(reply.status).toBe(400)
    const { fields } = (await reply.json()) as { fields: { path: string }[] }
    expect(fields[0]?.path.startsWith(field)).toBe(true)
  })

  it('shows nothing of one organisation to another', async () => {
    const stranger = await createUser(server.client)
    const other = await server.signIn(stranger)
    expect((await server.call(`${path}?q=checkout`, { token: other })).status).toBe(404)
    const own = `/api/v1/organizations/${stranger.organizationId}/feedback`
    const reply = await server.call(`${own}?projectId=${projects[0]}&unread=true`, { token: other })
    expect(await reply.json()).toMatchObject({ items: [] })
  })
})
