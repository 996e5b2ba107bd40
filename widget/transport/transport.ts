import type { Submission } from '#contract/widget.ts'
import type { Outcome, Progress } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { backOffMs } from './back-off.ts'
import { listItems, type OutboxItem, putItem, removeItem } from './outbox.ts'
import { postSubmission } from './post.ts'

/** How long a visitor is kept looking at "Sending…" before we say what is wrong. */
const patienceMs = 5000

const inFlight = new Set<string>()
const listeners = new Set<(id: string, news: Outcome | Progress) => void>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Hears of submissions that were sent or refused after `deliver` had answered `waiting`. Returns how to stop. */
export function subscribe(listener: (id: string, news: Outcome | Progress) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** One sender per submission over all tabs. Without Web Locks (plain HTTP) the server's idempotency has to do. */
async function withLock<Result>(
  id: string,
  ifAvailable: boolean,
  run: () => Promise<Result>,
): Promise<Result | undefined> {
  if (ifAvailable && inFlight.has(id)) return undefined
  inFlight.add(id)
  try {
    if (!navigator.locks) return await run()
    return await navigator.locks.request(`earshot:${id}`, { ifAvailable }, (lock) => (lock ? run() : undefined))
  } finally {
    inFlight.delete(id)
  }
}

/** One attempt; brings the outbox up to date with its result. */
async function attempt(item: OutboxItem, background: boolean): Promise<[Outcome, OutboxItem]> {
  const result = await postSubmission(item.url, item.body)
  if (result.kind === 'stored') {
    await removeItem(item.id)
    return [{ kind: 'sent', number: result.number }, item]
  }
  if (result.kind === 'refused') {
    if (background) await putItem({ ...item, refusal: result.reason })
    else await removeItem(item.id)
    return [result, item]
  }
  const offline = result.reason === 'network' && !navigator.onLine
  const attempts = item.attempts + 1
  const retryInMs = result.retryAfterMs ?? backOffMs(attempts)
  const now = Date.now()
  const next = {
    ...item,
    attempts,
    notBefore: now + retryInMs,
    heldUntil: result.retryAfterMs === undefined ? 0 : now + retryInMs,
  }
  const durable = await putItem(next)
  return [{ kind: 'waiting', why: offline ? 'offline' : result.reason, durable, retryInMs }, next]
}

/** Submissions that this page has kept, for {@link deliver}. */
const kept = new Map<string, OutboxItem>()

/** Puts a submission into the outbox. Resolves to whether it is safe there even if the page goes away now. */
export function keep(stage: Stage, submission: Submission): Promise<boolean> {
  const url = `${stage.origin}/e/${stage.settings.key}/submissions`
  const item = { id: submission.id, url, body: JSON.stringify(submission), attempts: 0, notBefore: 0, heldUntil: 0 }
  kept.set(item.id, item)
  return putItem(item)
}

/**
 * Sends what {@link keep} has taken. Answers within about {@link patienceMs} plus one request; when that is `waiting`,
 * attempts go on in the background. Calling it again with the same id tries at once.
 */
export async function deliver(_stage: Stage, id: string): Promise<Outcome> {
  let item = kept.get(id)
  if (!item) throw new Error('deliver comes after keep')
  const deadline = Date.now() + patienceMs
  for (;;) {
    const present: OutboxItem = item
    const [outcome, next] = (await withLock(id, false, () => attempt(present, false))) as [Outcome, OutboxItem]
    if (outcome.kind !== 'waiting') return outcome
    if (outcome.why === 'offline' || next.notBefore > deadline) {
      schedule(next.notBefore)
      return outcome
    }
    item = next
    await new Promise((resume) => setTimeout(resume, outcome.retryInMs))
  }
}

function schedule(time: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => sendDue(false), Math.max(0, time - Date.now()))
}

/**
 * Sends what waits and is due, oldest first, and plans the rest.
 * @param eager the network has just come back: our own back-off no longer means anything, the server's wish still does.
 */
async function sendDue(eager: boolean): Promise<void> {
  let next = Number.POSITIVE_INFINITY
  for (const { id } of (await listItems()).filter((item) => !item.refusal)) {
    await withLock(id, true, async () => {
      // Read again: another tab may have sent it while we waited for our turn.
      const item = (await listItems()).find((one) => one.id === id)
      if (!item) return
      const due = eager ? item.heldUntil : item.notBefore
      if (due > Date.now()) {
        next = Math.min(next, due)
        return
      }
      const [outcome, later] = await attempt(item, true)
      if (outcome.kind === 'waiting') next = Math.min(next, later.notBefore)
      else for (const listener of listeners) listener(id, outcome)
    })
  }
  if (next < Number.POSITIVE_INFINITY) schedule(next)
}

/** Sends what is left from before. */
export function resume(_stage: Stage, online: boolean): Promise<void> {
  return sendDue(online)
}

/** How many submissions wait to be sent. */
export async function countWaiting(): Promise<number> {
  return (await listItems()).filter((item) => !item.refusal).length
}

/** Forgets a submission that the visitor goes on editing; it then gets a new id. */
export const withdraw = removeItem

/** Hands over, once, a submission that was refused while nobody was looking. */
export async function takeRefused(): Promise<{ submission: Submission; reason: string } | undefined> {
  const item = (await listItems()).find((one) => one.refusal)
  if (!item?.refusal) return undefined
  await removeItem(item.id)
  return { submission: JSON.parse(item.body) as Submission, reason: item.refusal }
}
