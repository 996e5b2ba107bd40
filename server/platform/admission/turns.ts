/**
 * Requests that a turn starts: about 2 ms of this process, and some more after a long turn, which refusals alone may have
 * filled. One for each millisecond of it would be as much work as the turn before: turns of a busy machine would grow to
 * seconds, and every answer, a member's too, waits for several of them. Twice as many accept no more, and a member's
 * inbox waits a third longer (`bench -- overload`).
 */
const minStartsPerTurn = 16
const startsPerMs = 0.125

/** The turns of the event loop in which requests come. */
export interface Turns {
  /** Called whenever a request comes. */
  begin(): void
  /** Since when a request that is read in this turn may have waited. */
  arrivedAt(): number
  /** For how long turns have begun late, one after the other. */
  lateMs(): number
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
  let lateSince: number | undefined

  function begin(): void {
    if (isInTurn) return
    isInTurn = true
    startedAt = now()
    // After a pause, the loop was waiting for this request and not the other way round.
    const isBehind = startedAt - endedAt < lastMs
    arrivedAt = isBehind ? startedAt - lastMs : startedAt
    if (startedAt - arrivedAt <= lateAfterMs) lateSince = undefined
    else lateSince ??= startedAt
    setImmediate(end)
  }

  function end(): void {
    endedAt = now()
    lastMs = endedAt - startedAt
    isInTurn = false
    starts = 0
    onEnd()
  }

  return {
    begin,
    arrivedAt: () => arrivedAt,
    lateMs: () => (lateSince === undefined ? 0 : now() - lateSince),
    countStart: () => {
      begin()
      starts += 1
    },
    started: () => starts,
    mayStart: () => starts < minStartsPerTurn + lastMs * startsPerMs,
  }
}
