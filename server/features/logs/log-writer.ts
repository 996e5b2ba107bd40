import { type BackOff, choosePause } from '#server/platform/back-off.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { WaitingLines } from '#server/platform/log/waiting-lines.ts'
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

type InTransaction = <T>(work: (tx: SystemTx) => Promise<T>) => Promise<T>

/**
 * Stores the waiting lines of this process in batches, once a second. Never throws and never logs its own failures: lines
 * wait within limits while the database is away, and a stored line says how many were dropped.
 */
export function startLogWriter(parts: WriterParts): LogWriter {
  const { database, waiting, yielding } = parts
  waiting.setLimits(waitingLimits)
  const inTransaction: InTransaction = (work) =>
    database.asSystem(reason, async (tx) => {
      await skipFlush(tx)
      return work(tx)
    })
  const drops = createDropCounter(waiting)
  const keeper = createLimitKeeper(parts, inTransaction)
  const noter = createNoter(parts, inTransaction, drops)
  const storeBatch = createBatchStore({ ...parts, inTransaction, drops, keeper })
  let failures = 0

  /** @returns when to look again, in milliseconds. */
  async function look(): Promise<number> {
    const startedAtMs = performance.now()
    try {
      const hasMore = await yielding.run(storeBatch)
      await keeper.keep()
      await noter.noteIfDue()
      failures = 0
      return hasMore ? (performance.now() - startedAtMs) * restFactor : everyMs
    } catch (error) {
      failures += 1
      noter.keepError(error)
      return choosePause(failing, failures)
    }
  }
  const looking = repeat(look)

  async function flush(): Promise<void> {
    await looking.settle()
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
      looking.stop()
      await flush()
      await noter.note().catch(() => {})
    },
  }
}

interface Repetition {
  /** Resolves when the look that is under way has ended. */
  settle(): Promise<void>
  /** No further look. */
  stop(): void
}

/** Looks after a second, then each time after the milliseconds that the last look returned. */
function repeat(look: () => Promise<number>): Repetition {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  function schedule(afterMs: number): void {
    if (isStopped) return
    timer = setTimeout(() => {
      running = look().then(schedule)
    }, afterMs)
    timer.unref()
  }
  schedule(everyMs)
  return {
    settle: () => running,
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

interface BatchParts extends Pick<WriterParts, 'waiting' | 'process'> {
  readonly inTransaction: InTransaction
  readonly drops: DropCounter
  readonly keeper: LimitKeeper
}

/** @returns a function that stores the next batch and returns whether more may wait. */
function createBatchStore({ waiting, process, inTransaction, drops, keeper }: BatchParts): () => Promise<boolean> {
  const memory = createWordMemory()

  async function store(texts: readonly string[]): Promise<void> {
    const nowMs = Date.now()
    const lines = texts.map((text) => readLine(text, process, nowMs))
    const words = memory.findNew(lines)
    await inTransaction((tx) => queries.storeLines(tx, process, lines, words))
    memory.add(words)
  }

  return async () => {
    drops.countWaiting()
    const taken = waiting.take(batch)
    if (keeper.isFull) {
      drops.add(taken.length)
      return taken.length === batch.lines
    }
    // Not one of the waiting lines: in a flood of warnings it would be dropped itself, and its count with it.
    const count = drops.take()
    const texts = [...taken.map(({ text }) => text), ...(count ? [count.text] : [])]
    if (texts.length === 0) return false
    try {
      await store(texts)
    } catch (error) {
      waiting.putBack(taken)
      count?.putBack()
      throw error
    }
    keeper.countStored(texts.length)
    return waiting.count >= batch.lines
  }
}

interface WordMemory {
  /** Words of the lines that are not known to be stored. */
  findNew(lines: readonly StoredLine[]): string[]
  add(words: readonly string[]): void
}

/** A memory of stored words that is empty each day: words are kept for as long as they are seen. */
function createWordMemory(): WordMemory {
  let known = new Set<string>()
  let knownOn = ''
  return {
    findNew(lines) {
      const today = new Date().toISOString().slice(0, 10)
      if (knownOn !== today) known = new Set()
      knownOn = today
      const found = new Set<string>()
      for (const { words } of lines) {
        for (const word of words) if (!known.has(word) && known.size + found.size < mostWords) found.add(word)
      }
      return [...found]
    },
    add(words) {
      for (const word of words) known.add(word)
    },
  }
}

interface DropCounter {
  /** Counts the lines that were dropped while they waited. */
  countWaiting(): void
  add(lines: number): void
  /** Takes the line that says how many of the waiting lines were dropped since the last such line; undefined: none. */
  take(): DropLine | undefined
  /** Since the process started. */
  readonly dropped: number
  readonly droppedAt: Date | null
}

interface DropLine {
  readonly text: string
  /** For the next such line, where this one could not be stored. */
  putBack(): void
}

function createDropCounter(waiting: WaitingLines): DropCounter {
  let dropped = 0
  let droppedAt: Date | null = null
  let untold: Readonly<Record<string, number>> = {}
  function add(lines: number): void {
    if (lines === 0) return
    dropped += lines
    droppedAt = new Date()
  }
  function addUntold(counts: Readonly<Record<string, number>>): void {
    const sums = Object.entries(counts).map(([level, count]) => [level, count + (untold[level] ?? 0)])
    untold = { ...untold, ...Object.fromEntries(sums) }
  }
  return {
    countWaiting() {
      const byLevel = waiting.takeDropped()
      add(sum(byLevel))
      addUntold(byLevel)
    },
    add,
    take() {
      const counts = untold
      const count = sum(counts)
      if (count === 0) return undefined
      untold = {}
      const msg = `${count} log lines were not stored: more came than could be stored`
      return {
        text: `${JSON.stringify({ level: 'warn', time: droppedAt?.toISOString(), dropped: count, ...counts, msg })}\n`,
        putBack: () => addUntold(counts),
      }
    },
    get dropped() {
      return dropped
    },
    get droppedAt() {
      return droppedAt
    },
  }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, each) => total + each, 0)
}

