/*
 * A bulk change of 10,000 items and its undo, over HTTP as a member, while visitors keep sending: its duration, and the
 * latency of submissions during and before it. Run: npm run bench -- bulk
 */
import { setTimeout as pause } from 'node:timers/promises'
import { v7 as uuidV7 } from 'uuid'
import type { BulkOperation } from '#contract/bulk.ts'
import { createProject } from '#server/testing/builders.ts'
import { fillInbox } from './harness/fill-inbox.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { makeSubmission, messageEnd, variants } from './harness/submissions.ts'
import { median, percentile, printTable } from './harness/table.ts'
import { type BenchTenant, makeTenant } from './harness/tenant.ts'

const items = 10_000
const otherItems = Number(process.env.BENCH_ITEMS ?? 100_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const submissionsPerSecond = 100
const quietMs = 5_000
const targetSeconds = 5

const changes: Readonly<Record<string, Record<string, unknown>>> = {
  status: { status: 'in_progress' },
  'priority and tags': { priority: 'high', addTags: ['checkout', 'release 7'] },
  archive: { archived: true },
}

const server = await startBenchServer()
try {
  const scene = await makeScene(server)
  const rows: string[][] = []
  for (const [name, change] of Object.entries(changes)) {
    const done: Measured[] = []
    const undone: Measured[] = []
    for (let round = 0; round < rounds; round += 1) {
      const id = uuidV7()
      const selection = { projectId: [scene.projectId] }
      done.push(await measure(scene, id, () => post(scene, 'feedback/bulk', { id, selection, change })))
      undone.push(await measure(scene, id, () => post(scene, `feedback/bulk/${id}/undo`)))
    }
    rows.push(toRow(name, done), toRow(`${name}, undone`, undone))
  }
  process.stdout.write(
    `\n${items} items of ${items + otherItems} changed at once, beside ${submissionsPerSecond} submissions per second; ` +
      `median of ${rounds} rounds.\n\n`,
  )
  printTable(['change', 'seconds', 'target', 'ingest p95 before', 'during', 'ratio', 'slowest', 'not 201'], rows)
} finally {
  await server.stop()
}

interface Scene extends BenchTenant {
  readonly projectId: string
  readonly widgetKey: string
  readonly origin: string
}

interface Measured {
  readonly seconds: number
  readonly beforeMs: number
  readonly duringMs: number
  readonly slowestMs: number
  readonly refused: number
}

function toRow(name: string, all: readonly Measured[]): string[] {
  const middle = (pick: (each: Measured) => number) => median(all.map(pick))
  return [
    name,
    middle((each) => each.seconds).toFixed(2),
    `≤ ${targetSeconds}`,
    `${middle((each) => each.beforeMs).toFixed(1)} ms`,
    `${middle((each) => each.duringMs).toFixed(1)} ms`,
    middle((each) => each.duringMs / each.beforeMs).toFixed(2),
    `${Math.max(...all.map((each) => each.slowestMs)).toFixed(0)} ms`,
    String(all.reduce((sum, each) => sum + each.refused, 0)),
  ]
}

/** All other items, a project whose items are changed, and one that visitors keep sending to. */
async function makeScene(server: BenchServer): Promise<Scene> {
  const { sql } = server
  const tenant = await makeTenant(server, (empty) => fillInbox(sql, empty, otherItems))
  const { organizationId } = tenant
  const project = await createProject(sql, { organizationId })
  await sql.query(
    `insert into public.feedback (organization_id, id, project_id, number, type, source, message, page_url, content_hash, created_at)
     select f.organization_id, gen_random_uuid(), $2, row_number() over (), f.type, f.source, f.message, f.page_url,
       f.content_hash, f.created_at
     from public.feedback f where f.organization_id = $1 limit $3`,
    [organizationId, project.id, items],
  )
  await sql.query('vacuum analyze public.feedback')
  const busy = await createProject(sql, { organizationId })
  return { ...tenant, projectId: project.id, widgetKey: busy.widgetKey, origin: `https://${busy.domain}` }
}

async function measure(scene: Scene, id: string, start: () => Promise<BulkOperation>): Promise<Measured> {
  await server.sql.query('checkpoint')
  const senders = startSending(scene)
  await pause(1_000)
  senders.take()
  await pause(quietMs)
  const before = senders.take()
  const startedAt = performance.now()
  let operation = await start()
  while (operation.state === 'running' || operation.state === 'undoing') {
    await pause(50)
    operation = await get(scene, id)
  }
  const seconds = (performance.now() - startedAt) / 1000
  const during = senders.take()
  await senders.stop()
  const count = operation.state === 'undone' ? operation.processed - operation.kept : operation.changed
  if (count !== items) throw new Error(`changed ${count} of ${items} items: ${JSON.stringify(operation)}`)
  return {
    seconds,
    beforeMs: percentile(before.durationsMs, 0.95),
    duringMs: percentile(during.durationsMs, 0.95),
    slowestMs: Math.max(...during.durationsMs),
    refused: before.refused + during.refused,
  }
}

/** Sends at an even pace without waiting for responses, so that a stalled server shows. */
function startSending({ widgetKey, origin }: Scene) {
  let durationsMs: number[] = []
  let refused = 0
  let sent = 0
  const pending = new Set<Promise<void>>()
  const timer = setInterval(() => {
    sent += 1
    const submission = makeSubmission(sent % variants)
    const end = performance.now().toString(2).replaceAll('0', '.').replaceAll('1', '!')
    const message = submission.message.slice(0, -messageEnd.length) + end
    const one = send({ ...submission, message })
    pending.add(one)
    void one.finally(() => pending.delete(one))
  }, 1000 / submissionsPerSecond)

  async function send(submission: object): Promise<void> {
    const startedAt = performance.now()
    const reply = await fetch(`${server.url}/e/${widgetKey}/submissions`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ id: uuidV7(), ...submission }),
    })
    await reply.arrayBuffer()
    if (reply.status === 201) durationsMs.push(performance.now() - startedAt)
    else refused += 1
  }

  return {
    /** The responses since the last call. */
    take: () => {
      const taken = { durationsMs, refused }
      durationsMs = []
      refused = 0
      return taken
    },
    stop: async () => {
      clearInterval(timer)
      await Promise.all(pending)
    },
  }
}

async function post(scene: Scene, path: string, body?: object): Promise<BulkOperation> {
  return read(await ask(scene, path, { method: 'POST', ...(body && { body: JSON.stringify(body) }) }))
}

async function get(scene: Scene, id: string): Promise<BulkOperation> {
  return read(await ask(scene, `feedback/bulk/${id}`, {}))
}

function ask({ organizationId, token }: Scene, path: string, init: RequestInit): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...(init.body && { 'content-type': 'application/json' }) }
  return fetch(`${server.url}/api/v1/organizations/${organizationId}/${path}`, { ...init, headers })
}

async function read(reply: Response): Promise<BulkOperation> {
  if (!reply.ok) throw new Error(`${reply.url}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as BulkOperation
}
