/*
 * Every screen of the dashboard in an organisation of 1,000 members and 500 projects, beside one of 3 and 2, with as
 * many items: the reads that Chromium makes when it opens the screen, made again over HTTP as its owner, all of a screen
 * at once, both organisations in turns. Run: npm run bench -- organization
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FilledOrganization, fillOrganization, type OrganizationSize } from './harness/fill-organization.ts'
import { recordReads, type ScreenRead, screens } from './harness/screens.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { percentile, printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_REQUESTS ?? 60)
const items = Number(process.env.BENCH_ITEMS ?? 10_000)
const warmUpRounds = 10
const target = 1.5

const sizes: readonly OrganizationSize[] = [
  { members: 3, projects: 2, keysPerProject: 2, invitations: 2, auditEntries: 100, notifications: 20, exceptions: 1 },
  {
    members: 1000,
    projects: 500,
    keysPerProject: 3,
    invitations: 500,
    auditEntries: 50_000,
    notifications: 500,
    exceptions: 20,
  },
]

/** An organisation, and what each screen reads. */
interface Tenant extends FilledOrganization {
  readonly server: BenchServer
  readonly reads: Readonly<Record<string, readonly ScreenRead[]>>
}

const tenants: Tenant[] = []
const servers: BenchServer[] = []
try {
  for (const size of sizes) {
    const server = await startBenchServer({}, `organization-${size.members}-${items}`)
    servers.push(server)
    const startedAt = performance.now()
    const filled = await findOrganization(server, () => fillOrganization(server, size, items))
    const addresses = Object.fromEntries(Object.entries(screens).map(([name, path]) => [name, fillIn(path, filled)]))
    const reads = await recordReads(server.url, filled.owner, addresses)
    tenants.push({ ...filled, server, reads })
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
    process.stderr.write(`${size.members} members, ${size.projects} projects: written and opened in ${seconds} s\n`)
  }
  const rows: string[][] = []
  for (const name of Object.keys(screens)) rows.push(await measure(name))
  process.stdout.write(
    `\nAll reads of a screen at once, over HTTP as the owner: ${rounds} times, both organisations in turns. ` +
      'Slowest: the read that takes the most time in the large organisation, by its median.\n\n',
  )
  printTable(
    [
      'ms',
      'reads',
      '3 members: p50',
      'p95',
      '1,000 members: p50',
      'p95',
      'kB',
      'ratio of p95',
      `≤ ${target}`,
      'slowest',
    ],
    rows,
  )
} finally {
  for (const server of servers) await server.stop()
}

/** Creates an organisation, or finds the one in a kept folder. */
async function findOrganization(
  { dataDir }: BenchServer,
  create: () => Promise<FilledOrganization>,
): Promise<FilledOrganization> {
  const notePath = join(dataDir, 'organization.json')
  if (existsSync(notePath)) return JSON.parse(readFileSync(notePath, 'utf8')) as FilledOrganization
  const created = await create()
  writeFileSync(notePath, JSON.stringify(created))
  return created
}

function fillIn(path: string, { projectId, itemId, visitor }: FilledOrganization): string {
  return path
    .replace('{project}', projectId)
    .replace('{item}', itemId)
    .replace('{visitor}', encodeURIComponent(visitor))
}

async function measure(name: string): Promise<string[]> {
  const times: number[][] = tenants.map(() => [])
  const readTimes = new Map<string, number[]>()
  let bytes = 0
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    // In turns, so that other load on the machine affects both.
    for (const [index, tenant] of tenants.entries()) {
      const startedAt = performance.now()
      const answers = await Promise.all((tenant.reads[name] ?? []).map((read) => makeRead(tenant, read)))
      if (round < warmUpRounds) continue
      times[index]?.push(performance.now() - startedAt)
      if (index === 0) continue
      bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0)
      for (const { path, ms } of answers) readTimes.set(path, [...(readTimes.get(path) ?? []), ms])
    }
  }
  const [small = [], large = []] = times
  const ratio = percentile(large, 0.95) / percentile(small, 0.95)
  const slowest = [...readTimes]
    .map(([path, each]) => ({ path, ms: percentile(each, 0.5) }))
    .sort((a, b) => b.ms - a.ms)
  const row = [
    name,
    String(tenants.at(-1)?.reads[name]?.length ?? 0),
    ...[small, large].flatMap((each) => [percentile(each, 0.5).toFixed(1), percentile(each, 0.95).toFixed(1)]),
    (bytes / 1000).toFixed(0),
    ratio.toFixed(2),
    ratio <= target ? 'met' : 'missed',
    slowest[0] ? `${shorten(slowest[0].path)} ${slowest[0].ms.toFixed(1)}` : '',
  ]
  process.stderr.write(`${row.join('  ')}\n`)
  return row
}

/** Milliseconds until the complete answer, and its length before it is compressed. */
async function makeRead(
  { server }: Tenant,
  { method, path, headers, body }: ScreenRead,
): Promise<{ path: string; ms: number; bytes: number }> {
  const startedAt = performance.now()
  const reply = await fetch(server.url + path, { method, headers, ...(body !== undefined && { body }) })
  const { byteLength: bytes } = await reply.arrayBuffer()
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status}`)
  return { path, ms: performance.now() - startedAt, bytes }
}

/** The path without the organisation. */
function shorten(path: string): string {
  return path.replace(/^\/api\/v1\/organizations\/[^/?]+/, '').slice(0, 40)
}