interface LimitKeeper {
  /** Keeps the limits when it is time to. */
  keep(): Promise<void>
  countStored(lines: number): void
  /** Nothing more may be stored. */
  readonly isFull: boolean
}

function createLimitKeeper({ log, limits }: WriterParts, inTransaction: InTransaction): LimitKeeper {
  let keptAtMs = performance.now()
  let linesSinceKept = 0
  let isFull = false
  return {
    async keep() {
      const isDue = performance.now() - keptAtMs > keepEveryMs || linesSinceKept >= keepEveryLines
      if (!isDue) return
      keptAtMs = performance.now()
      linesSinceKept = 0
      isFull = await keepLimits({ run: inTransaction, log, limits, wasFull: isFull })
    },
    countStored(lines) {
      linesSinceKept += lines
    },
    get isFull() {
      return isFull
    },
  }
}

interface Noter {
  /** Stores the state of this writer. */
  note(): Promise<void>
  noteIfDue(): Promise<void>
  /** Keeps an error for the next note. */
  keepError(error: unknown): void
}

function createNoter({ waiting, process }: WriterParts, inTransaction: InTransaction, drops: DropCounter): Noter {
  let notedAtMs = Number.NEGATIVE_INFINITY
  let lastError: string | null = null
  async function note(): Promise<void> {
    notedAtMs = performance.now()
    const oldest = waiting.oldestAddedAtMs
    await inTransaction((tx) =>
      queries.noteWriter(tx, {
        process,
        waiting: waiting.count,
        oldestWaitingAt: oldest === undefined ? null : new Date(oldest),
        dropped: drops.dropped,
        droppedAt: drops.droppedAt,
        lastError,
      }),
    )
    lastError = null
  }
  return {
    note,
    noteIfDue: async () => {
      if (performance.now() - notedAtMs >= noteEveryMs) await note()
    },
    keepError: (error) => {
      lastError = scrubText(readErrorMessage(error)).slice(0, 500)
    },
  }
}
