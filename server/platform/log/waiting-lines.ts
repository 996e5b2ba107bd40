import { cutLine } from './cut-line.ts'

/** Levels from the least to the most important, with pino's numbers. */
export const levelNumbers = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const
export type LevelName = keyof typeof levelNumbers
// Its own keys.
const levelNames = Object.keys(levelNumbers) as LevelName[]

/** A finished line of the log: scrubbed JSON with its line feed. */
export interface WaitingLine {
  readonly level: LevelName
  /** Grows with each line of this log. */
  readonly number: number
  readonly addedAtMs: number
  readonly text: string
}

export interface LineLimits {
  readonly lines: number
  readonly characters: number
}

/**
 * The last lines of a log, in memory within two limits, until they are taken to be stored. Beyond the limits the oldest of
 * the lowest level is dropped first.
 */
export interface WaitingLines {
  add(text: string): void
  /** Takes the oldest out. */
  take(most: LineLimits): WaitingLine[]
  /** Takes lines back that could not be stored. */
  putBack(lines: readonly WaitingLine[]): void
  /** Oldest first; they stay. */
  read(): string[]
  /** Lines dropped by level since the last call. */
  takeDropped(): Partial<Record<LevelName, number>>
  /** From now on. */
  setLimits(limits: LineLimits): void
  readonly count: number
  /** When the oldest was added; undefined: none waits. */
  readonly oldestAddedAtMs: number | undefined
}

/** Where no one stores them, the lines are there for the support bundle alone. */
const limitsOfNobody: LineLimits = { lines: 2_000, characters: 1_000_000 }

const linesOf = new WeakMap<object, WaitingLines>()

/** Keeps the lines of a log for {@link findWaitingLines}. */
export function keepWaitingLines(log: object, lines: WaitingLines): void {
  linesOf.set(log, lines)
}

/** The waiting lines of a log that `createLog` made; undefined for any other log. */
export function findWaitingLines(log: object): WaitingLines | undefined {
  return linesOf.get(log)
}

export function createWaitingLines(): WaitingLines {
  const queues = createLevelQueues()
  const dropped = new Map<LevelName, number>()
  let limits = limitsOfNobody
  let lastNumber = 0

  function shrink(): void {
    while (queues.count > limits.lines || queues.characters > limits.characters) {
      const line = queues.shiftLowest()
      if (!line) return
      dropped.set(line.level, (dropped.get(line.level) ?? 0) + 1)
    }
  }

  return {
    add(written) {
      const text = cutLine(written)
      const level = readLevel(text)
      lastNumber += 1
      queues.push({ level, number: lastNumber, addedAtMs: Date.now(), text })
      shrink()
    },
    take: (most) => takeOldest(queues, most),
    putBack(lines) {
      queues.unshift(lines)
      shrink()
    },
    read: () =>
      queues
        .list()
        .sort((a, b) => a.number - b.number)
        .map(({ text }) => text),
    takeDropped() {
      const counts = Object.fromEntries(dropped)
      dropped.clear()
      return counts
    },
    setLimits(next) {
      limits = next
      shrink()
    },
    get count() {
      return queues.count
    },
    get oldestAddedAtMs() {
      return queues.findOldest()?.addedAtMs
    },
  }
}

function takeOldest(queues: LevelQueues, most: LineLimits): WaitingLine[] {
  const taken: WaitingLine[] = []
  let size = 0
  while (taken.length < most.lines) {
    const next = queues.findOldest()
    if (!next || (taken.length > 0 && size + next.text.length > most.characters)) break
    queues.shift(next.level)
    size += next.text.length
    taken.push(next)
  }
  return taken
}

// pino writes the level first. A line without one was written by no one of ours.
function readLevel(text: string): LevelName {
  const name = /^\{"level":"(\w+)"/.exec(text)?.[1]
  return levelNames.find((level) => level === name) ?? 'info'
}

/** A queue for each level, with the sums of all. */
interface LevelQueues {
  push(line: WaitingLine): void
  unshift(lines: readonly WaitingLine[]): void
  /** The oldest line of all levels; it stays. */
  findOldest(): WaitingLine | undefined
  /** Takes the oldest line of a level out. */
  shift(level: LevelName): WaitingLine | undefined
  /** Takes the oldest line of the lowest level out. */
  shiftLowest(): WaitingLine | undefined
  /** Level by level. */
  list(): WaitingLine[]
  readonly count: number
  readonly characters: number
}

function createLevelQueues(): LevelQueues {
  // One for each name.
  const queues = Object.fromEntries(levelNames.map((level) => [level, createQueue()])) as Record<LevelName, Queue>
  let count = 0
  let characters = 0

  function shift(level: LevelName): WaitingLine | undefined {
    const line = queues[level].shift()
    if (!line) return undefined
    count -= 1
    characters -= line.text.length
    return line
  }

  return {
    push(line) {
      queues[line.level].push(line)
      count += 1
      characters += line.text.length
    },
    unshift(lines) {
      for (const level of levelNames) queues[level].unshift(lines.filter((line) => line.level === level))
      count += lines.length
      characters += lines.reduce((sum, { text }) => sum + text.length, 0)
    },
    findOldest() {
      let oldest: WaitingLine | undefined
      for (const level of levelNames) {
        const first = queues[level].first()
        if (first && first.number < (oldest?.number ?? Number.POSITIVE_INFINITY)) oldest = first
      }
      return oldest
    },
    shift,
    shiftLowest() {
      const level = levelNames.find((each) => queues[each].first() !== undefined)
      return level && shift(level)
    },
    list: () => levelNames.flatMap((level) => queues[level].list()),
    get count() {
      return count
    },
    get characters() {
      return characters
    },
  }
}

interface Queue {
  push(line: WaitingLine): void
  unshift(lines: readonly WaitingLine[]): void
  first(): WaitingLine | undefined
  shift(): WaitingLine | undefined
  list(): WaitingLine[]
}

function createQueue(): Queue {
  let lines: (WaitingLine | undefined)[] = []
  let start = 0
  return {
    push: (line) => void lines.push(line),
    unshift: (more) => {
      if (more.length === 0) return
      lines = [...more, ...lines.slice(start)]
      start = 0
    },
    first: () => lines[start],
    shift: () => {
      const line = lines[start]
      if (line === undefined) return undefined
      // Freed now: the rest moves only from time to time, because moving it for each line would cost more than the line.
      lines[start] = undefined
      start += 1
      if (start >= 1_000 && start * 2 >= lines.length) {
        lines = lines.slice(start)
        start = 0
      }
      return line
    },
    list: () => lines.slice(start).filter((line) => line !== undefined),
  }
}
