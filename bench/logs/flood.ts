import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createUser } from '#server/testing/builders.ts'
import { signIn } from '../harness/owner.ts'
import { type BenchServer, startBenchServer } from '../harness/server.ts'
import { median, printTable } from '../harness/table.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const rounds = 3

/** At LOG_LEVEL=debug each call of the API writes some lines: more than can be stored. */
export async function measureFlood(): Promise<void> {
  const settings = { SERVICES: 'web', LOG_LEVEL: 'debug' }
  const kinds = { without: { ...settings, LOG_DAYS: '0' }, storing: settings } as const
  const rates: Record<keyof typeof kinds, number[]> = { without: [], storing: [] }
  const memory: Record<keyof typeof kinds, number[]> = { without: [], storing: [] }
  let flood = ''
  for (let round = 0; round < rounds; round++) {
    for (const [kind, env] of Object.entries(kinds) as [keyof typeof kinds, Record<string, string>][]) {
      const server = await startBenchServer(env)
      try {
        const token = await signIn(server, (await createUser(server.sql)).email)
        await sendCalls(server, token, 2)
        const before = await readStored(server)
        rates[kind].push(await sendCalls(server, token, seconds))
        memory[kind].push(readPeakMemory(server.pid))
        if (kind === 'storing') {
          await pause(2_000)
          const stored = (await readStored(server)) - before
          flood = `${(stored / seconds).toFixed(0)} lines a second were stored`
        }
      } finally {
        await server.stop()
      }
    }
  }
  const [without, storing] = [median(rates.without), median(rates.storing)]
  process.stdout.write(
    `\nA flood of lines (LOG_LEVEL=debug, 16 callers, ${seconds} s, ${rounds} rounds); ${flood}.\n\n`,
  )
  printTable(
    ['server', 'calls a second', 'ratio', 'peak memory MB'],
    [
      ['stores no lines', without.toFixed(0), '1', (median(memory.without) / 1e6).toFixed(0)],
      ['stores lines', storing.toFixed(0), (storing / without).toFixed(2), (median(memory.storing) / 1e6).toFixed(0)],
    ],
  )
}

async function sendCalls({ url }: BenchServer, token: string, forSeconds: number): Promise<number> {
  const until = performance.now() + forSeconds * 1000
  let count = 0
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (performance.now() < until) {
        const reply = await fetch(`${url}/api/v1/superadmin/users?limit=1`, {
          headers: { authorization: `Bearer ${token}` },
        })
        await reply.arrayBuffer()
        if (!reply.ok) throw new Error(`the call answered ${reply.status}`)
        count += 1
      }
    }),
  )
  return count / forSeconds
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
