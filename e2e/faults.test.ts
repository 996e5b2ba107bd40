import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from '../bench/faults/list.ts'
import { workerKilled } from '../bench/faults/server-killed.ts'
import { type Stage, startStage } from '../bench/faults/stage.ts'
import { countLosses, tryFault } from '../bench/faults/try-fault.ts'
import { createRandom } from './senders.ts'

/** Repeat a run with FAULTS_SEED=<the number it printed>. */
const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 2 ** 31)
const rounds = 5
/** On a busy machine of two cores; `npm run bench -- faults` measures. */
const longestServeMs = 15_000
const longestResumeMs = 60_000

describe('a product under load', () => {
  const random = createRandom(seed)
  let stage: Stage

  beforeAll(async () => {
    process.stdout.write(`FAULTS_SEED=${seed}\n`)
    // With the default grace period, each stop would take 5 s.
    stage = await startStage(seed, { STOP_GRACE_SECONDS: '1' })
  }, 240_000)
  afterAll(() => stage?.stop(), 60_000)

  it('gives the jobs of a killed worker to its successor as soon as that works', async () => {
    const { rows } = await stage.query<{ id: string }>(
      `select id from graphile_worker.add_job('dispatch_events', run_at => now() + interval '1 day')`,
    )
    const id = rows[0]?.id
    await stage.query(
      `update graphile_worker._private_jobs set run_at = now(), locked_at = now(),
         locked_by = (select worker_id from app.job_workers order by last_seen_at desc limit 1)
       where id = $1`,
      [id],
    )
    await workerKilled.happen(stage, { freezeMs: 0, holdMs: 0 })
    const find = () => stage.query('select from graphile_worker.jobs where id = $1', [id])
    // Missed heartbeats alone would tell after 20 s.
    await expect.poll(async () => (await find()).rowCount, { timeout: 15_000, interval: 50 }).toBe(0)
  }, 30_000)

  for (const fault of faults) {
    it(`serves again by itself after ${rounds} times: ${fault.name}`, async ({ skip }) => {
      const obstacle = fault.obstacle?.(stage)
      if (obstacle) skip(obstacle)
      const { survived, serveMs, resumeMs, problems } = await tryFault(stage, fault, {
        rounds,
        random,
        freezeMs: 500,
        holdMs: 500,
        betweenMs: 250,
      })
      expect({ survived, problems }).toEqual({ survived: rounds, problems: [] })
      expect(Math.max(...serveMs)).toBeLessThan(longestServeMs)
      expect(Math.max(...resumeMs)).toBeLessThan(longestResumeMs)
    }, 180_000)
  }

  it('has every acknowledged item and comment once', async () => {
    await Promise.all([stage.senders.finish(), stage.commenters.finish()])
    expect([...stage.senders.wrongAnswers, ...stage.commenters.wrongAnswers]).toEqual([])
    const losses = await countLosses(stage)
    expect(losses).toMatchObject({ items: { lost: 0, duplicated: 0 }, comments: { lost: 0, duplicated: 0 } })
    // Fewer would mean that nothing was under way when the faults happened.
    expect(losses.items.acknowledged).toBeGreaterThan(faults.length * rounds)
    expect(losses.comments.acknowledged).toBeGreaterThan(faults.length * rounds)
  }, 60_000)
})
