/*
 * Every chart at 1,000,000 items of one organisation, beside 10,000: response times for a signed-in member over HTTP,
 * and the database's share. Twelve months beside the previous twelve, which is the largest request of the screens. The
 * product's own jobs compute the sums, and their duration is printed too. Run: npm run bench -- analytics
 */
import { setTimeout as pause } from 'node:timers/promises'
import { fillAnalytics } from './harness/fill-analytics.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { percentile, printTable } from './harness/table.ts'
import { type BenchTenant, makeTenant } from './harness/tenant.ts'

const sizes = [10_000, Number(process.env.BENCH_ITEMS ?? 1_000_000)]
const requests = Number(process.env.BENCH_REQUESTS ?? 200)
const warmUpRequests = 30
const timedRequests = 30
const maxRatio = 3
const maxDatabaseMs = 20

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const year = `from=${daysAgo(363)}&to=${daysAgo(0)}`

const charts: Readonly<Record<string, (projectIds: readonly string[]) => string>> = {
  'volume, ratings: 12 months': () => `trends?${year}`,
  'times: 12 months': () => `times?${year}`,
  'volume, ratings: 12 months, three projects': (ids) =>
    `trends?${year}&${ids
      .slice(0, 3)
      .map((id) => `projectId=${id}`)
      .join('&')}`,
  'volume, ratings: 30 days': () => 'trends',
  'times: 30 days': () => 'times',
  'pages, browsers, countries: 12 months': () => `origins?${year}`,
  'pages, browsers, countries: 12 months, one project': ([large]) => `origins?${year}&projectId=${large}`,
  'pages, browsers, countries: 30 days': () => 'origins',
  'funnel: 12 months': () => `funnel?${year}`,
  'inbox summary': () => 'overview',
}

/** One server and database per size: a small instance and a large one. */
const servers: BenchServer[] = []
try {
  const tenants: BenchTenant[] = []
  for (const size of sizes) {
    const server = await startBenchServer({}, `analytics-${size}`)
    servers.push(server)
    const tenant = await makeTenant(server, async (empty) => {
      await fillAnalytics(server.sql, empty, size)
      process.stderr.write(`${size} items: sums computed in ${((await sumUp(server)) / 1000).toFixed(1)} s\n`)
      await server.sql.query('vacuum analyze')
    })
    tenants.push(tenant)
  }
  const rows: string[][] = []
  for (const [name, chart] of Object.entries(charts)) rows.push(await measure(name, chart, tenants))
  const large = tenants.at(-1)
  if (large)
    rows.push(['a day recomputed after a change, in ms', '', (await timeChange(large)).toFixed(0), '', '', '', ''])
  process.stdout.write(
    `\nAnalytics, over HTTP as a member: p95 of ${requests} requests, both sizes in turns. ` +
      'Database: mean time that PostgreSQL itself counts for one request.\n\n',
  )
  printTable(
    ['p95 in ms', '10k items', '1000k items', 'ratio', 'target', 'database 10k', `database 1000k (≤ ${maxDatabaseMs})`],
    rows,
  )
} finally {
  for (const server of servers) await server.stop()
}

/** Milliseconds until the product's jobs have computed all sums. */
async function sumUp({ sql }: BenchServer): Promise<number> {
  const startedAt = performance.now()
  await sql.query("select app.enqueue_job('sum_widget_days', '{}'), app.enqueue_job('backfill_analytics', '{}')")
  await waitForJobs(sql)
  return performance.now() - startedAt
}

async function waitForJobs(sql: BenchServer['sql']): Promise<void> {
  for (;;) {
    const { rows } = await sql.query<{ left: number }>(
      `select ((select count(*) from graphile_worker.jobs where task_identifier like '%analytics' or task_identifier = 'sum_widget_days') + (select count(*) from app.feedback_day_marks))::int as left`,
    )
    if (rows[0]?.left === 0) return
    await pause(20)
  }
}

/** Milliseconds from a change of one item until its day is counted. */
async function timeChange({ server: { sql }, organizationId }: BenchTenant): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 10; turn += 1) {
    const startedAt = performance.now()
    await sql.query(
      `update public.feedback set spam_reason = 'marked' where organization_id = $1 and id = (
         select id from public.feedback where organization_id = $1 and location = 'inbox' limit 1)`,
      [organizationId],
    )
    await waitForJobs(sql)
    times.push(performance.now() - startedAt)
  }
  return percentile(times, 0.5)
}

/** Milliseconds until the complete response. */
async function readChart({ server, organizationId, token }: BenchTenant, chart: string): Promise<number> {
  const startedAt = performance.now()
  const reply = await fetch(`${server.url}/api/v1/organizations/${organizationId}/analytics/${chart}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await reply.text()
  const ms = performance.now() - startedAt
  if (reply.status !== 200) throw new Error(`${chart}: ${reply.status} ${text}`)
  return ms
}

/** Milliseconds that PostgreSQL spends on one response, planning included. */
async function readDatabaseTime(tenant: BenchTenant, chart: string): Promise<number> {
  const { sql } = tenant.server
  await sql.query('select pg_stat_statements_reset()')
  for (let turn = 0; turn < timedRequests; turn += 1) await readChart(tenant, chart)
  const { rows } = await sql.query<{ ms: number }>(
    `select sum(total_exec_time + total_plan_time) as ms from pg_stat_statements where toplevel and query not like '%pg_stat_statements%'`,
  )
  return (rows[0]?.ms ?? Number.NaN) / timedRequests
}

async function measure(
  name: string,
  chart: (projectIds: readonly string[]) => string,
  tenants: readonly BenchTenant[],
): Promise<string[]> {
  const times: number[][] = tenants.map(() => [])
  for (let turn = 0; turn < warmUpRequests + requests; turn += 1) {
    // In turns, so that other load on the machine affects both.
    for (const [index, tenant] of tenants.entries()) {
      const ms = await readChart(tenant, chart(tenant.projectIds))
      if (turn >= warmUpRequests) times[index]?.push(ms)
    }
  }
  const [small = Number.NaN, large = Number.NaN] = times.map((each) => percentile(each, 0.95))
  const databaseTimes: string[] = []
  for (const tenant of tenants) {
    databaseTimes.push((await readDatabaseTime(tenant, chart(tenant.projectIds))).toFixed(1))
  }
  return [name, small.toFixed(1), large.toFixed(1), (large / small).toFixed(2), `≤ ${maxRatio}`, ...databaseTimes]
}
