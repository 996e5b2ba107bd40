import { cutLine } from './cut-line.ts'

/** Levels from the least to the most important, with pino's numbers. */
export const levelNumbers = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const
export type LevelName = keyof typeof levelNumbers
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
  const queues = Object.fromEntries(levelNames.map((level) => [level, createQueue()])) as Record<LevelName, Queue>
  const dropped = new Map<LevelName, number>()
  let limits = limitsOfNobody
  let count = 0
  let characters = 0
  let lastNumber = 0

  function forget(line: WaitingLine): void {
    count -= 1
    characters -= line.text.length
  }

  function shrink(): void {
    while (count > limits.lines || characters > limits.characters) {
      const level = levelNames.find((each) => queues[each].first() !== undefined)
      const line = level && queues[level].shift()
      if (!level || !line) return
      forget(line)
      dropped.set(level, (dropped.get(level) ?? 0) + 1)
    }
  }

  function findOldest(): Queue | undefined {
    let oldest: Queue | undefined
    for (const level of levelNames) {
      const number = queues[level].first()?.number
      if (number !== undefined && number < (oldest?.first()?.number ?? Number.POSITIVE_INFINITY)) oldest = queues[level]
    }
    return oldest
  }

  return {
    add(written) {
      const text = cutLine(written)
      const level = readLevel(text)
      lastNumber += 1
      queues[level].push({ level, number: lastNumber, addedAtMs: Date.now(), text })
      count += 1
      characters += text.length
      shrink()
    },
    take(most) {
      const taken: WaitingLine[] = []
      let size = 0
      while (taken.length < most.lines) {
        const queue = findOldest()
        const next = queue?.first()
        if (!next || (taken.length > 0 && size + next.text.length > most.characters)) break
        queue?.shift()
        forget(next)
        size += next.text.length
        taken.push(next)
      }
      return taken
    },
    putBack(lines) {
      for (const level of levelNames) queues[level].unshift(lines.filter((line) => line.level === level))
      count += lines.length
      characters += lines.reduce((sum, { text }) => sum + text.length, 0)
      shrink()
    },
    read: () =>
      levelNames
        .flatMap((level) => queues[level].list())
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
      return count
    },
    get oldestAddedAtMs() {
      return findOldest()?.first()?.addedAtMs
    },
  }
}

// pino writes the level first. A line without one was written by no one of ours.
function readLevel(text: string): LevelName {
  const name = /^\{"level":"(\w+)"/.exec(text)?.[1]
  return levelNames.find((level) => level === name) ?? 'info'
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
