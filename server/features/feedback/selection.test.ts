import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FeedbackListItem,
  feedbackLocations,
  feedbackPriorities,
  feedbackSources,
  feedbackStatuses,
  feedbackTypes,
} from '#contract/feedback.ts'
import { attachmentKinds } from '#contract/files.ts'
import { createMatcher, type FilterName, lowerCase, mediaKinds, readTokens } from '#contract/filters.ts'
import type { FeedbackSelection } from '#contract/inbox.ts'
import { actFor } from '#server/platform/database/actor.ts'
import { type Database, openDatabase, type TenantTx } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createMember, createProject, createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'
import { toFacetTokens } from './facet-tokens.queries.ts'
import { type ItemRow, itemColumns, toItem } from './feedback-item.queries.ts'
import { matchesSelection } from './selection.queries.ts'

/** An item as the API returns it, with the facet tokens that the database made of it, without their prefix. */
interface Stored {
  readonly item: FeedbackListItem
  readonly tokens: ReadonlySet<string>
}

let testDatabase: TestDatabase
let client: pg.Client
let database: Database
let organizationId: string
let projects: string[]
let members: string[]
let stored: Stored[]

const asMember = <T>(fn: (tx: TenantTx) => Promise<T>) =>
  database.withTenant(actFor(members[0] ?? '', organizationId), fn)

// Letters whose small form depends on their neighbours or the language are where two implementations part.
const tags = [
  'Checkout',
  'CHECKOUT',
  'iOS',
  "it's",
  'back\\slash',
  'Größe',
  'GRÖSSE',
  'İstanbul',
  'istanbul',
  'ΟΔΟΣ',
  'οδος',
]
const visitors = ['customer-1', 'Customer-1', "o'hara", 'ada@example.com']
const addresses = ['ada@example.com', 'Ada@Example.com', 'ΟΔΟΣ@example.com', '']
const startMs = Date.parse('2026-01-01T00:00:00.000Z')
const anyTime = fc.integer({ min: 0, max: 20 }).map((hours) => new Date(startMs + hours * 3_600_000).toISOString())
const anyTag = fc.oneof(
  fc.constantFrom(...tags),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 3 })
    .filter((text) => !/\p{Cc}/u.test(text) && text.trim() !== ''),
)

const anyItem = () =>
  fc.record({
    projectId: fc.constantFrom(...projects),
    location: fc.constantFrom('inbox', ...feedbackLocations),
    status: fc.constantFrom(...feedbackStatuses),
    priority: fc.constantFrom(...feedbackPriorities),
    type: fc.constantFrom(...feedbackTypes),
    source: fc.constantFrom(...feedbackSources),
    message: fc.constantFrom('', 'The button does nothing'),
    rating: fc.option(fc.integer({ min: 1, max: 5 })),
    nps: fc.option(fc.integer({ min: 0, max: 10 })),
    tags: fc.uniqueArray(anyTag, { maxLength: 3 }),
    kinds: fc.array(fc.constantFrom(...attachmentKinds), { maxLength: 3 }),
    assignee: fc.option(fc.constantFrom(...members)),
    isRead: fc.boolean(),
    lastReplyBy: fc.constantFrom(null, 'team', 'visitor'),
    visitorId: fc.option(fc.constantFrom(...visitors)),
    visitorEmail: fc.option(fc.constantFrom(...addresses)),
    createdAt: anyTime,
  })

