import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ActivationStep,
  activationStepNames,
  type MetricsPart,
  type MetricsReport,
  type UsageFigure,
  usageFigureNames,
} from '#contract/superadmin-metrics.ts'
import { createUser } from '#server/testing/builders.ts'
import { readCsv } from '#server/testing/read-csv.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { waitForSums } from '#server/testing/sums.ts'
import { type Fact, insertUse, listFacts, type MadeUse, makeUse, readActivation } from './random-use.ts'

/* Figures of random use, written through the product's tables and read over HTTP, beside a recomputation from the rows. */

const seed = 20_261_123
const dayMs = 86_400_000
const today = new Date().toISOString().slice(0, 10)

let server: TestServer
let token: string
let use: MadeUse
let facts: Fact[]

beforeAll(async () => {
  console.info(`random use, seed ${seed}`)
  server = await startTestServer({ SERVICES: 'web,worker', API_RATE_PER_MINUTE: '100000' })
  token = await server.signIn(await createUser(server.client, { fullName: 'Sam Super' }))
  // The superadmin's own organisation is none of the made ones.
  await server.client.query('delete from organizations')
  use = makeUse(seed, 120)
  await insertUse(server.client, use)
  facts = listFacts(use)
}, 120_000)
afterAll(() => server?.stop())

async function runJobs(...names: string[]): Promise<void> {
  for (const name of names) {
    await server.client.query('select graphile_worker.add_job($1)', [name])
    await expect
      .poll(async () => {
        const { rows } = await server.client.query(
          'select from graphile_worker.jobs where task_identifier = $1 and attempts < max_attempts',
          [name],
        )
        return rows.length
      })
      .toBe(0)
  }
}

async function read<T>(path: string): Promise<T> {
  const reply = await server.call(`/api/v1/superadmin${path}`, { token })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as T
}

