import { createWriteStream, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { readLine, type StoredLine } from '#server/features/logs/read-line.ts'
import { storeLines } from '#server/features/logs/writer.queries.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'
import { createLog } from '#server/platform/log/log.ts'
import { makeLogLine } from '../harness/log-lines.ts'
import type { BenchServer } from '../harness/server.ts'

export const linesADay = Number(process.env.BENCH_LINES ?? 1_000_000)
export const days = Number(process.env.BENCH_DAYS ?? 1)
export const lineCharacters = Number(process.env.BENCH_LINE_CHARACTERS ?? 1_000)
const dayMs = 86_400_000
const silent = createLog({ level: 'silent' })

interface FilledLog {
  /** JSON Lines of the last day. */
  readonly file: string
  /** The last day. */
  readonly from: Date
  readonly to: Date
  /** Of one line in the middle of it. */
  readonly requestId: string
  /** What storing cost; undefined for lines of an earlier run. */
  readonly perLine: string | undefined
}

/** Lines of whole days up to the last midnight, oldest first, through the writer's own steps; kept ones are used again. */
export async function fillLog(server: BenchServer): Promise<FilledLog> {
  const file = join(server.dataDir, 'lines.ndjson')
  const perLine = existsSync(file) ? undefined : await storeDays(server, file)
  const { rows } = await server.sql.query<{ at: Date; requestId: string }>(
    `select at, request_id as "requestId" from app.app_logs where process = 'bench:1'
       and id >= (select percentile_disc(0.5) within group (order by block) * 8192::bigint from app.log_blocks)
     order by id limit 1`,
  )
  const [middle] = rows
  if (!middle) throw new Error('there are no lines')
  const from = new Date(Math.floor(middle.at.getTime() / dayMs) * dayMs)
  return { file, from, to: new Date(from.getTime() + dayMs), requestId: middle.requestId, perLine }
}

async function storeDays(server: BenchServer, file: string): Promise<string> {
  const database = openDatabase({ url: server.databaseUrl, log: silent, maxConnections: 1 })
  const output = createWriteStream(`${file}.part`)
  const firstMs = Math.floor(Date.now() / dayMs) * dayMs - days * dayMs
  const known = new Set<string>()
  let ownMs = 0
  let storeMs = 0
  for (let n = 0; n < days * linesADay; n += 500) {
    const lines: StoredLine[] = []
    const startedAtMs = performance.now()
    for (let index = n; index < n + 500; index++) {
      const atMs = firstMs + (index / linesADay) * dayMs
      const text = makeLogLine(index % linesADay, linesADay, new Date(atMs), lineCharacters)
      if (index >= (days - 1) * linesADay) output.write(`${text}\n`)
      lines.push(readLine(text, `bench:${index % 3}`, atMs))
    }
    const words = [...new Set(lines.flatMap((line) => line.words))].filter((word) => !known.has(word))
    for (const word of words) known.add(word)
    const readAtMs = performance.now()
    await database.asSystem('a benchmark', async (tx) => {
      await skipFlush(tx)
      await storeLines(tx, 'bench:1', lines, words)
    })
    ownMs += readAtMs - startedAtMs
    storeMs += performance.now() - readAtMs
    if (output.writableNeedDrain) await new Promise<void>((resolve) => output.once('drain', resolve))
  }
  await new Promise<void>((resolve) => output.end(resolve))
  await database.close()
  const count = days * linesADay
  await server.sql.query('vacuum analyze app.app_logs, app.log_blocks, app.log_words')
  renameSync(`${file}.part`, file)
  return `A line: ${((ownMs * 1000) / count).toFixed(0)} µs to make and read it, ${((storeMs * 1000) / count).toFixed(0)} µs to store it.`
}
