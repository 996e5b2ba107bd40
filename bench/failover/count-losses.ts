import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Load } from './load.ts'

export interface FinalCount {
  readonly acknowledged: number
  /** Acknowledged and not in the table. */
  readonly lost: number
  /** In the table twice, or with another number than in its receipt. */
  readonly duplicated: number
  readonly renumbered: number
  /** Jobs that were not done in the end, emails apart: no mail server is there. */
  readonly jobsLeft: number
  /** Emails about one item to one member that were queued twice. */
  readonly emailsTwice: number
  /** Items beside the sum of the day that analytics has. */
  readonly items: number
  readonly counted: number
  readonly eventsUndispatched: number
}

const jobsTimeoutMs = 120_000

/** Compares what was acknowledged with what the primary has, after the jobs. */
export async function countLosses(url: string, organizationId: string, load: Load): Promise<FinalCount> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const jobsLeft = await awaitJobs(client)
    const { rows } = await client.query<Omit<FinalCount, 'acknowledged' | 'jobsLeft'>>(
      `with sent as (select * from unnest($2::uuid[], $3::int[]) as s (id, number)),
         own as (select * from public.feedback where organization_id = $1)
       select (select count(*)::int from sent where not exists (select from own where own.id = sent.id)) as lost,
         (select count(*)::int from (select from own group by message having count(*) > 1) as d) as duplicated,
         (select count(*)::int from sent join own using (id) where own.number <> sent.number) as renumbered,
         (select count(*)::int from (select from app.emails where feedback_id is not null
            group by kind, to_address, feedback_id having count(*) > 1) as d) as "emailsTwice",
         (select count(*)::int from own) as items,
         (select coalesce(sum(items), 0)::int from public.feedback_days
            where organization_id = $1 and scope_id = $1) as counted,
         (select count(*)::int from app.events where dispatched_at is null) as "eventsUndispatched"`,
      [organizationId, [...load.acknowledged.keys()], [...load.acknowledged.values()]],
    )
    const [counts] = rows
    if (!counts) throw new Error('the query returns one row')
    return { acknowledged: load.acknowledged.size, jobsLeft, ...counts }
  } finally {
    await client.end()
  }
}

async function awaitJobs(client: pg.Client): Promise<number> {
  for (const until = performance.now() + jobsTimeoutMs; ; await pause(500)) {
    const { rows } = await client.query<{ left: number }>(
      `select ((select count(*) from graphile_worker.jobs where run_at <= now() and task_identifier <> 'send_email')
         + (select count(*) from app.feedback_day_marks))::int as left`,
    )
    const left = rows[0]?.left ?? 0
    if (left === 0 || performance.now() > until) return left
  }
}
