/*
 * Public pages under a flood: pages answered per second, each request with a query of its own, beside the same page
 * rendered for each request, and the inbox of a member meanwhile. Run: npm run bench -- pages
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { fillInbox } from './harness/fill-inbox.ts'
import { readUsage } from './harness/processes.ts'
import { readInbox } from './harness/read-inbox.ts'
import { startBenchServer } from './harness/server.ts'
import { median, percentile, printTable } from './harness/table.ts'
import { type BenchTenant, makeTenant } from './harness/tenant.ts'
import type { GetResult, GetTask } from './send-gets.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const warmUpMs = Number(process.env.BENCH_WARM_UP_MS ?? 2_000)
const measureMs = Number(process.env.BENCH_MEASURE_MS ?? 5_000)
const items = Number(process.env.BENCH_ITEMS ?? 20_000)
const connections = 64
const inboxPerSecond = 5
const target = 5_000
const paths = ['/', '/login', '/no/such/page']

interface Measured {
  readonly perSecond: number
  /** Answers with another status than the page's. */
  readonly other: number
  readonly serverCores: number
  readonly readersCores: number
  readonly inboxMs: number
}

const server = await startBenchServer()
try {
  const tenant = await makeTenant(server, (empty) => fillInbox(server.sql, empty, items))
  const rows: string[][] = []
  for (const path of paths) {
    const results: Measured[] = []
    const rendered: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      results.push(await measure(tenant, path))
      rendered.push(await renderEachTime(path))
    }
    const middle = (pick: (each: Measured) => number) => median(results.map(pick))
    const perCore = middle((each) => each.perSecond / each.serverCores)
    rows.push([
      path,
      middle((each) => each.perSecond).toFixed(0),
      middle((each) => each.serverCores).toFixed(2),
      perCore.toFixed(0),
      `≥ ${target}`,
      median(rendered).toFixed(0),
      (perCore / median(rendered)).toFixed(0),
      middle((each) => each.inboxMs).toFixed(0),
      middle((each) => each.readersCores).toFixed(2),
      String(results.reduce((sum, each) => sum + each.other, 0)),
    ])
  }
  process.stdout.write(
    `\nPages, ${connections} connections, each request with another query; median of ${rounds} rounds of ${measureMs / 1000} s. ` +
      'Per core: by the processor time of the server. Rendered: the same page rendered each time in a process that does ' +
      'nothing else, by its processor time.\n\n',
  )
  printTable(
    [
      'page',
      'pages/s',
      'server’s cores',
      'per core',
      'target',
      'rendered per core',
      'ratio',
      'inbox p95 ms',
      'readers’ cores',
      'other answers',
    ],
    rows,
  )
} finally {
  await server.stop()
}

async function measure(tenant: BenchTenant, path: string): Promise<Measured> {
  const reading = readInbox(tenant, { perSecond: inboxPerSecond, warmUpMs })
  const task: GetTask = { host: '127.0.0.1', port: server.port, path, connections, warmUpMs, measureMs }
  const script = join(import.meta.dirname, 'send-gets.ts')
  const running = promisify(execFile)(process.execPath, [script, JSON.stringify(task)])
  await new Promise((resolve) => setTimeout(resolve, warmUpMs))
  const before = readUsage(server.pid)
  const startedAt = performance.now()
  await new Promise((resolve) => setTimeout(resolve, measureMs))
  const serverCores = (readUsage(server.pid).cpuSeconds - before.cpuSeconds) / ((performance.now() - startedAt) / 1000)
  const { answers, seconds, cpuSeconds } = JSON.parse((await running).stdout) as GetResult
  const { durationsMs } = await reading.stop()
  const expected = path.startsWith('/no/') ? '404' : '200'
  const all = Object.values(answers).reduce((sum, count) => sum + count, 0)
  return {
    perSecond: (answers[expected] ?? 0) / seconds,
    other: all - (answers[expected] ?? 0),
    serverCores,
    readersCores: cpuSeconds / seconds,
    inboxMs: percentile(durationsMs, 0.95),
  }
}

/** @returns pages for each second of processor time. */
async function renderEachTime(path: string): Promise<number> {
  const file = join(import.meta.dirname, '..', 'build/web/server/index.js')
  // React Router's build of this repository; its entry exports more than the type says.
  const build = (await import(pathToFileURL(file).href)) as ServerBuild & {
    entry: { module: { setPageContext(context: RouterContextProvider, page: object): void } }
  }
  const publicConfig = { appUrl: server.url, supabaseUrl: server.url, supabaseAnonKey: 'public' }
  const handle = createRequestHandler(build, 'production')
  const render = async () => {
    const context = new RouterContextProvider()
    build.entry.module.setPageContext(context, { scriptNonce: 'script', styleNonce: 'style', publicConfig })
    await (await handle(new Request(server.url + path), context)).arrayBuffer()
  }
  for (let turn = 0; turn < 50; turn += 1) await render()
  const turns = 200
  const before = process.cpuUsage()
  for (let turn = 0; turn < turns; turn += 1) await render()
  const { user, system } = process.cpuUsage(before)
  return turns / ((user + system) / 1e6)
}