const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)
const mondayOf = (day: string) => {
  const date = new Date(`${day}T00:00:00Z`)
  return new Date(Number(date) - ((date.getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10)
}
const firstOf: Record<string, (day: string) => string> = {
  day: (day) => day,
  week: mondayOf,
  month: (day) => `${day.slice(0, 7)}-01`,
}

function sumOf(figure: UsageFigure, from: string, to: string): number {
  return facts.reduce(
    (sum, each) => sum + (each.figure === figure && each.day >= from && each.day <= to ? each.n : 0),
    0,
  )
}
function expectUsage(from: string, to: string): Record<string, number> {
  return Object.fromEntries(usageFigureNames.map((figure) => [figure, sumOf(figure, from, to)]))
}
const isActivity = ({ figure, n }: Fact) => n > 0 && ['items', 'replies', 'exports'].includes(figure)
/** Ids of organisations with an item, a reply or an export on a day for which `isIn` holds. */
function listActive(isIn: (day: string) => boolean): Set<string> {
  return new Set(facts.filter((each) => isActivity(each) && isIn(each.day)).map(({ organizationId }) => organizationId))
}
function countActivation(from: string, to: string): Record<ActivationStep, number> {
  const steps = use.organizations
    .filter(({ createdAt }) => createdAt.slice(0, 10) >= from && createdAt.slice(0, 10) <= to)
    .map((organization) => readActivation(use, organization))
  const count = (step: ActivationStep) => steps.filter((each) => each.has(step)).length
  return {
    registered: count('registered'),
    verified: count('verified'),
    project: count('project'),
    installed: count('installed'),
    item: count('item'),
    engaged: count('engaged'),
  }
}

async function readParts(query: string): Promise<{ parts: MetricsPart[]; total: number; count: number }> {
  const parts: MetricsPart[] = []
  let cursor: string | null = null
  for (;;) {
    const page: { items: MetricsPart[]; total: number; count: number; nextCursor: string | null } = await read(
      `/metrics/organizations?limit=7&${query}${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    parts.push(...page.items)
    cursor = page.nextCursor
    if (cursor === null) return { parts, total: page.total, count: page.count }
  }
}
const amountsOf = (parts: readonly MetricsPart[]) =>
  Object.fromEntries(parts.map(({ organization, amount }) => [organization.id, amount]))

const periods = [
  ['day', daysAgo(29), today],
  ['week', daysAgo(89), today],
  ['month', daysAgo(150), daysAgo(20)],
] as const

describe('figures of random use', () => {
  it('are summed by jobs', async () => {
    await server.client.query(`select graphile_worker.add_job('refresh_analytics', '{}')`)
    await waitForSums(server)
    await runJobs('fold_usage', 'repair_usage')
    const { rows } = await server.client.query('select from app.usage_changes')
    expect(rows).toHaveLength(0)
  })

  it.each(periods)('equal their recomputation by %s, with the period before', async (step, from, to) => {
    const report = await read<MetricsReport>(`/metrics?from=${from}&to=${to}&step=${step}`)
    const length = (Date.parse(to) - Date.parse(from)) / dayMs + 1
    const previousFrom = new Date(Date.parse(from) - length * dayMs).toISOString().slice(0, 10)
    const previousTo = new Date(Date.parse(from) - dayMs).toISOString().slice(0, 10)
    expect([report.previousFrom, report.previousTo]).toEqual([previousFrom, previousTo])
    expect(report.totals).toEqual(expectUsage(from, to))
    expect(report.previousTotals).toEqual(expectUsage(previousFrom, previousTo))
    expect([report.steps[0]?.from, report.steps.at(-1)?.to]).toEqual([from, to])
    for (const each of report.steps) {
      const start = firstOf[step]?.(each.from)
      expect(each).toEqual({
        from: each.from,
        to: each.to,
        usage: expectUsage(each.from, each.to),
        active: listActive((day) => firstOf[step]?.(day) === start).size,
      })
    }
    const activeDays = new Set(
      facts
        .filter((each) => isActivity(each) && each.day >= from && each.day <= to)
        .map(({ organizationId, day }) => `${organizationId} ${day}`),
    )
    expect(report.activeMean).toBeCloseTo(activeDays.size / length, 9)
    expect(report.funnel).toEqual(countActivation(from, to))
    expect(report.previousFunnel).toEqual(countActivation(previousFrom, previousTo))
  })

  it('hold every figure', () => {
    for (const figure of usageFigureNames)
      expect([figure, sumOf(figure, '2000-01-01', today) > 0]).toEqual([figure, true])
    const steps = countActivation('2000-01-01', today)
    for (const step of activationStepNames) expect(steps[step]).toBeGreaterThan(0)
    expect(steps.engaged).toBeLessThan(steps.registered)
    expect(steps.verified).toBeLessThan(steps.registered)
  })

  it('follow twelve weeks of sign-up', async () => {
    const { cohorts } = await read<MetricsReport>('/metrics')
    expect(cohorts.map(({ active }) => active.length)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    for (const { week, organizations, active } of cohorts) {
      const own = use.organizations.filter(({ createdAt }) => mondayOf(createdAt.slice(0, 10)) === week)
      expect(organizations).toBe(own.length)
      for (const [offset, n] of active.entries()) {
        const at = new Date(Date.parse(week) + 7 * offset * dayMs).toISOString().slice(0, 10)
        const inWeek = listActive((day) => mondayOf(day) === at)
        expect([week, at, n]).toEqual([week, at, own.filter(({ id }) => inWeek.has(id)).length])
      }
    }
    expect(cohorts.some(({ active }) => (active[1] ?? 0) > 0)).toBe(true)
  })

  it('sum from the organisations that are listed for them, in pages, by amount and by name', async () => {
    const [from, to] = [daysAgo(59), today]
    for (const figure of usageFigureNames) {
      const amounts: Record<string, number> = {}
      for (const each of facts) {
        if (each.figure !== figure || each.day < from || each.day > to) continue
        amounts[each.organizationId] = (amounts[each.organizationId] ?? 0) + each.n
      }
      const { parts, total, count } = await readParts(`figure=${figure}&from=${from}&to=${to}`)
      expect([figure, amountsOf(parts)]).toEqual([figure, amounts])
      expect([total, count]).toEqual([sumOf(figure, from, to), Object.keys(amounts).length])
      expect(parts.map(({ amount }) => amount)).toEqual(parts.map(({ amount }) => amount).toSorted((a, b) => b - a))
    }
    const { parts } = await readParts(`figure=items&from=${from}&to=${to}&sort=name`)
    const names = parts.map(({ organization }) => organization.name.toLowerCase())
    expect(names).toEqual([...names].sort())
    const [first] = parts
    const found = await readParts(`figure=items&from=${from}&to=${to}&search=${first?.organization.slug}`)
    expect(found.parts).toContainEqual(first)
    expect(found.count).toBeLessThan(parts.length)
    const reply = await server.call('/api/v1/superadmin/metrics/organizations/exports', {
      token,
      body: { figure: 'items', from, to, sort: 'name' },
    })
    expect((await readCsv(reply)).map(({ organization_id: id, items }) => [id, Number(items)])).toEqual(
      parts.map(({ organization, amount }) => [organization.id, amount]),
    )
  })

  it('list who took a step of the funnel, and who was active of a cohort', async () => {
    const [from, to] = [daysAgo(120), today]
    for (const step of activationStepNames) {
      const { parts, count } = await readParts(`figure=${step}&from=${from}&to=${to}`)
      expect([step, count]).toEqual([step, countActivation(from, to)[step]])
      expect(parts).toHaveLength(count)
    }
    const { cohorts } = await read<MetricsReport>('/metrics')
    const cohort = cohorts.find(({ active }) => (active[1] ?? 0) > 0)
    const week = new Date(Date.parse(cohort?.week ?? '') + 7 * dayMs).toISOString().slice(0, 10)
    const end = new Date(Date.parse(week) + 6 * dayMs).toISOString().slice(0, 10)
    const { count } = await readParts(`figure=active&from=${week}&to=${end}&cohort=${cohort?.week}`)
    expect(count).toBe(cohort?.active[1])
  })

  it('stay the same when their jobs run again', async () => {
    const before = await read('/metrics')
    await runJobs('fold_usage', 'fold_widget_usage', 'repair_usage', 'fold_usage')
    expect(await read('/metrics')).toEqual(before)
  })

  it('follow spam, a verified address and a deleted organisation', async () => {
    const from = daysAgo(59)
    const [gone, unverified] = [use.organizations[3], use.organizations.find(({ isVerified }) => !isVerified)]
    const spam = use.items.find(({ day, organizationId }) => day >= from && organizationId !== gone?.id)
    await server.client.query(`update feedback set spam_reason = 'words' where id = $1`, [spam?.id])
    await server.client.query('update auth.users set email_confirmed_at = now() where id = $1', [unverified?.ownerId])
    await server.client.query('delete from organizations where id = $1', [gone?.id])
    await waitForSums(server)
    await runJobs('fold_usage', 'repair_usage')
    use = {
      ...use,
      organizations: use.organizations
        .filter((each) => each !== gone)
        .map((each) => (each === unverified ? { ...each, isVerified: true } : each)),
      items: use.items.filter((each) => each !== spam),
    }
    facts = listFacts(use)
    const report = await read<MetricsReport>(`/metrics?from=${from}&to=${today}`)
    expect(report.totals).toEqual(expectUsage(from, today))
    expect(report.funnel).toEqual(countActivation(from, today))
  })
})

describe('GET /api/v1/superadmin/metrics', () => {
  it.each([
    ['/metrics?from=2026-02-30&to=2026-03-01', 'query.from'],
    ['/metrics?from=2026-03-02&to=2026-03-01', 'query.to'],
    ['/metrics?from=2020-01-01&to=2026-03-01', 'query.from'],
    ['/metrics/organizations?figure=items&from=2026-03-01&to=2026-03-01&cursor=bm9uZQ', 'query.cursor'],
    ['/metrics/organizations?figure=items&from=2026-03-01&to=2026-03-01&cohort=2026-02-02', 'query.cohort'],
  ])('refuses %s', async (path, field) => {
    const reply = await server.call(`/api/v1/superadmin${path}`, { token })
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining(field)])
  })
})
