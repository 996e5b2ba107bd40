import { isDatabaseAway } from '../database/away.ts'

/**
 * Group commit: items that arrive while a write is in flight wait and leave together in the next one. Under load the
 * price of a durable commit is shared by many; alone, an item does not wait. Admission (`platform/admission`) bounds
 * the number of waiting items.
 *
 * After: DeWitt et al., "Implementation Techniques for Main Memory Database Systems", 1984, section 5.2.
 */
export interface GroupCommit<Item, Result> {
  /** Resolves once the write that holds the item has committed. Rejects with whatever the write threw. */
  submit(item: Item): Promise<Result>
  /** Resolves when nothing waits or is in flight any more. */
  drain(): Promise<void>
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * @param write writes the items in one transaction and gives one result each, in order. When a batch of several
 * fails, its items are written one by one, so that one bad item does not fail the others; not while the database is away.
 */
export function createGroupCommit<Item, Result>(options: {
  write: (items: readonly Item[]) => Promise<readonly Result[]>
  maxBatch: number
  /** Writes in flight at once. A further one leaves only when {@link worthALane} items wait: few would share its price. */
  lanes?: number
  worthALane?: number
}): GroupCommit<Item, Result> {
  const { write, maxBatch, lanes = 1, worthALane = 1 } = options
  let waiting: Waiting<Item, Result>[] = []
  let inFlight = 0
  let isStarting = false
  let idle: PromiseWithResolvers<void> | undefined

  async function writeNext(): Promise<void> {
    const batch = waiting.slice(0, maxBatch)
    waiting = waiting.slice(maxBatch)
    inFlight += 1
    const settle = await tryToWrite(batch)
    inFlight -= 1
    // The next write leaves before this one's senders are answered: the database works while we do.
    if (mayStart()) void writeNext()
    settle()
    if (waiting.length === 0 && inFlight === 0) idle?.resolve()
  }

  /** Writes, and returns what tells the senders. */
  async function tryToWrite(batch: readonly Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const results = await write(batch.map(({ item }) => item))
      return () => {
        batch.forEach(({ resolve, reject }, index) => {
          const result = results[index]
          if (result === undefined) reject(new Error('the write gave no result for an item'))
          else resolve(result)
        })
      }
    } catch (error) {
      // While the database is away, each alone would wait for it again, and would not be written either.
      if (batch.length === 1 || isDatabaseAway(error)) {
        return () => {
          for (const { reject } of batch) reject(error)
        }
      }
      for (const alone of batch) (await tryToWrite([alone]))()
      return () => {}
    }
  }

  return {
    submit(item) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      waiting.push({ item, resolve, reject })
      // One turn of the event loop lets everything that has already arrived get on this write.
      if (mayStart() && !isStarting) {
        isStarting = true
        setImmediate(start)
      }
      return promise
    },
    drain() {
      if (waiting.length === 0 && inFlight === 0) return Promise.resolve()
      idle ??= Promise.withResolvers<void>()
      return idle.promise.then(() => {
        idle = undefined
      })
    },
  }

  function mayStart(): boolean {
    return inFlight < lanes && waiting.length >= (inFlight === 0 ? 1 : worthALane)
  }

  function start(): void {
    isStarting = false
    if (mayStart()) void writeNext()
  }
}
