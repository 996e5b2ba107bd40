/** Requests that a turn starts: about 10 ms of this process, and more after a long turn, or refusals alone would fill it. */
const minStartsPerTurn = 32
const startsPerMs = 1

/** The turns of the event loop in which requests come. */
export interface Turns {
  /** Called whenever a request comes. */
  begin(): void
  /** Since when a request that is read in this turn may have waited. */
  arrivedAt(): number
  countStart(): void
  /** Requests that this turn has started: they do not run yet. */
  started(): number
  /** Whether this turn may start another request. */
  mayStart(): boolean
}

/** @param onEnd called after each turn, when another may start */
export function createTurns(now: () => number, onEnd: () => void): Turns {
  let starts = 0
  let isInTurn = false
  let startedAt = 0
  let endedAt = 0
  let lastMs = 0
  let arrivedAt = 0

  function begin(): void {
    if (isInTurn) return
    isInTurn = true
    startedAt = now()
    // After a pause, the loop was waiting for this request and not the other way round.
    const isBehind = startedAt - endedAt < lastMs
    arrivedAt = isBehind ? startedAt - lastMs : startedAt
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
    countStart: () => {
      begin()
      starts += 1
    },
    started: () => starts,
    mayStart: () => starts < minStartsPerTurn + lastMs * startsPerMs,
  }
}
