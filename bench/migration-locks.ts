/*
 * Submissions while a migration waits for the table of items, which another transaction holds: in short turns, and in the queue
 * as a migration would wait by itself. Run: npm run bench -- migration-locks; BENCH_SECONDS of each (default 20).
 */
import pg from 'pg'
import { applyInTransaction } from '#server/platform/database/apply-files.ts'
import { createProject, createUser } from '#server/testing/builders.ts'
import { runSenders } from './harness/run-senders.ts'
import { startBenchServer } from './harness/server.ts'
import { printTable } from './harness/table.ts'

const measureMs = Number(process.env.BENCH_SECONDS ?? 20) * 1000
const statement = 'alter table public.feedback add column bench_waits integer'
const server = await startBenchServer({}, 'migration-locks')
const holder = new pg.Client({ connectionString: server.databaseUrl })
const migrating = new pg.Client({ connectionString: server.databaseUrl })
try {
  await Promise.all([holder.connect(), migrating.connect()])
  const { organizationId = '' } = await createUser(server.sql)
  const { widgetKey, domain } = await createProject(server.sql, { organizationId })
  const send = () =>
    runSenders({
      port: server.port,
      widgetKey,
      origin: `https://${domain}`,
      connections: 64,
      perSecond: 100,
      warmUpMs: 2_000,
      measureMs,
    })
  const alone = await send()
  await holder.query('begin; select from public.feedback limit 1')
  const file = { name: '9999_bench.sql', sql: statement, checksum: '', transactional: true }
  const waiting = applyInTransaction(migrating, file, [], {
    appVersion: null,
    wait: { patienceMs: measureMs + 4_000 },
  }).catch(() => {})
  const inTurns = await send()
  await waiting
  // Half a turn is enough to see it: every submission waits for the end of the other transaction.
  const queued = migrating.query(`set lock_timeout = '5s'; ${statement}`).catch(() => {})
  const inQueue = await send()
  await queued
  await holder.query('rollback')
  process.stdout.write('\n100 submissions per second. Target: p95 at most twice that without a migration.\n\n')
  printTable(
    ['', 'accepted', 'p50 ms', 'p95 ms', 'p95 ratio'],
    [
      ['no migration', alone],
      ['a migration waits in short turns', inTurns],
      ['a migration waits for 5 s in the queue', inQueue],
    ].map(([name, found]) => {
      if (typeof name !== 'string' || found === undefined || typeof found === 'string') return []
      const { accepted, p50Ms, p95Ms } = found
      return [name, String(accepted), p50Ms.toFixed(1), p95Ms.toFixed(1), (p95Ms / alone.p95Ms).toFixed(2)]
    }),
  )
} finally {
  await holder.end()
  await migrating.end()
  await server.stop()
}
