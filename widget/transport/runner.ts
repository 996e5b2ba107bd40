import type { Answer } from './ask.ts'
import { backOffMs, retryAfterMs } from './back-off.ts'
import { type Kept, put } from './store.ts'
import { createUuidV7 } from './uuid-v7.ts'
import { within } from './within.ts'

/** A submission or file on its way to the server. */
export interface Travelling extends Kept {
  readonly id: string
  /** The server's Retry-After, in milliseconds since 1970: no tab retries before. */
  heldUntil: number
}

/**
 * Queues a run after the present one. Resolves to the milliseconds until the next attempt, 0 when there is nothing to do.
 * `isEager`: ignores the back-off, but not the server's Retry-After.
 */
export type Run = (isEager?: boolean) => Promise<number>

/** Keys of this page's submissions and uploads in progress; removed to cancel. */
export const underWay = new Set<string>()

let granting: Promise<boolean> | undefined

/** Whether this browser grants locks: tried once, with a lock that no other tab can hold. */
const grantsLocks = () =>
  (granting ??= within((async () => navigator.locks.request(`earshot:${createUuidV7()}`, () => true))()).catch(
    () => false,
  ))

/**
 * Runs one task of a name at a time over all tabs. Without Web Locks (plain HTTP, blocked storage, a browser that never
 * grants any) it runs unlocked: the server knows every id and offset, so duplicates are harmless.
 */
export async function withLock<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  if (!(await grantsLocks())) return run()
  let running: Promise<Result> | undefined
  const start = () => (running ??= run())
  try {
    return await navigator.locks.request(`earshot:${name}`, start)
  } catch {
    return start()
  }
}

/**
 * Repeats an attempt, one at a time over all tabs, with back-off and for as long as the page lives.
 * @param attempt resolves to true (succeeded, run again), false (nothing to do), or the failed answer, undefined without
 *   one. Called with the number of failures in a row
 */
export function startRunning(
  record: Travelling,
  attempt: (failures: number) => Promise<boolean | Answer | undefined>,
): Run {
  let failures = 0
  let notBefore = record.heldUntil
  let timer: ReturnType<typeof setTimeout> | undefined
  let queue = Promise.resolve(0)
  const runNow = async (isEager?: boolean) => {
    for (;;) {
      const waitMs = (isEager ? record.heldUntil : notBefore) - Date.now()
      if (waitMs > 0) {
        clearTimeout(timer)
        // Timers may be early.
        timer = setTimeout(run, waitMs + 50)
        return waitMs
      }
      const result = await attempt(failures++)
      if (result === false) return 0
      if (result === true) failures = 0
      else {
        const askedMs = retryAfterMs(result?.headers.get('retry-after') ?? '')
        notBefore = Date.now() + (askedMs || backOffMs(failures))
        if (askedMs) record.heldUntil = notBefore
        isEager = false
        // Not when the visitor has withdrawn it meanwhile.
        if (underWay.has(record.key)) await put(record)
      }
    }
  }
  const run: Run = (isEager) => (queue = queue.then(() => withLock(record.id, () => runNow(isEager))))
  underWay.add(record.key)
  return run
}
