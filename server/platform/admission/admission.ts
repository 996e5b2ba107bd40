import type { Log } from '../log/log.ts'
import { createRefusals } from './refusals.ts'
import { createTurns } from './turns.ts'
import { createWaitingRequests, type Queue } from './waiting.ts'

/**
 * Admission by waiting time: requests beyond what can run wait in a queue for each group (a project), the queues are served
 * in turn, and a request that waited too long is refused, so that what is accepted is answered soon and a flood into
 * one group delays no other. A turn of the event loop starts a few requests only: other requests, those of members,
 * are never behind more than these. Where the process itself is too slow, requests wait unseen in the system's
 * buffers: a request counts as waiting since the turn before the one that reads it. A few long turns are no overload:
 * those of a new process, or of a busy machine, refuse none (`turns.ts`).
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

/** A standing queue's share of the target. */
const standingShare = 0.5
/** Requests that waited too long are refused after this time at the latest, also when nothing ends. */
const lookEveryMs = 100

export function createAdmission(options: AdmissionOptions): Admission {
  const { maxRunning, maxWaiting, targetMs, log, now = () => performance.now() } = options
  const waiting = createWaitingRequests()
  const refuse = createRefusals(log)
  const turns = createTurns(now, targetMs / 2, serve)
  let running = 0
  let timer: NodeJS.Timeout | undefined

  const mayStart = () => running + turns.started() < maxRunning && turns.mayStart()
  const readLimitMs = ({ since }: Queue) => (now() - since > targetMs ? targetMs * standingShare : targetMs)

  function isOpen(queue: Queue | undefined): boolean {
    if (turns.isLate()) return false
    const share = maxWaiting / (waiting.groups() + 1)
    if (waiting.count() >= maxWaiting && (queue?.requests.length ?? 0) >= share) return false
    // Half of its limit: a request that came now would wait as long again.
    return queue === undefined || now() - (queue.requests[0]?.since ?? 0) <= readLimitMs(queue) / 2
  }

  function serve(): void {
    while (mayStart()) {
      const next = waiting.next()
      if (!next) return
      const [group, queue] = next
      const isStale = now() - (queue.requests[0]?.since ?? 0) > readLimitMs(queue)
      if (!isStale) turns.countStart()
      waiting.take(group)?.settle(!isStale || refuse())
    }
  }

  function refuseStale(): void {
    for (const [group, queue] of waiting.list()) {
      const latest = now() - readLimitMs(queue)
      while ((queue.requests[0]?.since ?? latest) < latest) waiting.take(group)?.settle(refuse())
    }
    if (waiting.count() > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    isClosed: (group) => {
      turns.begin()
      return !isOpen(waiting.queueOf(group)) && !refuse()
    },
    enter: (group) => {
      turns.begin()
      if (waiting.count() === 0 && mayStart() && isOpen(undefined)) {
        turns.countStart()
        return true
      }
      if (!isOpen(waiting.queueOf(group))) return refuse()
      return new Promise((settle) => {
        waiting.add(group, { since: turns.arrivedAt(), settle }, now())
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
