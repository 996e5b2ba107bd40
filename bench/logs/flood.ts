import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createUser } from '#server/testing/builders.ts'
import { signIn } from '../harness/owner.ts'
import { type BenchServer, startBenchServer } from '../harness/server.ts'
import { median, percentile, printTable } from '../harness/table.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const rounds = 3
/** Waiting lines are stored within this time after the flood. */
const drainSeconds = 30

const callers = 16
const mostRatio = 1.2
const mostMegabytes = 50

interface Round {
  readonly callsASecond: number
  readonly p95: number
  readonly peakBytes: number
  readonly stored: number
  readonly dropped: number
}

const settings = { SERVICES: 'web', LOG_LEVEL: 'debug' }
const kinds = { without: { ...settings, LOG_DAYS: '0' }, storing: settings } as const

/** At LOG_LEVEL=debug each call of the API writes some lines: more than can be stored. */
export async function measureFlood(): Promise<void> {
  const measured: Record<keyof typeof kinds, Round[]> = { without: [], storing: [] }
  for (let round = 0; round < rounds; round++) {
    measured.without.push(await measureRound(kinds.without))
    measured.storing.push(await measureRound(kinds.storing))
  }
  const middle = (kind: keyof typeof kinds, figure: keyof Round) => median(measured[kind].map((each) => each[figure]))
  const [without, storing] = [middle('without', 'p95'), middle('storing', 'p95')]
  const grownMb = (middle('storing', 'peakBytes') - middle('without', 'peakBytes')) / 1e6
  process.stdout.write(
    `\nA flood of lines (LOG_LEVEL=debug, ${callers} callers, ${seconds} s, median of ${rounds} rounds): ` +
      `${(middle('storing', 'stored') / seconds).toFixed(0)} lines a second were stored, ${(middle('storing', 'dropped') / seconds).toFixed(0)} dropped and counted.\n\n`,
  )
  const row = (what: string, kind: keyof typeof kinds) => [
    what,
    middle(kind, 'callsASecond').toFixed(0),
    middle(kind, 'p95').toFixed(1),
    (middle(kind, 'peakBytes') / 1e6).toFixed(0),
  ]
  printTable(
    ['server', 'calls a second', 'p95 ms', 'peak memory MB'],
    [row('stores no lines', 'without'), row('stores lines', 'storing')],
  )
  process.stdout.write('\n')
  printTable(
    ['what', 'figure', 'limit', 'met'],
    [
      [
        'p95 with storing, divided by without',
        (storing / without).toFixed(2),
        String(mostRatio),
        storing / without <= mostRatio ? 'yes' : 'NO',
      ],
      [
        'memory more than without, MB',
        grownMb.toFixed(0),
        String(mostMegabytes),
        grownMb <= mostMegabytes ? 'yes' : 'NO',
      ],
    ],
  )
}

async function measureRound(env: Readonly<Record<string, string>>): Promise<Round> {
  const server = await startBenchServer(env)
  try {
    const token = await signIn(server, (await createUser(server.sql)).email)
    await sendCalls(server, token, 2)
    const before = await readStored(server)
    const durations = await sendCalls(server, token, seconds)
    const stored = (await readStored(server)) - before
    const peakBytes = readPeakMemory(server.pid)
    // The line that counts them waits like any other, behind up to 10,000 lines.
    if (env.LOG_DAYS !== '0') await pause(drainSeconds * 1_000)
    return {
      callsASecond: durations.length / seconds,
      p95: percentile(durations, 0.95),
      ...{ peakBytes, stored, dropped: await readDropped(server) },
    }
  } finally {
    await server.stop()
  }
}

/** @returns how long each call took, in milliseconds. */
async function sendCalls({ url }: BenchServer, token: string, forSeconds: number): Promise<number[]> {
  const until = performance.now() + forSeconds * 1000
  const durations: number[] = []
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) {
        const startedAtMs = performance.now()
        const reply = await fetch(`${url}/api/v1/superadmin/users?limit=1`, {
          headers: { authorization: `Bearer ${token}` },
        })
        await reply.arrayBuffer()
        if (!reply.ok) throw new Error(`the call answered ${reply.status}`)
        durations.push(performance.now() - startedAtMs)
      }
    }),
  )
  return durations
}

/** By the stored lines that say so. */
async function readDropped({ sql }: BenchServer): Promise<number> {
  const { rows } = await sql.query<{ n: string }>(
    "select coalesce(sum((fields::jsonb ->> 'dropped')::bigint), 0) as n from app.app_logs where message like '% log lines were not stored%'",
  )
  return Number(rows[0]?.n ?? 0)
}

async function readStored({ sql }: BenchServer): Promise<number> {
  const { rows } = await sql.query<{ n: string }>('select count(*) as n from app.app_logs')
  return Number(rows[0]?.n ?? 0)
}

/** Of the process and its children: the largest. */
function readPeakMemory(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const peaks = [String(pid), ...children].map((each) => {
    const status = readFileSync(`/proc/${each}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
  })
  return Math.max(...peaks)
}
