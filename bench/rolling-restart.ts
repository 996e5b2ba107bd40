/*
 * Two processes behind a load balancer, restarted in turn under load: failed requests and lost submissions.
 * Run: npm run bench -- rolling-restart
 */
import { rollingRestart } from './faults/rolling-restart.ts'
import { printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 20)
const { restarts, answered, failed, lost, doubled, slowestStopMs } = await rollingRestart(rounds)
const failures = Object.entries(failed).map(([what, count]) => `${what}: ${count}`)
process.stdout.write('\nA rolling restart of two processes under load. Target: no failed request, nothing lost.\n\n')
printTable(
  ['restarts', 'answered', 'failed', 'lost', 'doubled', 'slowest stop s'],
  [
    [
      String(restarts),
      String(answered),
      failures.join(', ') || '0',
      String(lost),
      String(doubled),
      (slowestStopMs / 1000).toFixed(1),
    ],
  ],
)
