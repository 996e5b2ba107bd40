import { setTimeout as pause } from 'node:timers/promises'
import type { Fault, FaultOptions } from './fault.ts'
import type { Stage } from './stage.ts'

export interface FaultResult {
  readonly rounds: number
  /** Rounds after which it served again by itself. */
  readonly survived: number
  /** From the moment of {@link Fault.happen} to the first 200 of /ready with a submission and a comment acknowledged. */
  readonly serveMs: readonly number[]
  /** From the same moment until every job that was due then was done. */
  readonly resumeMs: readonly number[]
  readonly problems: readonly string[]
}

export interface Losses {
  readonly items: { readonly acknowledged: number; readonly lost: number; readonly duplicated: number }
  readonly comments: { readonly acknowledged: number; readonly lost: number; readonly duplicated: number }
}

const serveTimeoutMs = 30_000
const resumeTimeoutMs = 90_000

/** Lets it happen so many times, at random instants of the load, about `betweenMs` after it served again. */
export async function tryFault(
  stage: Stage,
  fault: Fault,
  { rounds, random, betweenMs, ...options }: FaultOptions & { rounds: number; random: () => number; betweenMs: number },
): Promise<FaultResult> {
  const serveMs: number[] = []
  const problems: string[] = []
  const resumeMs: number[] = []
  const resuming: Promise<unknown>[] = []
  for (let round = 0; round < rounds; round += 1) {
    await pause((0.5 + random()) * betweenMs)
    try {
      const due = await listDueJobs(stage)
      await fault.happen(stage, options)
      const happenedAt = performance.now()
      resuming.push(
        awaitJobs(stage, due, happenedAt).then(
          (ms) => resumeMs.push(ms),
          (error: Error) => problems.push(error.message),
        ),
      )
      await awaitService(stage)
      serveMs.push(performance.now() - happenedAt)
      await fault.passed?.(stage)
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  await Promise.all(resuming)
  return { rounds, survived: serveMs.length, serveMs, resumeMs, problems }
}

/** Resolves when it says that it is ready, and has acknowledged another submission and another comment. */
async function awaitService({ url, senders, commenters }: Stage): Promise<void> {
  const until = performance.now() + serveTimeoutMs
  const items = senders.acknowledged().length
  const comments = commenters.acknowledged.size
  let isReady = false
  while (!isReady || senders.acknowledged().length === items || commenters.acknowledged.size === comments) {
    if (performance.now() > until) {
      throw new Error(`not served after ${serveTimeoutMs / 1000} s (${isReady ? 'ready' : 'not ready'})`)
    }
    const reply = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    isReady = reply?.status === 200
    await pause(20)
  }
}

/** Jobs that run or could run now. Emails wait for a mail server that there is none of. */
async function listDueJobs(stage: Stage): Promise<string[]> {
  const { rows } = await stage.query<{ id: string }>(
    `select id from graphile_worker.jobs where run_at <= now() and task_identifier <> 'send_email'`,
  )
  return rows.map(({ id }) => id)
}

/** Resolves with the time since then when none of the jobs is left. */
async function awaitJobs(stage: Stage, ids: readonly string[], since: number): Promise<number> {
  for (;;) {
    const tookMs = performance.now() - since
    // While the database is away or other rounds go on, a question may fail.
    const found = await stage
      .query<{ left: string }>('select count(*) as left from graphile_worker.jobs where id = any($1)', [ids])
      .catch(() => undefined)
    if (found?.rows[0]?.left === '0') return tookMs
    if (tookMs > resumeTimeoutMs) throw new Error(`${found?.rows[0]?.left} jobs were not done after ${tookMs / 1000} s`)
    await pause(250)
  }
}

/** Compares what was acknowledged with what is stored. */
export async function countLosses({ query, senders, commenters }: Stage): Promise<Losses> {
  const count = async (ids: readonly string[], table: string, text: string) => {
    const { rows } = await query<{ lost: string; duplicated: string }>(
      `select (select count(*) from unnest($1::uuid[]) as a (id) where not exists (select from ${table} t where t.id = a.id)) as lost,
         (select count(*) from (select from ${table} where ${text} like any (array['The button of %', 'Note %'])
            group by ${text} having count(*) > 1) as d) as duplicated`,
      [ids],
    )
    return { acknowledged: ids.length, lost: Number(rows[0]?.lost), duplicated: Number(rows[0]?.duplicated) }
  }
  const items = senders.acknowledged().map(({ id }) => id)
  return {
    items: await count(items, 'public.feedback', 'message'),
    comments: await count([...commenters.acknowledged], 'public.feedback_comments', 'text'),
  }
}
