/*
 * The inbox's first page by many mixes of filters, orders and words, and its counts, at 1,000,000 items of one
 * organisation, beside 10,000: response times for a signed-in member over HTTP, and the database's share.
 * Run: npm run bench -- inbox
 */
import { fillInbox } from './harness/fill-inbox.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { percentile, printTable } from './harness/table.ts'
import { type BenchTenant, makeTenant } from './harness/tenant.ts'

const sizes = [10_000, Number(process.env.BENCH_ITEMS ?? 1_000_000)]
const requests = Number(process.env.BENCH_REQUESTS ?? 100)
const warmUpRequests = 15
const timedRequests = 20
const target = 1.5
const databaseTarget = 20

const open = 'status=new&status=open&status=in_progress'

type View = (tenant: BenchTenant) => string

/** Query strings by name. Project 0 holds half of all items, the last one in a hundred. */
const views: Readonly<Record<string, View>> = {
  'open items (how the inbox opens)': () => `${open}`,
  'unanswered & open': () => `unanswered=true&${open}`,
  'no filter': () => '',
  'status=new & priority=high': () => 'status=new&priority=high',
  'status=open & type=bug': () => 'status=open&type=bug',
  'priority=urgent & type=praise (rare)': () => 'priority=urgent&type=praise',
  'status=in_progress & priority=urgent (rarer)': () => 'status=in_progress&priority=urgent',
  'large project & status=new': ({ projectIds: [large] }) => `projectId=${large}&status=new`,
  'small project & priority=urgent': ({ projectIds }) => `projectId=${projectIds.at(-1)}&priority=urgent`,
  'empty project & status=new (absent)': () => `projectId=${crypto.randomUUID()}&status=new`,
  'two statuses & two priorities': () => 'status=new&status=open&priority=high&priority=urgent',
  'source=api': () => 'source=api',
  'source=manual (rare) & status=new': () => 'source=manual&status=new',
  'media=screenshot & rating=4': () => 'media=screenshot&rating=4',
  'media=replay (rare)': () => 'media=replay',
  'media=voice & source=link (rare together)': () => 'media=voice&source=link',
  'rating=1 (rare)': () => 'rating=1',
  'rating=2 & rating=3 & status=open': () => 'rating=2&rating=3&status=open',
  'tag=checkout & priority=high': () => 'tag=checkout&priority=high',
  'tag=legal (rare)': () => 'tag=legal',
  'tag=ios & assignee': ({ memberIds: [member] }) => `tag=ios&assignee=${member}`,
  'assignee=none & unread': () => 'assignee=none&unread=true',
  'unread & tag=mobile & source=api & rating=3': () => 'unread=true&tag=mobile&source=api&rating=3',
  'unread, archived': () => 'unread=true&location=archived',
  'seven filters at once': ({ projectIds: [large] }) =>
    `projectId=${large}&status=new&priority=none&type=bug&source=widget&media=screenshot&rating=5`,
  visitor: () => 'visitor=customer-78',
  'a week a year ago': () => `from=${daysAgo(330)}&to=${daysAgo(323)}`,
  'a week a year ago & tag=mobile & status=new': () => `from=${daysAgo(330)}&to=${daysAgo(323)}&tag=mobile&status=new`,
  'spam & source=widget': () => 'location=spam&source=widget',
  'sort=oldest & status=resolved & tag=ios': () => 'sort=oldest&status=resolved&tag=ios',
  'sort=updated': () => 'sort=updated',
  'sort=updated & status=open & tag=checkout': () => 'sort=updated&status=open&tag=checkout',
  'sort=priority': () => 'sort=priority',
  'sort=priority & media=voice & unread': () => 'sort=priority&media=voice&unread=true',
  'search: a word in every item': () => 'q=after',
  'search “invoice” (one in 50)': () => 'q=invoice',
  'search “zebra” (one in 5,000)': () => 'q=zebra',
  'search “zebra” & status=new': () => 'q=zebra&status=new',
  'search “invoice zebra”': () => 'q=invoice+zebra',
  'search “invo”, a beginning': () => 'q=invo',
  'search “invioce”, mistyped': () => 'q=invioce',
  'search “unheard” (absent)': () => 'q=unheard',
  'search “invoice” & tag=mobile & sort=oldest': () => 'q=invoice&tag=mobile&sort=oldest',
  ...randomViews(Number(process.env.BENCH_RANDOM ?? 12)),
}

const shape = process.env.BENCH_SHAPE === 'tidy' ? 'tidy' : 'busy'

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}

/** Mixes of two to five filters, the same in every run. */
function randomViews(count: number): Record<string, View> {
  const filters = [
    ['status=new', 'status=open', 'status=in_progress', 'status=resolved', 'status=closed'],
    ['priority=none', 'priority=medium', 'priority=high', 'priority=urgent'],
    ['type=bug', 'type=idea', 'type=praise', 'type=other'],
    ['source=widget', 'source=api', 'source=link', 'source=import'],
    ['media=text', 'media=rating', 'media=screenshot', 'media=voice', 'media=screen'],
    ['rating=5', 'rating=4', 'rating=3', 'rating=2', 'rating=1'],
    ['tag=checkout', 'tag=mobile', 'tag=ios', 'tag=legal'],
    ['assignee=none', 'unread=true', `from=${daysAgo(120)}`, `to=${daysAgo(60)}`],
  ]
  let state = 7
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const views: Record<string, View> = {}
  while (Object.keys(views).length < count) {
    const left = [...filters]
    const chosen = Array.from({ length: 2 + next(4) }, () => left.splice(next(left.length), 1)[0] ?? [])
    const query = chosen.map((values) => values[next(values.length)]).join('&')
    views[`random: ${query.replaceAll(/T[\d:.]+Z/g, '')}`] = () => query
  }
  return views
}

