const maxLines = 2_000
const maxCharacters = 1_000_000

/** The last lines of a log, in memory, within two limits: lines and characters. */
export interface RecentLines {
  add(line: string): void
  /** Oldest first, each with its line feed. */
  read(): string[]
}

const linesOf = new WeakMap<object, RecentLines>()

/** Keeps the lines of a log for {@link readRecentLines}. */
export function keepRecentLines(log: object, lines: RecentLines): void {
  linesOf.set(log, lines)
}

/** The last scrubbed lines of a log that `createLog` made, as JSON; none of any other log. */
export function readRecentLines(log: object): string[] {
  return linesOf.get(log)?.read() ?? []
}

export function createRecentLines(): RecentLines {
  let lines: string[] = []
  let start = 0
  let characters = 0
  return {
    add(line) {
      lines.push(line)
      characters += line.length
      while (lines.length - start > maxLines || (characters > maxCharacters && start < lines.length)) {
        characters -= lines[start]?.length ?? 0
        start += 1
      }
      // Moving the rest at every line would cost more than the line itself.
      if (start > maxLines) {
        lines = lines.slice(start)
        start = 0
      }
    },
    read: () => lines.slice(start),
  }
}
