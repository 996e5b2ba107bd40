/*
 * What takes items out of an organisation, and its charts, at 1,000,000 items beside 10,000: export, erasure of a visitor,
 * trash, retention and a deleted project, each for as many items in both, through the product's own routes and jobs.
 * Run: npm run bench -- lifecycle
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createProject } from '#server/testing/builders.ts'
import { fillInbox } from './harness/fill-inbox.ts'
import { measureInTurns, toRatioRow } from './harness/in-turns.ts'
import { measureScheduledJobs, runJob } from './harness/scheduled-jobs.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { median, printTable } from './harness/table.ts'
import { type BenchTenant, makeTenant } from './harness/tenant.ts'

const sizes = [10_000, Number(process.env.BENCH_ITEMS ?? 1_000_000)]
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const requests = Number(process.env.BENCH_REQUESTS ?? 60)
/** Items that each step takes, at either size. */
const taken = 1_000
const target = 1.5

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)
const year = `from=${daysAgo(363)}&to=${daysAgo(0)}`
const charts: Readonly<Record<string, string>> = {
  'charts: volume and ratings, 12 months': `analytics/trends?${year}`,
  'charts: times, 12 months': `analytics/times?${year}`,
  'charts: pages, browsers, countries, 12 months': `analytics/origins?${year}`,
  'charts: funnel, 12 months': `analytics/funnel?${year}`,
  'charts: summary of the inbox': 'analytics/overview',
}

/** The inbox's data, so that one folder serves both benchmarks. */
const servers: BenchServer[] = []
try {
  const tenants: BenchTenant[] = []
  for (const size of sizes) {
    const server = await startBenchServer({}, `inbox-busy-${size}`)
    servers.push(server)
    const tenant = await makeTenant(server, (empty) => fillInbox(server.sql, empty, size))
    // Some steps are an owner's.
    await server.sql.query(
      `update public.memberships m set role = 'owner' from public.profiles p where p.user_id = m.user_id and p.email = $1`,
      [tenant.email],
    )
    tenants.push(tenant)
  }
  await prepareSums(tenants)
  for (const tenant of tenants) await refreshTrash(tenant)
  const steps: Readonly<Record<string, (tenant: BenchTenant) => Promise<number>>> = {
    [`export of ${taken} items as CSV`]: exportItems,
    [`a visitor with ${taken} items erased`]: eraseVisitor,
    [`${taken} items expire in the trash`]: expireTrash,
    [`retention of a project: ${taken} items`]: applyRetention,
    [`a deleted project with ${taken} items`]: removeProject,
  }
  const rows: string[][] = []
  for (const [name, step] of Object.entries(steps)) {
    const times: number[][] = tenants.map(() => [])
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, tenant] of tenants.entries()) times[index]?.push(await step(tenant))
    }
    rows.push(toRow(name, times.map(median)))
    process.stderr.write(`${rows.at(-1)?.join('  ')}\n`)
  }
  for (const [name, path] of Object.entries(charts)) {
    const p95 = await measureInTurns(tenants, (tenant) => call(tenant, path), { times: requests, warmUp: 10 })
    rows.push(toRow(`${name} (p95)`, p95))
    process.stderr.write(`${rows.at(-1)?.join('  ')}\n`)
  }
  const [small, large] = servers
  const jobs = small && large ? await measureScheduledJobs([small, large]) : []
  for (const { name, times } of jobs) rows.push(toRow(`job ${name}, once`, times))
  process.stdout.write(
    `\nThrough routes and jobs, in turns: median of ${rounds}, or p95 of ${requests} requests over HTTP.\n\n`,
  )
  printTable(['ms', ...sizes.map((size) => `${size} items`), 'ratio', 'target'], rows)
} finally {
  for (const server of servers) await server.stop()
}

function toRow(name: string, figures: readonly number[]): string[] {
  return [...toRatioRow(name, figures), `≤ ${target}`]
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await act()
  return performance.now() - startedAt
}

/** @returns the body of a successful answer. */
async function call({ server, organizationId, token }: BenchTenant, path: string, body?: unknown): Promise<unknown> {
  const reply = await fetch(`${server.url}/api/v1/organizations/${organizationId}/${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`)
  return JSON.parse(text)
}

async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await pause(5)
}

/** Computes the sums that charts are drawn from. */
async function prepareSums(tenants: readonly BenchTenant[]): Promise<void> {
  for (const [index, tenant] of tenants.entries()) {
    const { sql } = tenant.server
    const { rows } = await sql.query<{ n: number }>('select count(*)::int as n from public.feedback_days')
    if ((rows[0]?.n ?? 0) > 1_000) continue
    const ms = await timed(async () => {
      await runJob(tenant.server, 'backfill_analytics')
      await waitFor(async () => (await sql.query('select from app.feedback_day_marks limit 1')).rows.length === 0)
    })
    process.stderr.write(`${sizes[index]} items: sums computed in ${(ms / 1000).toFixed(1)} s\n`)
    await sql.query('vacuum analyze')
  }
}

