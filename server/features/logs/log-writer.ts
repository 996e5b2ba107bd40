import { type BackOff, choosePause } from '#server/platform/back-off.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { WaitingLine, WaitingLines } from '#server/platform/log/waiting-lines.ts'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { scrubText } from '#server/platform/scrub/scrub-text.ts'
import type { Yielding } from '#server/platform/yielding/yielding.ts'
import { keepLimits } from './keep-limits.ts'
import { readLine, type StoredLine } from './read-line.ts'
import * as queries from './writer.queries.ts'

const reason = 'log lines belong to the instance'
const everyMs = 1_000
/** Some 10 ms of this process's time: longer batches would hold up requests. */
const batch = { lines: 200, characters: 500_000 }
/** A full batch is followed by a rest of so many times its length: a flood of lines gets a fifth of one connection. */
const restFactor = 4
const waitingLimits = { lines: 10_000, characters: 8_000_000 }
const failing: BackOff = { firstMs: 1_000, longestMs: 15_000 }
const noteEveryMs = 60_000
/** The limit of bytes is looked at this often, and after so many lines. */
const keepEveryMs = 600_000
const keepEveryLines = 20_000
/** Words that are known to be stored. More are looked up again tomorrow. */
const mostWords = 20_000
const flushWithinMs = 3_000

export interface LogWriter {
  /** Stores the waiting lines, as far as it can. */
  flush(): Promise<void>
  /** Flushes and ends. */
  stop(): Promise<void>
}

interface WriterParts {
  /** With a connection of its own, and without a log: what fails here must not add lines. */
  readonly database: Pick<Database, 'asSystem'>
  readonly waiting: WaitingLines
  readonly yielding: Pick<Yielding, 'run'>
  /** For what others must know of the stored log; its lines are stored like any. */
  readonly log: Pick<Log, 'warn'>
  readonly process: string
  readonly limits: { readonly days: number; readonly maxBytes: number }
}

/**
 * Stores the waiting lines of this process in batches, once a second. Never throws and never logs its own failures: lines
 * wait within limits while the database is away, and a stored line says how many were dropped.
 */
export function startLogWriter({ database, waiting, yielding, log, process, limits }: WriterParts): LogWriter {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let failures = 0
  let dropped = 0
  let droppedAt: Date | null = null
  let lastError: string | null = null
  let notedAtMs = Number.NEGATIVE_INFINITY
  let keptAtMs = performance.now()
  let linesSinceKept = 0
  let isFull = false
  let known = new Set<string>()
  let knownOn = ''
  waiting.setLimits(waitingLimits)

  const inTransaction = <T>(work: (tx: SystemTx) => Promise<T>) =>
    database.asSystem(reason, async (tx) => {
      await skipFlush(tx)
      return work(tx)
    })

  /** New words of the lines, and a memory that is empty each day: words are kept for as long as they are seen. */
  function findNewWords(lines: readonly StoredLine[]): string[] {
    const today = new Date().toISOString().slice(0, 10)
    if (knownOn !== today) known = new Set()
    knownOn = today
    const found = new Set<string>()
    for (const { words } of lines) {
      for (const word of words) if (!known.has(word) && known.size + found.size < mostWords) found.add(word)
    }
    return [...found]
  }

  async function store(taken: readonly WaitingLine[]): Promise<void> {
    const nowMs = Date.now()
    const lines = taken.map(({ text }) => readLine(text, process, nowMs))
    const words = findNewWords(lines)
    await inTransaction((tx) => queries.storeLines(tx, process, lines, words))
    for (const word of words) known.add(word)
  }

  /** @returns whether more may wait. */
  async function storeBatch(): Promise<boolean> {
    countDropped()
    const taken = waiting.take(batch)
    if (taken.length === 0) return false
    if (isFull) {
      dropped += taken.length
      droppedAt = new Date()
      return taken.length === batch.lines
    }
    try {
      await store(taken)
    } catch (error) {
      waiting.putBack(taken)
      throw error
    }
    linesSinceKept += taken.length
    return waiting.count >= batch.lines
  }

  /** Lines that say how many were dropped wait like any other: they are stored when lines are stored again. */
  function countDropped(): void {
    const byLevel = waiting.takeDropped()
    const count = Object.values(byLevel).reduce((sum, each) => sum + each, 0)
    if (count === 0) return
    dropped += count
    droppedAt = new Date()
    waiting.add(
      `${JSON.stringify({ level: 'warn', time: droppedAt.toISOString(), dropped: count, ...byLevel, msg: `${count} log lines were not stored: more came than could be stored` })}\n`,
    )
  }

  async function keep(): Promise<void> {
    const isDue = performance.now() - keptAtMs > keepEveryMs || linesSinceKept >= keepEveryLines
    if (!isDue) return
    keptAtMs = performance.now()
    linesSinceKept = 0
    isFull = await keepLimits({ run: inTransaction, log, limits, wasFull: isFull })
  }

  async function note(): Promise<void> {
    if (performance.now() - notedAtMs < noteEveryMs) return
    notedAtMs = performance.now()
    const oldest = waiting.oldestAddedAtMs
    await inTransaction((tx) =>
      queries.noteWriter(tx, {
        process,
        waiting: waiting.count,
        oldestWaitingAt: oldest === undefined ? null : new Date(oldest),
        dropped,
        droppedAt,
        lastError,
      }),
    )
    lastError = null
  }

  /** @returns when to look again, in milliseconds. */
  async function look(): Promise<number> {
    const startedAtMs = performance.now()
    try {
      const hasMore = await yielding.run(storeBatch)
      await keep()
      await note()
      failures = 0
      return hasMore ? (performance.now() - startedAtMs) * restFactor : everyMs
    } catch (error) {
      failures += 1
      lastError = scrubText(readErrorMessage(error)).slice(0, 500)
      return choosePause(failing, failures)
    }
  }

  function schedule(afterMs: number): void {
    if (isStopped) return
    timer = setTimeout(() => {
      running = look().then(schedule)
    }, afterMs)
    timer.unref()
  }
  schedule(everyMs)

  async function flush(): Promise<void> {
    await running
    const until = performance.now() + flushWithinMs
    try {
      while (waiting.count > 0 && performance.now() < until) await storeBatch()
    } catch {
      // They were on standard output.
    }
  }

  return {
    flush,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await flush()
      notedAtMs = Number.NEGATIVE_INFINITY
      await note().catch(() => {})
    },
  }
}
