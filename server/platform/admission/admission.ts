import type { Log } from '../log/log.ts'

/**
 * Admission by waiting time: requests beyond what can run wait in a queue for each group (a project), the queues are served
 * in turn, and a request that waited too long is refused, so that what is accepted is answered soon and a flood into
 * one group delays no other. A turn of the event loop starts a few requests only: other requests, those of members,
 * are never behind more than these. Where the process itself is too slow, requests wait unseen in the system's
 * buffers: a request counts as waiting since the turn before the one that reads it.
 *
 * A burst may wait for `targetMs`. A queue that was not empty for so long is no burst: from then on its requests may
 * wait for half of that, because a standing queue delays all and serves none sooner. After: Nichols and
 * Jacobson, "Controlling Queue Delay", 2012, in the form of Maurer, "Fail at Scale", 2015.
 */
export interface Admission {
  /** Whether a request of this group would be refused at once: asked before anything else, when refusing costs least. */
  isClosed(group: string): boolean
  /**
   * Asks for a request's turn, before its body is read.
   *
   * @returns whether it may go on; false: it waited too long, or would.
   */
  enter(group: string): boolean | Promise<boolean>
  /** Runs what the request is for. Only this counts as running: a body that arrives slowly keeps no one waiting. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export interface AdmissionOptions {
  /** Requests that run at a time. */
  readonly maxRunning: number
  /** Requests that wait at a time, of all groups; a group with less than its share may exceed it. */
  readonly maxWaiting: number
  /** How long a request may wait, in milliseconds. */
  readonly targetMs: number
  /** Hears of refusals once per ten seconds: a line for each would be a flood as well. */
  readonly log: Pick<Log, 'warn'>
  readonly now?: () => number
}

interface Waiting {
  readonly since: number
  readonly settle: (isAdmitted: boolean) => void
}

/** Exists while requests wait in it. */
interface Queue {
  readonly since: number
  readonly requests: Waiting[]
}

/** Requests that a turn starts: about 10 ms of this process, and more after a long turn, or refusals alone would fill it. */
const minStartsPerTurn = 32
const startsPerMs = 1
/** A standing queue's share of the target. */
const standingShare = 0.5
/** Requests that waited too long are refused after this time at the latest, also when nothing ends. */
const lookEveryMs = 100
const reportEveryMs = 10_000

export function createAdmission(options: AdmissionOptions): Admission {
  const { maxRunning, maxWaiting, targetMs, log, now = () => performance.now() } = options
  // The first is served next, and then becomes the last.
  const queues = new Map<string, Queue>()
  let running = 0
  let waiting = 0
  let startsOfTurn = 0
  /** The turns of the event loop in which requests come. */
  let isInTurn = false
  let turnStartedAt = 0
  let turnEndedAt = 0
  let lastTurnMs = 0
  /** Since when a request that is read now may have waited. */
  let arrivedAt = 0
  let timer: NodeJS.Timeout | undefined
  let refused = 0

  // What starts in this turn does not run yet.
  const mayStart = () =>
    running + startsOfTurn < maxRunning && startsOfTurn < minStartsPerTurn + lastTurnMs * startsPerMs
  const readLimitMs = ({ since }: Queue) => (now() - since > targetMs ? targetMs * standingShare : targetMs)

  /** @returns false, the answer to a request. */
  function refuse(): false {
    refused += 1
    if (refused === 1) setTimeout(report, reportEveryMs).unref()
    return false
  }

  function report(): void {
    log.warn({ refused, seconds: reportEveryMs / 1000 }, 'overload: requests refused')
    refused = 0
  }

  function beginTurn(): void {
    if (isInTurn) return
    isInTurn = true
    turnStartedAt = now()
    // After a pause, the loop was waiting for this request and not the other way round.
    const isBehind = turnStartedAt - turnEndedAt < lastTurnMs
    arrivedAt = isBehind ? turnStartedAt - lastTurnMs : turnStartedAt
    setImmediate(endTurn)
  }

  function endTurn(): void {
    turnEndedAt = now()
    lastTurnMs = turnEndedAt - turnStartedAt
    isInTurn = false
    startsOfTurn = 0
    serve()
  }

  function countStart(): void {
    beginTurn()
    startsOfTurn += 1
  }

  function isOpen(queue: Queue | undefined): boolean {
    if (now() - arrivedAt > targetMs / 2) return false
    const share = maxWaiting / (queues.size + 1)
    if (waiting >= maxWaiting && (queue?.requests.length ?? 0) >= share) return false
    // Half of its limit: a request that came now would wait as long again.
    return queue === undefined || now() - (queue.requests[0]?.since ?? 0) <= readLimitMs(queue) / 2
  }

  /** Takes the first request of a queue out. */
  function take(group: string, queue: Queue): Waiting | undefined {
    const first = queue.requests.shift()
    waiting -= 1
    if (queue.requests.length === 0) queues.delete(group)
    return first
  }

  function serve(): void {
    while (mayStart()) {
      const next = queues.entries().next()
      if (next.done) return
      const [group, queue] = next.value
      queues.delete(group)
      queues.set(group, queue)
      const isStale = now() - (queue.requests[0]?.since ?? 0) > readLimitMs(queue)
      if (!isStale) countStart()
      take(group, queue)?.settle(!isStale || refuse())
    }
  }

  function refuseStale(): void {
    for (const [group, queue] of [...queues]) {
      const latest = now() - readLimitMs(queue)
      while ((queue.requests[0]?.since ?? latest) < latest) take(group, queue)?.settle(refuse())
    }
    if (waiting > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    isClosed: (group) => {
      beginTurn()
      return !isOpen(queues.get(group)) && !refuse()
    },
    enter: (group) => {
      beginTurn()
      if (waiting === 0 && mayStart() && isOpen(undefined)) {
        countStart()
        return true
      }
      const queue = queues.get(group)
      if (!isOpen(queue)) return refuse()
      return new Promise((settle) => {
        const since = arrivedAt
        const own = queue ?? { since: now(), requests: [] }
        if (!queue) queues.set(group, own)
        own.requests.push({ since, settle })
        waiting += 1
        timer ??= setInterval(refuseStale, lookEveryMs)
      })
    },
    run: async (work) => {
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
        serve()
      }
    },
  }
}
