/**
 * Requests that a turn starts: about 2 ms of this process, and some more after a long turn, which refusals alone may have
 * filled. One for each millisecond of it would be as much work as the turn before: turns of a busy machine would grow to
 * seconds, and every answer, a member's too, waits for several of them. Twice as many accept no more, and a member's
 * inbox waits a third longer (`bench -- overload`).
 */
const minStartsPerTurn = 16
const startsPerMs = 0.125

/**
 * Turns in some minutes that may be late: the first requests of a new process compile what they need, and a busy machine stops a
 * process for a second. Under a flood more are late within seconds.
 */
const mostExcused = 4
const excusedForMs = 300_000

/** The turns of the event loop in which requests come. */
export interface Turns {
  /** Called whenever a request comes. */
  begin(): void
  /** Since when a request that is read in this turn may have waited. */
  arrivedAt(): number
  /** Whether a request that is read now may have waited for too long, and the turn is not one of the few that may be late. */
  isLate(): boolean
  countStart(): void
  /** Requests that this turn has started: they do not run yet. */
  started(): number
  /** Whether this turn may start another request. */
  mayStart(): boolean
}

/**
 * @param lateAfterMs a turn is late when its requests may have waited for longer
 * @param onEnd called after each turn, when another may start
 */
export function createTurns(now: () => number, lateAfterMs: number, onEnd: () => void): Turns {
  let starts = 0
  let isInTurn = false
  let startedAt = 0
  let endedAt = 0
  let lastMs = 0
  let arrivedAt = 0
  let isExcused: boolean | undefined
  let excusedAt: number[] = []

  function begin(): void {
    if (isInTurn) return
    isInTurn = true
    startedAt = now()
    // After a pause, the loop was waiting for this request and not the other way round.
    const isBehind = startedAt - endedAt < lastMs
    arrivedAt = isBehind ? startedAt - lastMs : startedAt
    isExcused = undefined
    setImmediate(end)
  }

  function end(): void {
    endedAt = now()
    lastMs = endedAt - startedAt
    isInTurn = false
    starts = 0
    onEnd()
  }

  function excuse(): boolean {
    excusedAt = excusedAt.filter((at) => now() - at < excusedForMs)
    if (excusedAt.length >= mostExcused) return false
    excusedAt.push(now())
    return true
  }

  function isLate(): boolean {
    if (now() - arrivedAt <= lateAfterMs) return false
    isExcused ??= excuse()
    return !isExcused
  }

  return {
    begin,
    arrivedAt: () => arrivedAt,
    isLate,
    countStart: () => {
      begin()
      starts += 1
    },
    started: () => starts,
    mayStart: () => starts < minStartsPerTurn + lastMs * startsPerMs,
  }
}