/** What the data holds in the trash does not expire: it would be far more than what is measured. */
async function refreshTrash({ server: { sql }, organizationId }: BenchTenant): Promise<void> {
  const { rowCount } = await sql.query(
    `update public.feedback set deleted_at = now() where organization_id = $1 and deleted_at < now() - interval '20 days'`,
    [organizationId],
  )
  if (rowCount === 0) return
  // Its visitors and days are counted again.
  await waitFor(
    async () => (await sql.query('select from graphile_worker.jobs where run_at <= now()')).rows.length === 0,
  )
  await sql.query('vacuum analyze public.feedback, public.visitors')
}

/** A time span that holds so many items, long ago. */
async function exportItems(tenant: BenchTenant): Promise<number> {
  const { rows } = await tenant.server.sql.query<{ from: Date; to: Date }>(
    `select min(created_at) as from, max(created_at) as to from (
       select created_at from public.feedback where organization_id = $1 and location = 'inbox'
       order by created_at desc offset 2000 limit $2) as f`,
    [tenant.organizationId, taken],
  )
  const [span] = rows
  const id = randomUUID()
  return timed(async () => {
    await call(tenant, 'exports', { id, format: 'csv', selection: { from: span?.from, to: span?.to } })
    await waitFor(async () => {
      const made = (await call(tenant, `exports/${id}`)) as { state: string; note: string | null; count: number }
      if (made.state === 'failed') throw new Error(made.note ?? 'the export failed')
      return made.state === 'ready'
    })
  })
}

/** New items of one visitor, or of a project, in any of the former items' kinds. */
async function addItems(
  { server: { sql }, organizationId }: BenchTenant,
  { projectId, visitorId = null }: { projectId: string; visitorId?: string | null },
): Promise<void> {
  await sql.query(
    `insert into public.feedback (organization_id, id, project_id, number, type, source, message, visitor_id, page_url,
       content_hash, created_at)
     select f.organization_id, gen_random_uuid(), $2, n.last + row_number() over (), f.type, f.source,
       -- A word in fifty that no other item contains: names and the like.
       f.message || ' ' || case when $3::text is null then '' else translate(md5($3 || row_number() over () / 20), '0123456789', 'ghijklmnop') end, $3,
       f.page_url, f.content_hash, f.created_at
     from (select * from public.feedback where organization_id = $1 and location = 'inbox' order by created_at desc limit $4) f
     cross join (
       select coalesce(max(number), 0) as last from public.feedback where organization_id = $1 and project_id = $2) n`,
    [organizationId, projectId, visitorId, taken],
  )
}

async function eraseVisitor(tenant: BenchTenant): Promise<number> {
  const visitor = `erased-${randomUUID()}`
  const [projectId = ''] = tenant.projectIds
  await addItems(tenant, { projectId, visitorId: visitor })
  const id = randomUUID()
  return timed(async () => {
    await call(tenant, `visitors/erasure-preview?visitor=${visitor}`)
    await call(tenant, 'visitors/erasures', { id, visitor, confirmation: visitor })
    await waitFor(async () => {
      const erasure = (await call(tenant, `visitors/erasures/${id}`)) as { state: string }
      return erasure.state === 'done'
    })
  })
}

async function expireTrash(tenant: BenchTenant): Promise<number> {
  const { sql } = tenant.server
  const [projectId = ''] = tenant.projectIds
  await addItems(tenant, { projectId })
  await sql.query(
    `update public.feedback set deleted_at = now() - interval '31 days' where organization_id = $1 and id in (
       select id from public.feedback where organization_id = $1 and location = 'inbox' limit $2)`,
    [tenant.organizationId, taken],
  )
  return runJob(tenant.server, 'expire_trash')
}

/** The large project, half of all items, keeps all but its oldest ones. */
async function applyRetention(tenant: BenchTenant): Promise<number> {
  const { sql } = tenant.server
  const [projectId = ''] = tenant.projectIds
  // As many as are removed.
  await addItems(tenant, { projectId })
  await sql.query(
    `update public.feedback set created_at = now() - interval '370 days' where organization_id = $1 and id in (
       select id from public.feedback where organization_id = $1 and project_id = $2 order by number limit $3)`,
    [tenant.organizationId, projectId, taken],
  )
  await sql.query('update public.projects set retention_days = 369 where id = $1', [projectId])
  const ms = await runJob(tenant.server, 'apply_retention')
  await sql.query('update public.projects set retention_days = null where id = $1', [projectId])
  return ms
}

async function removeProject(tenant: BenchTenant): Promise<number> {
  const { server, organizationId, token } = tenant
  const name = `Short-lived ${randomUUID().slice(0, 8)}`
  const project = await createProject(server.sql, { organizationId, name })
  await addItems(tenant, { projectId: project.id })
  return timed(async () => {
    const reply = await fetch(`${server.url}/api/v1/organizations/${organizationId}/projects/${project.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
    if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
    await waitFor(async () => {
      const { rows } = await server.sql.query('select from public.projects where id = $1', [project.id])
      return rows.length === 0
    })
  })
}
