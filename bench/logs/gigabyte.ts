import { setImmediate as giveWay } from 'node:timers/promises'
import { startLogWriter } from '#server/features/logs/log-writer.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createWaitingLines, type WaitingLines } from '#server/platform/log/waiting-lines.ts'
import { makeLogLine } from '../harness/log-lines.ts'
import { startBenchServer } from '../harness/server.ts'
import { printTable } from '../harness/table.ts'

const megabytes = Number(process.env.BENCH_MEGABYTES ?? 1_000)
/** The least that LOG_MAX_MB can be. */
const maxBytes = 50_000_000
const lineCharacters = 1_000
const linesInATurn = 20
/** Memory is bounded where four times as many lines need no more of it. */
const mostGrowth = 1.25
const silent = createLog({ level: 'silent' })

/** 1 GB of lines as fast as one process can write them, with the smallest limit of the stored log, beside the same lines that no one stores. */
export async function measureGigabyte(): Promise<void> {
  const { seconds: without } = await writeLines(createWaitingLines())
  const server = await startBenchServer({ SERVICES: 'web', LOG_DAYS: '0' })
  const database = openDatabase({ url: server.databaseUrl, log: silent, maxConnections: 1 })
  const waiting = createWaitingLines()
  const writer = startLogWriter({
    ...{ database, waiting, log: silent, process: 'bench:1', yielding: { run: (work) => work() } },
    limits: { days: 14, maxBytes },
  })
  try {
    const storing = await writeLines(waiting)
    while (waiting.count > 0) await writer.flush()
    await writer.stop()
    const { rows } = await server.sql.query<{ stored: number; dropped: number; bytes: number }>(
      `select count(*) filter (where message not like '% log lines were not stored%')::integer as stored,
         coalesce(sum((case when message like '% log lines were not stored%' then fields::jsonb ->> 'dropped' end)::bigint), 0)::integer as dropped,
         (select sum(bytes) from app.measure_log_parts())::float8 as bytes
       from app.app_logs`,
    )
    const [{ stored, dropped, bytes } = { stored: 0, dropped: 0, bytes: 0 }] = rows
    process.stdout.write(
      `\n${(storing.characters / 1e9).toFixed(2)} GB of lines, written within ${storing.seconds.toFixed(0)} s (${without.toFixed(0)} s where no one stores them): ` +
        `of ${storing.lines}, ${stored} were stored and ${dropped} dropped.\n\n`,
    )
    const growth = storing.peakBytes / storing.peakBytesOfQuarter
    const row = (what: string, figure: number, limit: number) => [
      what,
      figure.toFixed(0),
      String(limit),
      figure <= limit ? 'yes' : 'NO',
    ]
    printTable(
      ['what', 'figure', 'limit', 'met'],
      [
        row('lines neither stored nor counted as dropped', Math.abs(storing.lines - stored - dropped), 0),
        row('stored log, MB', bytes / 1e6, maxBytes / 1e6),
        [
          `memory at the end (${(storing.peakBytes / 1e6).toFixed(0)} MB), divided by that after a quarter`,
          growth.toFixed(2),
          String(mostGrowth),
          growth <= mostGrowth ? 'yes' : 'NO',
        ],
      ],
    )
  } finally {
    await database.close()
    await server.stop()
  }
}

interface Writing {
  readonly lines: number
  readonly characters: number
  readonly seconds: number
  readonly peakBytes: number
  readonly peakBytesOfQuarter: number
}

async function writeLines(waiting: WaitingLines): Promise<Writing> {
  const startedAtMs = performance.now()
  const written = { lines: 0, characters: 0, peakBytes: 0, peakBytesOfQuarter: 0 }
  while (written.characters < megabytes * 1e6) {
    for (let each = 0; each < linesInATurn; each++) {
      const line = makeLogLine(written.lines, 1_000_000, new Date(), lineCharacters)
      waiting.add(`${line}\n`)
      written.characters += line.length
      written.lines += 1
    }
    if (written.lines % 1_000 === 0) {
      written.peakBytes = Math.max(written.peakBytes, process.memoryUsage().rss)
      if (written.characters < megabytes * 0.25e6) written.peakBytesOfQuarter = written.peakBytes
    }
    await giveWay()
  }
  return { ...written, seconds: (performance.now() - startedAtMs) / 1_000 }
}
