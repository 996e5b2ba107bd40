import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'

/*
 * The three strategies of app.find_feedback, each by a selection that needs it. That all of them find the same items is
 * compared with plain JavaScript in inbox-page.test.ts.
 */

interface Member {
  readonly id: string
  readonly organizationId?: string | undefined
}

interface Search {
  readonly by?: Member
  readonly groups?: readonly (readonly string[])[]
  readonly words?: string
  readonly sort?: 'newest' | 'oldest' | 'updated'
  readonly limit?: number
  /** Rows to read in order at most. */
  readonly budget?: number
}

const itemCount = 900

let database: TestDatabase
let client: pg.Client
let organizationId: string
let member: Member

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const user = await createUser(client)
  if (user.organizationId === undefined) throw new Error('sign-up made no organisation')
  organizationId = user.organizationId
  const project = await createProject(client, { organizationId })
  // Number n came n minutes after the first. Every third is a question, every hundredth urgent, and 500 has the rare word.
  await client.query(
    `insert into public.feedback (organization_id, id, project_id, number, type, source, priority, message, page_url,
       content_hash, created_at, updated_at)
     select $1, gen_random_uuid(), $2, n, case n % 3 when 0 then 'question' else 'idea' end, 'widget',
       case n % 100 when 0 then 'urgent' else 'none' end, case n when 500 then 'zebra' else 'button' end, '',
       sha256(n::text::bytea), t.at, t.at
     from generate_series(1, $3::int) as n
     cross join lateral (select timestamptz '2026-01-01' + n * interval '1 minute' as at) as t`,
    [organizationId, project.id, itemCount],
  )
  member = user
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Numbers of the items found, the strategies that found them, and how many rows were read. */
async function find({ by = member, groups = [], words, sort = 'newest', limit = 5, budget = 6000 }: Search) {
  await client.query(`select set_config('request.jwt.claims', $1, false)`, [JSON.stringify({ sub: by.id })])
  await client.query(`begin; set local track_functions = 'pl'; set local app.inbox_rows = ${budget}`)
  const before = await countCalls()
  const rowsBefore = await countRows()
  const { rows: items } = await client.query<{ number: string }>(
    `select f.number
     from app.find_feedback($1, 'inbox', null, $2, $3, null, null, false, $4, null, null, $5) with ordinality as p (id, at, position)
     join public.feedback f on f.organization_id = $1 and f.id = p.id order by p.position`,
    [by.organizationId, JSON.stringify(groups), words ?? null, sort, limit],
  )
  const after = await countCalls()
  const rowsAfter = await countRows()
  await client.query('rollback')
  return {
    numbers: items.map((item) => Number(item.number)),
    rowsRead: rowsAfter - rowsBefore,
    strategies: [...after.keys()].filter((name) => after.get(name) !== before.get(name)).sort(),
  }
}

/** How many items this connection has read, since PostgreSQL last collected its statistics. */
async function countRows(): Promise<number> {
  const { rows } = await client.query<{ n: string }>(
    `select idx_tup_fetch as n from pg_stat_xact_user_tables where relid = 'public.feedback'::regclass`,
  )
  return Number(rows[0]?.n)
}

/** How many times this connection has called each strategy, since PostgreSQL last collected its statistics. */
async function countCalls(): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; calls: string }>(
    `select funcname as name, calls from pg_stat_xact_user_functions
     where funcname in ('read_feedback_in_order', 'collect_feedback', 'walk_feedback')`,
  )
  return new Map(rows.map((row) => [row.name, row.calls]))
}

