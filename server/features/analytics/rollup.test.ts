import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnalyticsDuration, AnalyticsTimes, AnalyticsTrends, InboxOverview } from '#contract/analytics.ts'
import { createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { waitForSums } from '#server/testing/sums.ts'

/*
 * Whatever happens to items in whatever order: what is summed up by day is what counting each item gives.
 */

let server: TestServer
let token: string
let organizationId: string
let projectIds: string[]

beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web,worker' })
  const owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  token = await server.signIn(owner)
  projectIds = []
  for (let n = 0; n < 3; n += 1) projectIds.push((await createProject(server.client, { organizationId })).id)
  await insertItems(400)
  await server.client.query("select app.enqueue_job('backfill_analytics', '{}')")
})
afterAll(() => server?.stop())

async function insertItems(count: number): Promise<void> {
  await server.client.query(
    `insert into feedback (organization_id, project_id, id, number, type, source, status, priority, message, rating, nps,
       page_url, context, content_hash, created_at, first_viewed_at, first_response_at, resolved_at, spam_reason, deleted_at,
       archived_at)
     select $1, ($2::uuid[])[1 + floor(random() * 3)::int], gen_random_uuid(),
       n + (select coalesce(max(number), 0) from feedback where organization_id = $1),
       (array['bug', 'idea', 'question', 'praise', 'other'])[1 + floor(random() * 5)::int],
       (array['widget', 'api', 'import', 'link'])[1 + floor(random() * 4)::int],
       (array['new', 'open', 'resolved'])[1 + floor(random() * 3)::int],
       (array['none', 'low', 'urgent'])[1 + floor(random() * 3)::int], 'x',
       case when random() < 0.6 then 1 + floor(random() * 5) end, case when random() < 0.4 then floor(random() * 11) end,
       'https://example.com/' || floor(random() * 9), jsonb_build_object('language', 'de-AT'), sha256('x'), at,
       case when random() < 0.7 then at + power(random(), 4) * interval '40 days' end,
       case when random() < 0.5 then at + power(random(), 4) * interval '40 days' end,
       case when random() < 0.5 then at + power(random(), 4) * interval '40 days' end,
       case when random() < 0.1 then 'marked' end, case when random() < 0.1 then now() end,
       case when random() < 0.1 then now() end
     from (select n, now() - random() * interval '20 days' as at from generate_series(1, $3::int) n) item`,
    [organizationId, projectIds, count],
  )
}

/** What a team, its jobs and its visitors may do, all at once. */
const changes: readonly string[] = [
  "update feedback set status = 'resolved' where random() < 0.2",
  "update feedback set status = 'open', priority = 'high' where random() < 0.1",
  "update feedback set spam_reason = case when spam_reason is null then 'marked' end where random() < 0.1",
  'update feedback set deleted_at = case when deleted_at is null then now() end where random() < 0.1',
  'update feedback set archived_at = now() where random() < 0.1',
  'update feedback set first_viewed_at = now(), first_response_at = now() where first_viewed_at is null and random() < 0.3',
  `update feedback f set merged_into = t.id from (select id from feedback limit 1) t where t.id <> f.id and random() < 0.05`,
  'update feedback set merged_into = null where random() < 0.5',
  "update feedback set created_at = created_at - interval '30 hours' where random() < 0.05",
  'delete from feedback where random() < 0.05',
]

async function countByHand(projectId: string | undefined) {
  const { rows } = await server.client.query(
    `with counted as (
       select f.*, (f.created_at at time zone 'utc')::date >= (now() at time zone 'utc')::date - 9 as is_present
       from feedback f
       where organization_id = $1 and ($2::uuid is null or project_id = $2) and spam_reason is null and deleted_at is null
         and (created_at at time zone 'utc')::date > (now() at time zone 'utc')::date - 20
     )
     select count(*) filter (where is_present)::int as total, count(*) filter (where not is_present)::int as previous,
       count(*) filter (where is_present and type = 'idea')::int as ideas,
       count(*) filter (where is_present and status = 'resolved')::int as resolved,
       count(*) filter (where is_present and source = 'import')::int as imported,
       (avg(rating) filter (where is_present))::float8 as rating, (avg(rating) filter (where not is_present))::float8 as previous_rating,
       (100.0 * (count(*) filter (where is_present and nps >= 9) - count(*) filter (where is_present and nps <= 6))
         / nullif(count(nps) filter (where is_present), 0))::float8 as nps,
       ${['first_viewed_at', 'first_response_at', 'resolved_at']
         .map(
           (column) => `
       count(*) filter (where is_present and source <> 'import' and ${column} is not null)::int as ${column}_count,
       (percentile_disc(0.5) within group (order by extract(epoch from ${column} - created_at))
         filter (where is_present and source <> 'import' and ${column} is not null))::float8 as ${column}_median,
       (percentile_disc(0.9) within group (order by extract(epoch from ${column} - created_at))
         filter (where is_present and source <> 'import' and ${column} is not null))::float8 as ${column}_p90`,
         )
         .join(', ')}
     from counted`,
    [organizationId, projectId ?? null],
  )
  return rows[0] as Record<string, number | null>
}

const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

async function read<Answer>(what: string, projectId: string | undefined): Promise<Answer> {
  const query = `from=${day(9)}&to=${day(0)}${projectId === undefined ? '' : `&projectId=${projectId}`}`
  const reply = await server.call(`/api/v1/organizations/${organizationId}/analytics/${what}?${query}`, { token })
  return (await reply.json()) as Answer
}

