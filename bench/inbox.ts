/*
 * The inbox's first page with two filters at 1,000,000 items of one organisation, beside 10,000: what a signed-in
 * member waits for over HTTP, and what of it the database takes. Run: npm run bench -- inbox
 */
import { builtPassword, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { fillInbox, projectCount } from './harness/fill-inbox.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { percentile, printTable } from './harness/table.ts'

const sizes = [10_000, Number(process.env.BENCH_ITEMS ?? 1_000_000)]
const requests = Number(process.env.BENCH_REQUESTS ?? 300)
const warmUpRequests = 40
const timedRequests = 50
const target = 1.5

interface Tenant {
  readonly server: BenchServer
  readonly organizationId: string
  readonly projectIds: readonly string[]
  readonly memberIds: readonly string[]
  readonly token: string
}

/** Query strings by name. Project 0 holds half of all items, the last one in a hundred. */
const views: Readonly<Record<string, (projectIds: readonly string[]) => string>> = {
  'status=new & priority=high': () => 'status=new&priority=high',
  'status=open & type=bug': () => 'status=open&type=bug',
  'priority=urgent & type=praise (rare)': () => 'priority=urgent&type=praise',
  'status=in_progress & priority=urgent (rarer)': () => 'status=in_progress&priority=urgent',
  'large project & status=new': ([large]) => `projectId=${large}&status=new`,
  'small project & priority=urgent': (ids) => `projectId=${ids.at(-1)}&priority=urgent`,
  'empty project & status=new (absent)': () => `projectId=${crypto.randomUUID()}&status=new`,
  'two statuses & two priorities': () => 'status=new&status=open&priority=high&priority=urgent',
}
/** Not part of the target: printed so that nobody has to guess. */
const otherViews: typeof views = {
  'no filter': () => '',
  'search “invoice” (one in 50)': () => 'q=invoice',
  'search “zebra” (one in 5,000)': () => 'q=zebra',
  'search “zebra” & status=new': () => 'q=zebra&status=new',
}

/** One server and database per size: a small instance and a large one. */
const servers: BenchServer[] = []
try {
  const tenants: Tenant[] = []
  for (const size of sizes) {
    const server = await startBenchServer()
    servers.push(server)
    const startedAt = performance.now()
    const tenant = await makeTenant(server)
    await fillInbox(server.sql, tenant, size)
    tenants.push(tenant)
    process.stderr.write(`${size} items written in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`)
  }
  const rows: string[][] = []
  for (const [name, view] of Object.entries(views)) rows.push(await measure(name, view, tenants, `≤ ${target}`))
  for (const [name, view] of Object.entries(otherViews)) rows.push(await measure(name, view, tenants, ''))
  process.stdout.write(
    `\nInbox, first page of 50, over HTTP as a member: p95 of ${requests} requests, both sizes in turns. ` +
      'Database: mean time that PostgreSQL itself counts for one request.\n\n',
  )
  printTable(['p95 in ms', '10k items', '1000k items', 'ratio', 'target', 'database 10k', 'database 1000k'], rows)
} finally {
  for (const server of servers) await server.stop()
}

async function makeTenant(server: BenchServer): Promise<Tenant> {
  const { sql, url } = server
  await sql.query('create extension pg_stat_statements')
  const { organizationId } = await createUser(sql)
  if (organizationId === undefined) throw new Error('sign-up made no organisation')
  const projectIds: string[] = []
  while (projectIds.length < projectCount) projectIds.push((await createProject(sql, { organizationId })).id)
  const memberIds: string[] = []
  while (memberIds.length < 4) memberIds.push((await createMember(sql, { organizationId, role: 'member' })).id)
  const { email } = await createMember(sql, { organizationId, role: 'member' })
  const { supabaseAnonKey: apikey } = (await (await fetch(`${url}/api/v1/config`)).json()) as {
    supabaseAnonKey: string
  }
  const reply = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: builtPassword }),
  })
  const { access_token: token } = (await reply.json()) as { access_token: string }
  return { server, organizationId, projectIds, memberIds, token }
}

/** Milliseconds until the whole page is there. */
async function readPage({ server, organizationId, token }: Tenant, query: string): Promise<number> {
  const startedAt = performance.now()
  const reply = await fetch(`${server.url}/api/v1/organizations/${organizationId}/feedback?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await reply.text()
  const ms = performance.now() - startedAt
  if (reply.status !== 200) throw new Error(`${query}: ${reply.status} ${text}`)
  return ms
}

/** Milliseconds that PostgreSQL spends on one page, planning included. */
async function readDatabaseTime(tenant: Tenant, query: string): Promise<number> {
  const { sql } = tenant.server
  await sql.query('select pg_stat_statements_reset()')
  for (let turn = 0; turn < timedRequests; turn += 1) await readPage(tenant, query)
  const { rows } = await sql.query<{ ms: number }>(
    `select sum(total_exec_time + total_plan_time) as ms from pg_stat_statements where toplevel and query not like '%pg_stat_statements%'`,
  )
  return (rows[0]?.ms ?? Number.NaN) / timedRequests
}

async function measure(
  name: string,
  view: (projectIds: readonly string[]) => string,
  tenants: readonly Tenant[],
  limit: string,
): Promise<string[]> {
  const times: number[][] = tenants.map(() => [])
  for (let turn = 0; turn < warmUpRequests + requests; turn += 1) {
    // In turns, so that what else the machine does falls on both.
    for (const [index, tenant] of tenants.entries()) {
      const ms = await readPage(tenant, view(tenant.projectIds))
      if (turn >= warmUpRequests) times[index]?.push(ms)
    }
  }
  const [small = Number.NaN, large = Number.NaN] = times.map((each) => percentile(each, 0.95))
  const databaseTimes: string[] = []
  for (const tenant of tenants) {
    databaseTimes.push((await readDatabaseTime(tenant, view(tenant.projectIds))).toFixed(1))
  }
  return [name, small.toFixed(1), large.toFixed(1), (large / small).toFixed(2), limit, ...databaseTimes]
}
