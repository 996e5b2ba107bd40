import { createPage } from './page.ts'
import { listPositions } from './pointer.ts'
import type { ReplayEvent } from './read-events.ts'
import type { Screen } from './screen.ts'

/** A replay at one position: brings its page and pointer to any other. */
export interface Timeline {
  /** The beginning, in milliseconds since 1970 by the visitor's clock. */
  readonly startedAtMs: number
  readonly durationMs: number
  readonly positionMs: number
  /** Position of the next event or movement of the pointer; at the end, the duration. */
  findUpcoming(): number
  /** Moves forward. */
  advance(positionMs: number): void
  /** Moves in either direction. */
  seek(positionMs: number): void
  /** @param pulses whether presses since the last call are animated */
  showPointer(pulses: boolean): void
}

export function createTimeline(events: readonly ReplayEvent[], screen: Screen, external: boolean): Timeline {
  const page = createPage(screen.document, external)
  const positions = listPositions(events)
  // The first checkpoint; the event with its window's size is slightly older.
  const startedAtMs = events.find(({ type }) => type === 2)?.timestamp ?? 0
  const times = events.map(({ timestamp }) => timestamp - startedAtMs)
  const durationMs = Math.max(1, times.at(-1) ?? 0)
  const checkpoints = [...events.keys()].filter((index) => events[index]?.type === 2)
  let positionMs = 0
  let next = 0
  let isBuilt = false
  let pointer = 0

  const show = (event: ReplayEvent) => {
    const { type, data } = event
    if (type === 4 || (type === 3 && data.source === 4)) screen.resize(data)
    else if (type === 3) page.apply(event)
    // Later checkpoints repeat the page as it already is.
    else if (type === 2 && !isBuilt) {
      page.build(event)
      isBuilt = true
    }
  }

  const catchUp = () => {
    for (; next < events.length && (times[next] ?? 0) <= positionMs; next++) {
      try {
        // The condition of the loop keeps the index below the length.
        show(events[next] as ReplayEvent)
      } catch {
        // An event that cannot be shown stops no other.
      }
    }
    page.settle()
  }

  return {
    startedAtMs,
    durationMs,
    get positionMs() {
      return positionMs
    },
    findUpcoming: () =>
      Math.min(times[next] ?? durationMs, (positions[pointer]?.at ?? Number.POSITIVE_INFINITY) - startedAtMs),
    advance(target) {
      positionMs = Math.min(target, durationMs)
      catchUp()
    },
    seek(target) {
      const before = positionMs
      positionMs = Math.max(0, Math.min(target, durationMs))
      // From the nearest checkpoint: the shortest way forward, and the only one backwards.
      const [earliest = 0] = checkpoints
      const first = checkpoints.filter((index) => (times[index] ?? 0) <= positionMs).at(-1) ?? earliest
      if (positionMs < before || first >= next || !isBuilt) {
        isBuilt = false
        next = events[first - 1]?.type === 4 ? first - 1 : first
      }
      catchUp()
    },
    showPointer(pulses) {
      const now = startedAtMs + positionMs
      while (pointer > 0 && (positions[pointer - 1]?.at ?? 0) > now) pointer--
      for (let position = positions[pointer]; position && position.at <= now; position = positions[++pointer]) {
        if (pulses && position.pressed) screen.pulse()
      }
      screen.movePointer(positions[pointer - 1])
    },
  }
}
