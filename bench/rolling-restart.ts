/*
 * Processes behind a load balancer, restarted in turn under load: failed requests and lost submissions. First two processes
 * behind the tests' balancer, then two web and two worker processes behind HAProxy, on a Patroni cluster.
 * Run: npm run bench -- rolling-restart
 */
import { findMissingPrograms } from './failover/debian.ts'
import { rollTopology } from './failover/roll.ts'
import { type RollingRestartResult, rollingRestart } from './faults/rolling-restart.ts'
import { printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 20)
/** Part of a row's name, to try only one. */
const wanted = process.env.BENCH_ONLY ?? ''
const rows: string[][] = []

const alone = 'two processes'
if (alone.includes(wanted)) rows.push(toRow(alone, await rollingRestart(rounds)))

const many = 'two web and two worker processes, HAProxy, PgBouncer, Patroni'
if (many.includes(wanted)) {
  const missing = findMissingPrograms()
  if (missing.length > 0 && process.getuid?.() !== 0) rows.push([many, `not tried: ${missing.join(', ')} missing`])
  else {
    const { exits, ...result } = await rollTopology(Math.max(1, Math.round(rounds / 4)))
    rows.push(toRow(many, result))
    for (const exit of exits) process.stdout.write(`${exit}\n`)
  }
}

process.stdout.write('\nA rolling restart under load. Target: no failed request, nothing lost.\n\n')
printTable(['', 'restarts', 'answered', 'failed', 'lost', 'doubled', 'slowest stop s'], rows)

function toRow(name: string, result: RollingRestartResult): string[] {
  const failures = Object.entries(result.failed).map(([what, count]) => `${what}: ${count}`)
  return [
    name,
    String(result.restarts),
    String(result.answered),
    failures.join(', ') || '0',
    String(result.lost),
    String(result.doubled),
    (result.slowestStopMs / 1000).toFixed(1),
  ]
}
