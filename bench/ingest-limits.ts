/*
 * What limits of plans cost visitors: submissions accepted per second at full load, of an organisation without limits, on a plan
 * far from its limit, and over it (items are stored and locked), in turns. Run: npm run bench -- ingest-limits
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createProject, createUser } from '#server/testing/builders.ts'
import { runSenders } from './harness/run-senders.ts'
import { startBenchServer } from './harness/server.ts'
import { median, printTable } from './harness/table.ts'
import type { SendResult } from './send-submissions.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const warmUpMs = Number(process.env.BENCH_WARM_UP_MS ?? 3_000)
const measureMs = Number(process.env.BENCH_MEASURE_MS ?? 10_000)
const connectionCounts = [64, 256]
const target = 0.98

/** Largest number of items a month, by name. Undefined: no plan, as on a self-hosted instance. */
const standings = { none: undefined, far: 2_000_000_000, over: 1 } as const
type Standing = keyof typeof standings

const server = await startBenchServer()
try {
  const { organizationId } = await createUser(server.sql)
  if (organizationId === undefined) throw new Error('sign-up created no organisation')
  const { widgetKey, domain } = await createProject(server.sql, { organizationId, domain: 'shop.example.com' })
  const { rows: plans } = await server.sql.query<{ id: string }>(
    'select id from plans where max_items_per_month is not null order by position limit 1',
  )
  const planId = plans[0]?.id
  if (planId === undefined) throw new Error('no plan has a limit')

  const subscribe = async (standing: Standing) => {
    const max = standings[standing]
    if (max !== undefined)
      await server.sql.query('update plans set max_items_per_month = $2 where id = $1', [planId, max])
    const [status, plan] = max === undefined ? ['self_hosted', null] : ['active', planId]
    await server.sql.query('select app.set_subscription($1, $2, $3, null)', [organizationId, status, plan])
  }
  /** The same start for every measurement. */
  const empty = async () => {
    await server.sql.query('truncate public.feedback, public.item_months, app.locked_feedback cascade')
    await server.sql.query('update public.project_counters set last_number = 0, feedback_count = 0')
    await server.sql.query('vacuum analyze public.project_counters')
    await server.sql.query('checkpoint')
    await pause(1_000)
  }
  const countLocked = async () => {
    const { rows } = await server.sql.query<{ count: string }>('select count(*) from feedback where locked')
    return Number(rows[0]?.count)
  }

  const rows: string[][] = []
  for (const connections of connectionCounts) {
    const results = new Map<Standing, SendResult[]>()
    const locked = new Map<Standing, number>()
    for (let round = 0; round < rounds; round += 1) {
      for (const standing of ['none', 'far', 'over'] as const) {
        await empty()
        await subscribe(standing)
        const origin = `https://${domain}`
        const sent = await runSenders({ port: server.port, widgetKey, origin, connections, warmUpMs, measureMs })
        results.set(standing, [...(results.get(standing) ?? []), sent])
        locked.set(standing, await countLocked())
      }
    }
    const perSecond = (standing: Standing) =>
      median((results.get(standing) ?? []).map(({ accepted, seconds }) => accepted / seconds))
    for (const standing of ['none', 'far', 'over'] as const) {
      rows.push([
        String(connections),
        standing,
        perSecond(standing).toFixed(0),
        (perSecond(standing) / perSecond('none')).toFixed(3),
        standing === 'none' ? '' : `≥ ${target}`,
        median((results.get(standing) ?? []).map(({ p99Ms }) => p99Ms)).toFixed(1),
        String(locked.get(standing)),
      ])
    }
  }
  process.stdout.write(`\nMedians of ${rounds} rounds of ${measureMs / 1000} s each, in turns.\n\n`)
  printTable(['connections', 'limit', 'accepted/s', 'ratio', 'target', 'p99 ms', 'locked in the last'], rows)
} finally {
  await server.stop()
}