describe('app.find_feedback', () => {
  it('reads in order what many items match', async () => {
    expect(await find({ groups: [['kquestion']] })).toMatchObject({
      numbers: [900, 897, 894, 891, 888],
      strategies: ['read_feedback_in_order'],
    })
  })

  it('reads in order to the end, and then no further', async () => {
    expect(await find({ groups: [['kquestion']], words: "'zebra'" })).toMatchObject({
      numbers: [],
      strategies: ['read_feedback_in_order'],
    })
  })

  it('collects and sorts what few items match', async () => {
    expect(await find({ groups: [['purgent']], sort: 'oldest', limit: 20 })).toMatchObject({
      numbers: [100, 200, 300, 400, 500, 600, 700, 800, 900],
      strategies: ['collect_feedback'],
    })
  })

  it('collects the rest of a selection that turned out to be rare', async () => {
    expect(await find({ words: "'zebra'", budget: 800 })).toMatchObject({
      numbers: [500],
      strategies: ['collect_feedback', 'read_feedback_in_order'],
    })
  })

  it('collects the rest in the order of updates, whose time spans no facet token has', async () => {
    await client.query(
      `update public.feedback set status = 'open' where organization_id = $1 and number between 301 and 320`,
      [organizationId],
    )
    // The latest updates are of other items.
    await client.query(
      `update public.feedback set status = 'closed' where organization_id = $1 and number between 301 and 320 and type <> 'question'`,
      [organizationId],
    )
    const found = await find({ groups: [['!touched'], ['kquestion']], sort: 'updated', limit: 3, budget: 2 })
    expect(found.numbers).toHaveLength(3)
    expect(found.strategies).toEqual(['collect_feedback', 'read_feedback_in_order'])
  })

  it.each([
    ['newest', [899, 898, 896, 895, 893]],
    ['oldest', [1, 2, 4, 5, 7]],
  ] as const)('walks through time spans, %s first, when there is more than it may sort', async (sort, first) => {
    const { numbers, strategies } = await find({ groups: [['kidea']], sort, limit: 400, budget: 20 })
    expect(numbers.slice(0, 5)).toEqual(first)
    const all = Array.from({ length: itemCount }, (_, index) => index + 1).filter((number) => number % 3 !== 0)
    if (sort === 'newest') all.reverse()
    expect(numbers).toEqual(all.slice(0, 400))
    expect(strategies).toEqual(['read_feedback_in_order', 'walk_feedback'])
  })

  it('reads few items after a burst of others, such as an import', async () => {
    const own = await createUser(client)
    const project = await createProject(client, { organizationId: own.organizationId ?? '' })
    // An idea every six hours, and within the last minute 500 items of praise.
    await client.query(
      `insert into public.feedback (organization_id, id, project_id, number, type, source, message, page_url, content_hash, created_at)
       select $1, gen_random_uuid(), $2, n, case when n <= 3000 then 'idea' else 'praise' end, 'widget', 'button', '', sha256(n::text::bytea),
         timestamptz '2026-01-01' + case when n <= 3000 then n * interval '6 hours' else 18000 * interval '1 hour' + n * interval '0.1 s' end
       from generate_series(1, 3500) as n`,
      [own.organizationId, project.id],
    )
    await client.query('analyze public.feedback')
    const { numbers, strategies, rowsRead } = await find({ by: own, groups: [['kidea']], budget: 20 })
    expect(numbers).toEqual([3000, 2999, 2998, 2997, 2996])
    expect(strategies).toEqual(['read_feedback_in_order', 'walk_feedback'])
    expect(rowsRead).toBeLessThan(100)
  })

  it('reads few items in the order of updates after a change of many others at once', async () => {
    const own = await createUser(client)
    const project = await createProject(client, { organizationId: own.organizationId ?? '' })
    await client.query(
      `insert into public.feedback (organization_id, id, project_id, number, type, source, status, message, page_url, content_hash,
         created_at, updated_at)
       select $1, gen_random_uuid(), $2, n, 'idea', 'widget', case when n <= 3000 then 'open' else 'closed' end, 'button', '',
         sha256(n::text::bytea), timestamptz '2026-01-01', timestamptz '2026-01-02' + n * interval '1 minute'
       from generate_series(1, 3150) as n`,
      [own.organizationId, project.id],
    )
    await client.query('analyze public.feedback')
    const found = await find({ by: own, groups: [['!touched'], ['sopen']], sort: 'updated', budget: 20 })
    expect(found.numbers).toEqual([3000, 2999, 2998, 2997, 2996])
    expect(found.strategies).toEqual(['read_feedback_in_order'])
    expect(found.rowsRead).toBeLessThan(400)
  })

  it('walks to the last item and stops', async () => {
    const { numbers, strategies } = await find({ groups: [['kidea']], words: "'button'", limit: 700, budget: 20 })
    expect(numbers).toHaveLength(599)
    expect(strategies).toEqual(['read_feedback_in_order', 'walk_feedback'])
  })
})