const readTrends = (projectId: string | undefined) => read<AnalyticsTrends>('trends', projectId)

function expectDuration(
  name: string,
  { count, median, p90 }: AnalyticsDuration,
  byHand: Record<string, number | null>,
) {
  expect([name, count]).toEqual([name, byHand[`${name}_count`]])
  for (const [found, exact] of [
    [median, byHand[`${name}_median`]],
    [p90, byHand[`${name}_p90`]],
  ]) {
    if (exact === null || exact === undefined) expect(found).toBe(null)
    else if (exact < 60) expect(found).toBe(30)
    else {
      expect((found ?? 0) / exact).toBeGreaterThan(1 / 1.0906)
      expect((found ?? 0) / exact).toBeLessThan(1.0906)
    }
  }
}

describe('sums of days', () => {
  it('are what counting each item gives, through any changes', { timeout: 60_000 }, async () => {
    for (let round = 0; round < 6; round += 1) {
      // The last changes are made while the sums of the first are.
      for (const change of round === 0 ? [] : [...changes].sort(() => Math.random() - 0.5).slice(0, 5)) {
        await server.client.query(change)
      }
      await waitForSums(server)
      for (const projectId of [undefined, ...projectIds]) {
        const trends = await readTrends(projectId)
        const times = await read<AnalyticsTimes>('times', projectId)
        const byHand = await countByHand(projectId)
        const totalOf = (series: AnalyticsTrends['types'], value: string) =>
          series.find((each) => each.value === value)?.total ?? 0
        expect([round, trends.items.total, trends.items.previousTotal]).toEqual([round, byHand.total, byHand.previous])
        expect(totalOf(trends.types, 'idea')).toBe(byHand.ideas)
        expect(totalOf(trends.statuses, 'resolved')).toBe(byHand.resolved)
        expect(totalOf(trends.sources, 'import')).toBe(byHand.imported)
        expect(trends.ratings.mean ?? Number.NaN).toBeCloseTo(byHand.rating ?? Number.NaN, 9)
        expect(trends.ratings.previousMean ?? Number.NaN).toBeCloseTo(byHand.previous_rating ?? Number.NaN, 9)
        expect(trends.nps.score ?? Number.NaN).toBeCloseTo(byHand.nps ?? Number.NaN, 9)
        expectDuration('first_viewed_at', times.firstView, byHand)
        expectDuration('first_response_at', times.firstResponse, byHand)
        expectDuration('resolved_at', times.resolution, byHand)
      }
      const overview = await server.call(`/api/v1/organizations/${organizationId}/analytics/overview`, { token })
      const { rows } = await server.client.query(
        `select count(*) filter (where coalesce(f.visitor_wrote_at, f.created_at) > coalesce(
             (select r.seen_at from feedback_reads r where r.feedback_id = f.id and r.user_id = m.user_id),
             m.feedback_read_until))::int as unread,
           count(*) filter (where status = 'new')::int as fresh,
           count(*) filter (where status in ('new', 'open', 'in_progress'))::int as unresolved
         from feedback f join memberships m on m.organization_id = f.organization_id
         where f.organization_id = $1 and f.location = 'inbox'`,
        [organizationId],
      )
      expect((await overview.json()) as InboxOverview).toMatchObject(rows[0] as object)
    }
  })

  it('leave out spam also among what was merged', async () => {
    await server.client.query('update feedback set spam_reason = null, deleted_at = null, merged_into = null')
    await server.client.query(
      'update feedback f set merged_into = t.id from (select id from feedback limit 1) t where t.id <> f.id',
    )
    await waitForSums(server)
    const before = await readTrends(undefined)
    await server.client.query("update feedback set spam_reason = 'marked' where location = 'merged'")
    await waitForSums(server)
    expect((await readTrends(undefined)).items.total).toBe((await countByHand(undefined)).total)
    await server.client.query("update feedback set spam_reason = null where location = 'merged'")
    await waitForSums(server)
    expect((await readTrends(undefined)).items.total).toBe(before.items.total)
  })

  it('go with a project that is deleted, and with its items', async () => {
    const [gone = ''] = projectIds
    await server.client.query('delete from projects where organization_id = $1 and id = $2', [organizationId, gone])
    await waitForSums(server)
    expect((await readTrends(gone)).items.total).toBe(0)
    expect((await readTrends(undefined)).items.total).toBe((await countByHand(undefined)).total)
    const { rows } = await server.client.query('select from feedback_days where scope_id = $1', [gone])
    expect(rows).toHaveLength(0)
  })

  it('survive that the same work is done twice at once', async () => {
    await server.client.query(
      "insert into app.feedback_day_marks (organization_id, day, is_whole) select $1, now() - interval '3 days', true from generate_series(1, 20)",
      [organizationId],
    )
    for (let n = 0; n < 8; n += 1) await server.client.query("select app.enqueue_job('backfill_analytics', '{}')")
    await waitForSums(server)
    expect((await readTrends(undefined)).items.total).toBe((await countByHand(undefined)).total)
  })

  it('need nothing of an organisation that is deleted', async () => {
    await server.client.query('delete from organizations where id = $1', [organizationId])
    await waitForSums(server)
    const { rows } = await server.client.query('select from feedback_days where organization_id = $1', [organizationId])
    expect(rows).toHaveLength(0)
  })
})