/** Each filter's values. Typed by the table: a new filter does not compile until it is tested here. */
const anyValue = (): { [Name in Exclude<FilterName, 'q'>]: fc.Arbitrary<Required<FeedbackSelection>[Name]> } => {
  const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 3 })
  return {
    projectId: some(fc.constantFrom(...projects, ...projects.map((id) => id.toUpperCase()), randomUUID())),
    status: some(fc.constantFrom(...feedbackStatuses)),
    priority: some(fc.constantFrom(...feedbackPriorities)),
    type: some(fc.constantFrom(...feedbackTypes)),
    source: some(fc.constantFrom(...feedbackSources)),
    media: some(fc.constantFrom(...mediaKinds)),
    rating: some(fc.integer({ min: 1, max: 5 })),
    tag: some(fc.oneof(anyTag, fc.constantFrom(...tags.flatMap((tag) => [tag.toUpperCase(), tag.toLowerCase()])))),
    assignee: some(fc.constantFrom('none', ...members, ...members.map((id) => id.toUpperCase()))),
    unread: fc.constant(true),
    unanswered: fc.constant(true),
    visitor: fc.constantFrom(...visitors, ...addresses.filter(Boolean), 'ADA@EXAMPLE.COM', 'CUSTOMER-1'),
    from: anyTime,
    to: anyTime,
    location: fc.constantFrom(...feedbackLocations),
  }
}

async function insert(
  item: ReturnType<typeof anyItem> extends fc.Arbitrary<infer Item> ? Item : never,
  number: number,
) {
  const id = randomUUID()
  await client.query(
    `insert into public.feedback (organization_id, id, project_id, number, type, source, status, priority, message, rating,
       nps, tags, assignee_user_id, visitor_wrote_at, visitor_id, visitor_email, page_url, content_hash, created_at,
       archived_at, spam_reason, deleted_at, snoozed_until, last_reply_by, merged_into)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, case when not $14 then now() end, $15, $16, '/',
       sha256('x'), $17, case when $18 = 'archived' then now() end, case when $18 = 'spam' then 'links' end,
       case when $18 = 'trash' then now() end, case when $18 = 'snoozed' then now() end, $19, case when $18 = 'merged' then (
         select f.id from public.feedback f where f.organization_id = $1 and f.merged_into is null limit 1) end)`,
    [
      organizationId,
      id,
      item.projectId,
      number,
      item.type,
      item.source,
      item.status,
      item.priority,
      item.message,
      item.rating,
      item.nps,
      item.tags,
      item.assignee,
      item.isRead,
      item.visitorId,
      item.visitorEmail,
      item.createdAt,
      item.location,
      item.lastReplyBy,
    ],
  )
  for (const kind of item.kinds) {
    await client.query(
      'insert into public.feedback_attachments (organization_id, id, feedback_id, kind) values ($1, gen_random_uuid(), $2, $3)',
      [organizationId, id, kind],
    )
  }
}

async function readStored(): Promise<Stored[]> {
  const read = sql<ItemRow>`select ${itemColumns} from feedback f where f.organization_id = ${organizationId}`
  const { rows } = await asMember((tx) => read.execute(tx))
  const { rows: facets } = await client.query<{ id: string; tokens: string[] }>(
    `select f.id, array(
       select substr(t.token, length(p.prefix) + 1) from unnest(tsvector_to_array(f.facets)) as t (token)
       where starts_with(t.token, p.prefix)) as tokens
     from public.feedback f cross join lateral app.get_facet_prefix(f.organization_id, f.location) as p (prefix)`,
  )
  // `!`, `x` and `y` are about order and time: no filter has values of them.
  const tokens = new Map(facets.map((row) => [row.id, row.tokens.filter((token) => !/^[!xy]/.test(token))]))
  return rows.map((row) => ({ item: toItem(row), tokens: new Set(tokens.get(row.id)) }))
}

