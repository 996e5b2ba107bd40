import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createWaitingLines, type WaitingLines } from '#server/platform/log/waiting-lines.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { type LogWriter, startLogWriter } from './log-writer.ts'
import { searchLogs } from './search-logs.ts'

/* A database that is away and comes back. */

let urls: Awaited<ReturnType<typeof createTestDatabase>>
let database: Database
let isAway = false
let warnings: string[] = []

beforeAll(async () => {
  urls = await createTestDatabase()
  database = openDatabase({ url: urls.appUrl, log: createLog({ level: 'silent' }), maxConnections: 2 })
})
afterAll(async () => {
  await database?.close()
  await urls?.drop()
})
beforeEach(() => {
  isAway = false
  warnings = []
})

function start(waiting: WaitingLines): LogWriter {
  const asSystem: Database['asSystem'] = async (reason, work) => {
    if (isAway) throw new Error('connect ECONNREFUSED')
    return database.asSystem(reason, work)
  }
  return startLogWriter({
    ...{ database: { asSystem }, waiting, yielding: { run: (work) => work() }, process: 'host:1' },
    log: createLog({ level: 'info', destination: { write: (line) => warnings.push(line) } }),
    limits: { days: 14, maxBytes: 1e9 },
  })
}

const add = (waiting: WaitingLines, level: string, msg: string, field = '') =>
  waiting.add(`${JSON.stringify({ level, field, msg })}\n`)
/** Messages of all matching lines, oldest first. A slow search answers with a part of them, and continues from there. */
async function find(search: string): Promise<string[]> {
  const messages: string[] = []
  let before: string | undefined
  do {
    const page = await searchLogs(database, { search, limit: 500, ...(before !== undefined && { before }) })
    messages.push(...page.items.map(({ message }) => message))
    before = page.olderThan ?? undefined
  } while (before !== undefined)
  return messages.reverse()
}

describe('the writer of log lines', () => {
  it('keeps lines while the database is away, stores each once afterwards, and logs nothing of its own', async () => {
    const waiting = createWaitingLines()
    const writer = start(waiting)
    isAway = true
    for (let n = 0; n < 300; n++) add(waiting, 'info', `outage ${n}`)
    await writer.flush()
    expect(await find('outage')).toEqual([])
    expect(waiting.count).toBe(300)
    isAway = false
    await expect
      .poll(() => find('outage'), { timeout: 15_000 })
      .toEqual(Array.from({ length: 300 }, (_, n) => `outage ${n}`))
    expect(warnings).toEqual([])
    await writer.stop()
  })

  it('stores how many lines were dropped, and keeps the more important ones', async () => {
    const waiting = createWaitingLines()
    const writer = start(waiting)
    isAway = true
    const field = 'x'.repeat(25_000)
    add(waiting, 'error', 'flooded first')
    for (let n = 0; n < 400; n++) add(waiting, 'info', `flooded ${n}`, field)
    const kept = waiting.count
    expect(kept).toBeLessThan(330)
    isAway = false
    await expect.poll(async () => (await find('flooded')).length, { timeout: 20_000 }).toBe(kept)
    expect(await find('"flooded first"')).toHaveLength(1)
    const dropped = 401 - kept
    await expect
      .poll(() => find('"were not stored"'), { timeout: 10_000 })
      .toEqual([expect.stringContaining(`${dropped} log lines`)])
    await writer.stop()
    const { rows } = await database.asSystem('a test looks', async (tx) => ({
      rows: await tx.selectFrom('app.log_writers').select('dropped').execute(),
    }))
    expect(rows.map((row) => Number(row.dropped))).toEqual([dropped])
  })

  it('counts every line that it drops, also in a flood of warnings', async () => {
    const waiting = createWaitingLines()
    const writer = start(waiting)
    isAway = true
    for (let n = 0; n < 11_000; n++) add(waiting, 'error', `storm ${n}`)
    await writer.flush()
    for (let n = 0; n < 10_500; n++) add(waiting, 'error', `storm ${11_000 + n}`)
    isAway = false
    await expect.poll(() => waiting.count, { timeout: 60_000, interval: 500 }).toBe(0)
    await writer.stop()
    const { rows } = await database.asSystem('a test counts', (tx) =>
      sql<{ stored: number; told: number }>`
        select count(*) filter (where message like 'storm %')::integer as stored,
          coalesce(sum((fields::jsonb ->> 'error')::integer) filter (where message like '%were not stored%'), 0)::integer as told
        from app.app_logs where message like 'storm %' or (message like '%were not stored%' and fields::jsonb ? 'error')
      `.execute(tx),
    )
    expect(rows).toEqual([{ stored: 10_000, told: 11_500 }])
  }, 90_000)

  it('stores waiting lines when it stops, and ends even if it cannot', async () => {
    const waiting = createWaitingLines()
    const writer = start(waiting)
    add(waiting, 'info', 'parting words')
    await writer.stop()
    expect(await find('parting')).toEqual(['parting words'])
    const other = start(waiting)
    isAway = true
    add(waiting, 'info', 'parting again')
    await other.stop()
  })
})

describe('the limits of the stored log', () => {
  it('delete lines that are too old, and the oldest of too many, but never those of now', async () => {
    const run = (text: string) => database.asSystem('a test', (tx) => sql.raw(text).execute(tx))
    const storeAt = (interval: string) => `select app.store_log_lines('host:1', array[now() - interval '${interval}'],
      array[30::smallint], array[null], array['marsupial of ${interval}'], array['{}'], array['{}'], '{}')`
    for (const interval of ['20 days', '2 days', '1 day', '0 days']) await run(storeAt(interval))
    const remove = (days: number, bytes: number) =>
      run(`select is_for_size from app.remove_log_parts(${days}, ${bytes})`).then(({ rows }) => rows)
    const left = async () => {
      const { rows } = await run(`select message from app.app_logs where message like 'marsupial%' order by at`)
      return (rows as { message: string }[]).map(({ message }) => message)
    }
    expect(await remove(14, 1e12)).toEqual([{ is_for_size: false }])
    expect(await left()).toEqual(['marsupial of 2 days', 'marsupial of 1 day', 'marsupial of 0 days'])
    expect(await remove(14, 1)).toEqual([{ is_for_size: true }, { is_for_size: true }])
    expect(await left()).toEqual(['marsupial of 0 days'])
    expect(await remove(14, 1)).toEqual([])
  })
})
