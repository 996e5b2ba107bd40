/*
 * Searches and lists of agents at `/mcp`, at 1,000,000 items of one organisation, beside the same searches by the
 * dashboard's API: response times over HTTP, both in turns. The difference is the protocol, quoting and schemas.
 * Run: npm run bench -- mcp
 */
import { createAppToken } from '#server/testing/builders.ts'
import { fillInbox } from './harness/fill-inbox.ts'
import { startBenchServer } from './harness/server.ts'
import { median, percentile, printTable } from './harness/table.ts'
import { type BenchTenant, makeTenant } from './harness/tenant.ts'

const items = Number(process.env.BENCH_ITEMS ?? 1_000_000)
const requests = Number(process.env.BENCH_REQUESTS ?? 100)
const warmUpRequests = 15
const targetMs = 100
const limit = 20
const revision = '2026-07-28'

interface Search {
  readonly tool: 'list_feedback' | 'search_feedback'
  readonly input: Readonly<Record<string, unknown>>
  /** The same for the dashboard's API. */
  readonly query: string
}

const searches: Readonly<Record<string, Search>> = {
  'list: the inbox': { tool: 'list_feedback', input: {}, query: '' },
  'list: new bugs': { tool: 'list_feedback', input: { status: ['new'], type: ['bug'] }, query: 'status=new&type=bug' },
  'search “invoice” (one in 50)': search('invoice'),
  'search “zebra” (one in 5,000)': search('zebra'),
  'search “invoice zebra”': search('invoice zebra'),
  'search “invo”, a beginning': search('invo'),
  'search “invioce”, mistyped': search('invioce'),
  'search “unheard” (absent)': search('unheard'),
}

function search(words: string): Search {
  return { tool: 'search_feedback', input: { query: words }, query: `q=${words.replace(' ', '+')}` }
}

const server = await startBenchServer({}, `inbox-busy-${items}`)
try {
  const tenant = await makeTenant(server, (made) => fillInbox(server.sql, made, items, 'busy'))
  const { organizationId, memberIds } = tenant
  const appToken = await createAppToken(server.sql, { organizationId, userId: memberIds[0] ?? '', scopes: ['read'] })
  const rows: string[][] = []
  for (const [name, each] of Object.entries(searches)) rows.push(await measure(name, each, tenant, appToken))
  process.stdout.write(
    `\n/mcp at ${items} items, pages of ${limit}, ${requests} requests each in turns with the dashboard’s API.\n\n`,
  )
  printTable(['ms', 'API p95', 'MCP p50', 'MCP p95', 'difference p50', `p95 ≤ ${targetMs}`], rows)
} finally {
  await server.stop()
}

async function measure(name: string, each: Search, tenant: BenchTenant, appToken: string): Promise<string[]> {
  const api: number[] = []
  const mcp: number[] = []
  for (let request = 0; request < warmUpRequests + requests; request += 1) {
    const durations = [await readApi(tenant, each), await callTool(tenant, each, appToken)] as const
    if (request < warmUpRequests) continue
    api.push(durations[0])
    mcp.push(durations[1])
  }
  const p95 = percentile(mcp, 0.95)
  const difference = median(mcp) - median(api)
  return [
    name,
    ...[percentile(api, 0.95), median(mcp), p95, difference].map((ms) => ms.toFixed(1)),
    p95 <= targetMs ? 'yes' : 'NO',
  ]
}

/** Milliseconds until the complete page. */
function readApi({ organizationId, token, server: { url } }: BenchTenant, { query }: Search): Promise<number> {
  const address = `${url}/api/v1/organizations/${organizationId}/feedback?limit=${limit}&${query}`
  return time(() => fetch(address, { headers: { authorization: `Bearer ${token}` } }))
}

/** Milliseconds until the complete answer, as a client of the stateless revision asks. */
function callTool({ server: { url } }: BenchTenant, { tool, input }: Search, appToken: string): Promise<number> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name: tool, arguments: { ...input, limit }, _meta: meta }
  return time(() =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${appToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        'mcp-method': 'tools/call',
        'mcp-name': tool,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    }),
  )
}

async function time(ask: () => Promise<Response>): Promise<number> {
  const startedAt = performance.now()
  const reply = await ask()
  const text = await reply.text()
  const ms = performance.now() - startedAt
  if (!reply.ok || text.includes('"isError":true')) throw new Error(`${reply.status} ${text.slice(0, 500)}`)
  return ms
}