/** Ids of the items that match by the SQL condition. */
async function findBySql(tx: TenantTx, selection: FeedbackSelection): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select f.id from feedback f where f.organization_id = ${organizationId} and ${matchesSelection(selection)}
  `.execute(tx)
  return rows.map((row) => row.id).sort()
}

/** Ids of the items that match by their facet tokens, and by SQL where no token stands for a filter. */
async function findByTokens(tx: TenantTx, asked: FeedbackSelection): Promise<string[]> {
  const { location, from, to, unread, ...selection } = asked
  const groups = await toFacetTokens(tx, selection)
  const untokened = {
    ...(location && { location }),
    ...(from && { from }),
    ...(to && { to }),
    ...(unread && { unread }),
  }
  const rest = await findBySql(tx, untokened)
  return stored
    .filter(({ tokens }) => groups.every((group) => group.some((token) => tokens.has(token))))
    .map(({ item }) => item.id)
    .filter((id) => rest.includes(id))
    .sort()
}

/** Ids of the items that match in a browser. */
function findByMatcher(selection: FeedbackSelection): string[] {
  const matches = createMatcher(selection)
  return stored
    .filter(({ item }) => matches(item))
    .map(({ item }) => item.id)
    .sort()
}

/** Compares all three for random selections. Returns how many items they found. */
function compare(selections: fc.Arbitrary<FeedbackSelection>, numRuns: number): Promise<number> {
  // One transaction for all: entering one would take most of the time.
  return asMember(async (tx) => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(selections, async (selection) => {
        const bySql = await findBySql(tx, selection)
        expect(findByMatcher(selection)).toEqual(bySql)
        expect(await findByTokens(tx, selection)).toEqual(bySql)
        found += bySql.length
      }),
      { numRuns },
    )
    return found
  })
}

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  client = new pg.Client({ connectionString: testDatabase.url })
  await client.connect()
  database = openDatabase({ url: testDatabase.url, log: createLog({ level: 'silent' }), maxConnections: 2 })
  const owner = await createUser(client)
  organizationId = owner.organizationId ?? ''
  members = [owner.id, (await createMember(client, { organizationId, role: 'member' })).id]
  projects = []
  for (let n = 0; n < 2; n += 1) projects.push((await createProject(client, { organizationId })).id)
  for (const [index, item] of fc.sample(anyItem(), 200).entries()) await insert(item, index + 1)
  stored = await readStored()
})

afterAll(async () => {
  await database.close()
  await client.end()
  await testDatabase.drop()
})

describe('a selection', () => {
  it('selects the same items by SQL, by facet tokens and in a browser', async () => {
    const values = Object.entries(anyValue())
    // More of them at once leave no item over.
    const mixed = fc.subarray(values, { maxLength: 4 }).chain((some) => fc.record(Object.fromEntries(some)))
    expect(await compare(mixed as fc.Arbitrary<FeedbackSelection>, 200)).toBeGreaterThan(200)
  })

  it('selects the same items by each filter alone', async () => {
    for (const [name, values] of Object.entries(anyValue())) {
      // The name and its values stand in one entry of the table, which `Object.entries` forgets.
      const found = await compare(fc.record({ [name]: values }) as fc.Arbitrary<FeedbackSelection>, 12)
      expect({ name, found }).not.toEqual({ name, found: 0 })
    }
  })

  it('counts an NPS answer as no rating, wherever it is asked', async () => {
    const selection: FeedbackSelection = { media: ['rating'] }
    const bySql = await asMember((tx) => findBySql(tx, selection))
    const { inbox = [] } = Object.groupBy(stored, ({ item }) => item.location)
    expect(bySql).toEqual(
      inbox
        .filter(({ item }) => item.rating !== null)
        .map(({ item }) => item.id)
        .sort(),
    )
    expect(inbox.some(({ item }) => item.rating === null && item.nps !== null)).toBe(true)
    expect(findByMatcher(selection)).toEqual(bySql)
  })
})

describe('facet tokens', () => {
  it('are the same by the contract and by the database, for every item', () => {
    for (const { item, tokens } of stored) expect({ item, tokens: readTokens(item) }).toEqual({ item, tokens })
  })

  it('have the small letters that PostgreSQL makes of each', async () => {
    // Below the letters that Unicode 17 added, which Node knows and PostgreSQL 18 does not.
    const letters = Array.from({ length: 0xa7cd }, (_, code) => String.fromCodePoint(code + 1))
    const { rows } = await client.query<{ lower: string }>(
      'select lower(t.letter) as lower from unnest($1::text[]) with ordinality as t (letter, place) order by t.place',
      [letters],
    )
    expect(letters.map(lowerCase)).toEqual(rows.map((row) => row.lower))
  })
})
