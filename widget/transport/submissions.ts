import type { Receipt, Submission } from '#contract/widget.ts'
import type { Outcome, ProofModule } from '../loader/modules.ts'
import type { Stage } from '../loader/stage.ts'
import { type Answer, ask, findRefusal, writeUrl } from './ask.ts'
import { tell } from './news.ts'
import { type Run, startRunning, type Travelling, underWay } from './runner.ts'
import { allowStorage, isSafe, list, put, remove } from './store.ts'
import { claimUploads } from './uploads.ts'

/** Longest "Sending…" before the visitor sees the problem, in milliseconds. */
const patienceMs = 5000
/** Requests that may outlive the page are limited to 64 KiB in flight by the Fetch standard. */
const maxKeepaliveBytes = 61_440

/** A submission in the outbox. Removed only when the server has confirmed or refused it. */
interface StoredSubmission extends Travelling {
  readonly url: string
  /** JSON, byte for byte the same over all attempts: the server tells a retry from another submission by it. */
  readonly body: string
  /** Ids of its uploads. */
  readonly files: readonly string[]
  /** Why the server refused it in the background; shown with the text when the panel opens next. */
  refusal?: string
}

interface OpenSubmission {
  readonly run: Run
  deliver(): Promise<Outcome>
}

const submissions = new Map<string, OpenSubmission>()

/** Everything that waits or was refused, oldest first: ids sort by time. */
export function listSubmissions(): Promise<StoredSubmission[]> {
  return list('t')
}

function openSubmission(stage: Stage, stored: StoredSubmission): OpenSubmission {
  const { id, key, url, body, files } = stored
  const bytes = new Blob([body]).size
  let outcome: Outcome | undefined
  /** The visitor is waiting: a refusal is shown at once. */
  let isWatched = false

  const post = async (proof?: string): Promise<Answer | undefined> => {
    const headers = { 'content-type': 'application/json', ...(proof && { 'x-earshot-proof': proof }) }
    // In the background it is safe already, and several would not fit.
    const keepalive = isWatched && bytes <= maxKeepaliveBytes
    const response = await ask(url, { method: 'POST', body, headers, keepalive })
    if (proof || response?.status !== 428) return response
    const { challenge, difficulty } = await response.json()
    const { solve } = await stage.load<ProofModule>('proof')
    return post(await solve(challenge, difficulty))
  }

  const run = startRunning(stored, async () => {
    // Withdrawn, or done: by this tab, or by another while we waited for our turn.
    if (!underWay.has(key) || (outcome && outcome.kind !== 'waiting')) return false
    if (!isWatched && !(await list(key)).length) return false
    const response = await post().catch(() => undefined)
    // Networks that ask for a login first answer anything with 200 and a page of their own.
    const receipt: Partial<Receipt> | null = response?.ok ? await response.json().catch(() => null) : null
    const refusal = await findRefusal(response)
    if (typeof receipt?.number === 'number') {
      await claimUploads(files, id)
      await remove(key)
      outcome = { kind: 'sent', number: receipt.number }
    } else if (refusal) {
      stored.refusal = refusal
      await put(stored)
      outcome = { kind: 'refused', reason: refusal }
    } else {
      const why = response ? (response.status === 429 ? 'busy' : 'server') : navigator.onLine ? 'network' : 'offline'
      outcome = { kind: 'waiting', why, durable: false, retryInMs: 0 }
      return response
    }
    // `deliver` returns the outcome itself.
    if (!isWatched) tell(id, outcome)
    return false
  })

  const opened: OpenSubmission = {
    run,
    async deliver() {
      const deadline = Date.now() + patienceMs
      const isGoingOn = () => outcome?.kind === 'waiting' && outcome.why !== 'offline' && underWay.has(key)
      isWatched = true
      stored.heldUntil = 0
      let retryInMs = await run(true)
      while (isGoingOn() && Date.now() + retryInMs < deadline) {
        await new Promise((resume) => setTimeout(resume, retryInMs))
        retryInMs = await run()
      }
      isWatched = false
      if (outcome?.kind === 'refused') await remove(key)
      // Every run that is over has left one.
      const settled = outcome as Outcome
      return settled.kind === 'waiting' ? { ...settled, durable: isSafe([id, ...files]), retryInMs } : settled
    },
  }
  submissions.set(id, opened)
  return opened
}

/** Stores a submission in the outbox. Resolves to whether it and its files survive the page. */
export async function keep(stage: Stage, submission: Submission): Promise<boolean> {
  allowStorage(stage.settings.storage !== false)
  const { id, attachments = [] } = submission
  const files = attachments.map((file) => file.id)
  const url = writeUrl(stage, 'submissions')
  const stored = { key: `t${id}`, id, url, body: JSON.stringify(submission), files, heldUntil: 0 }
  openSubmission(stage, stored)
  await put(stored)
  await claimUploads(files)
  return isSafe([id, ...files])
}

/**
 * Sends what {@link keep} has taken. Answers within about {@link patienceMs} plus one request; when that is
 * `waiting`, attempts go on in the background. Calling it again with the same id tries at once.
 */
export async function deliver(_stage: Stage, id: string): Promise<Outcome> {
  const outcome = await submissions.get(id)?.deliver()
  if (!outcome) throw new Error('deliver comes after keep')
  return outcome
}

/** Sends waiting submissions, oldest first, one after the other. */
export async function resumeSubmissions(stage: Stage, isEager: boolean): Promise<void> {
  for (const stored of await listSubmissions()) {
    if (!stored.refusal) await (submissions.get(stored.id) ?? openSubmission(stage, stored)).run(isEager)
  }
}

/** Deletes a submission that the visitor edits again; it then gets a new id. Its uploads stay. */
export function withdraw(id: string): Promise<void> {
  underWay.delete(`t${id}`)
  return remove(`t${id}`)
}
