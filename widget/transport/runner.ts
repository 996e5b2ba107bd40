import { backOffMs, retryAfterMs } from './back-off.ts'
import { type Kept, put } from './store.ts'

/** Something on its way to the server: a submission, or a file. */
export interface Travelling extends Kept {
  readonly id: string
  /** What the server asked for with Retry-After: not before this time in milliseconds since 1970, here or elsewhere. */
  heldUntil: number
}

/**
 * Goes on with it, after whatever it is at. Resolves to the milliseconds until the next attempt, 0 when there is
 * nothing to do. `isEager`: our own back-off no longer means anything, the server's wish still does.
 */
export type Run = (isEager?: boolean) => Promise<number>

/** Keys of what this page has under way; taken away when it is to be forgotten. */
export const underWay = new Set<string>()

/**
 * Runs one thing of a name at a time over all tabs. Without Web Locks (plain HTTP, blocked storage) it just runs: then
 * the server's answers have to do, which know every id and every offset.
 */
export async function withLock<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
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
 * @param attempt resolves to whether it went well and should go on (true) or has nothing to do (false); else to the
 *   answer with which it failed, or nothing without an answer. It is told how often it has failed in a row
 */
export function startRunning(
  record: Travelling,
  attempt: (failures: number) => Promise<boolean | Response | undefined>,
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
        // Not when the visitor has taken it back meanwhile.
        if (underWay.has(record.key)) await put(record)
      }
    }
  }
  const run: Run = (isEager) => (queue = queue.then(() => withLock(record.id, () => runNow(isEager))))
  underWay.add(record.key)
  return run
}