/** One server and database per size: a small instance and a large one. */
const servers: BenchServer[] = []
try {
  const tenants: BenchTenant[] = []
  for (const size of sizes) {
    const server = await startBenchServer({}, `inbox-${shape}-${size}`)
    servers.push(server)
    const startedAt = performance.now()
    tenants.push(await makeTenant(server, (tenant) => fillInbox(server.sql, tenant, size, shape)))
    process.stderr.write(`${size} items written in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`)
  }
  const rows: string[][] = []
  for (const [name, view] of Object.entries(views)) rows.push(await measure(name, view, tenants))
  for (const name of ['', '?stage=open', '?location=archived'])
    rows.push(await measure(`counts${name}`, () => name, tenants, 'feedback/counts'))
  rows.push(
    await measure(
      'matches: open & high & a tag',
      () => `?${open}&priority=high&tag=mobile`,
      tenants,
      'feedback/matches',
    ),
    await measure('matches: open & unread', () => `?${open}&unread=true`, tenants, 'feedback/matches'),
    await measure('matches: search “invoice”', () => '?q=invoice', tenants, 'feedback/matches'),
    await measure('visitors', () => '', tenants, 'visitors'),
    await measure('visitors, most items first', () => '?sort=items', tenants, 'visitors'),
    await measure('visitors, unanswered first', () => '?sort=unanswered', tenants, 'visitors'),
    await measure('a visitor: profile', () => '?visitor=customer-78', tenants, 'visitors/profile'),
    await measure('a visitor: items', () => '?visitor=customer-78', tenants, 'visitors/feedback'),
    await measureSimilar(tenants),
  )
  process.stdout.write(
    `\nInbox, first page of 50, over HTTP as a member: p95 of ${requests} requests, both sizes in turns. ` +
      'Database: mean time that PostgreSQL itself counts for one request.\n\n',
  )
  printTable(
    [
      'p95 in ms',
      '10k items',
      '1000k items',
      'ratio',
      'database 10k',
      'database 1000k',
      `≤ ${target}, ≤ ${databaseTarget} ms`,
    ],
    rows,
  )
} finally {
  for (const server of servers) await server.stop()
}

/** Milliseconds until the complete page. */
async function readPage({ server, organizationId, token }: BenchTenant, path: string): Promise<number> {
  const startedAt = performance.now()
  const reply = await fetch(`${server.url}/api/v1/organizations/${organizationId}/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await reply.text()
  const ms = performance.now() - startedAt
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text}`)
  return ms
}

/** Similar items of an item, for ten items in turn. */
async function measureSimilar(tenants: readonly BenchTenant[]): Promise<string[]> {
  const ids = new Map<BenchTenant, string[]>()
  for (const tenant of tenants) {
    const { rows } = await tenant.server.sql.query<{ id: string }>(
      `select id from public.feedback where organization_id = $1 and location = 'inbox' and message <> ''
       order by created_at desc limit 10`,
      [tenant.organizationId],
    )
    ids.set(
      tenant,
      rows.map(({ id }) => id),
    )
  }
  let turn = 0
  const next: View = (tenant) => {
    const own = ids.get(tenant) ?? []
    turn += 1
    return `${own[Math.floor(turn / tenants.length) % own.length]}/similar`
  }
  return measure('similar items', next, tenants, 'feedback/')
}

/** Milliseconds that PostgreSQL spends on one page, planning included. */
async function readDatabaseTime(tenant: BenchTenant, path: string): Promise<number> {
  const { sql } = tenant.server
  await sql.query('select pg_stat_statements_reset()')
  for (let turn = 0; turn < timedRequests; turn += 1) await readPage(tenant, path)
  const { rows } = await sql.query<{ ms: number }>(
    `select sum(total_exec_time + total_plan_time) as ms from pg_stat_statements where toplevel and query not like '%pg_stat_statements%'`,
  )
  return (rows[0]?.ms ?? Number.NaN) / timedRequests
}

async function measure(
  name: string,
  view: View,
  tenants: readonly BenchTenant[],
  path = 'feedback?',
): Promise<string[]> {
  const times: number[][] = tenants.map(() => [])
  for (let turn = 0; turn < warmUpRequests + requests; turn += 1) {
    // In turns, so that other load on the machine affects both.
    for (const [index, tenant] of tenants.entries()) {
      const ms = await readPage(tenant, path + view(tenant))
      if (turn >= warmUpRequests) times[index]?.push(ms)
    }
  }
  const [small = Number.NaN, large = Number.NaN] = times.map((each) => percentile(each, 0.95))
  const databaseTimes: number[] = []
  for (const tenant of tenants) databaseTimes.push(await readDatabaseTime(tenant, path + view(tenant)))
  const isMet = large / small <= target && databaseTimes.every((ms) => ms <= databaseTarget)
  const row = [
    name,
    small.toFixed(1),
    large.toFixed(1),
    (large / small).toFixed(2),
    ...databaseTimes.map((ms) => ms.toFixed(1)),
    isMet ? 'met' : 'missed',
  ]
  process.stderr.write(`${row.join('  ')}\n`)
  return row
}
