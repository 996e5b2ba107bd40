/** A request that waits for its turn. */
interface WaitingRequest {
  readonly since: number
  readonly settle: (isAdmitted: boolean) => void
}

/** The waiting requests of one group. Exists while there are any. */
export interface Queue {
  readonly since: number
  readonly requests: WaitingRequest[]
}

/** Requests that wait, in a queue for each group. The first queue is served next, and then becomes the last. */
export interface WaitingRequests {
  count(): number
  groups(): number
  queueOf(group: string): Queue | undefined
  /** A copy: queues may end while they are walked through. */
  list(): [group: string, queue: Queue][]
  /** The queue that is served next, which becomes the last. */
  next(): [group: string, queue: Queue] | undefined
  add(group: string, request: WaitingRequest, now: number): void
  /** Takes the first request of a group out. */
  take(group: string): WaitingRequest | undefined
}

export function createWaitingRequests(): WaitingRequests {
  const queues = new Map<string, Queue>()
  let count = 0
  return {
    count: () => count,
    groups: () => queues.size,
    queueOf: (group) => queues.get(group),
    list: () => [...queues],
    next: () => {
      const first = queues.entries().next()
      if (first.done) return undefined
      const [group, queue] = first.value
      queues.delete(group)
      queues.set(group, queue)
      return [group, queue]
    },
    add: (group, request, now) => {
      const queue = queues.get(group) ?? { since: now, requests: [] }
      queues.set(group, queue)
      queue.requests.push(request)
      count += 1
    },
    take: (group) => {
      const queue = queues.get(group)
      const first = queue?.requests.shift()
      if (first) count -= 1
      if (queue?.requests.length === 0) queues.delete(group)
      return first
    },
  }
}
