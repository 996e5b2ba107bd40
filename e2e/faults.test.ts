import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from '../bench/faults/list.ts'
import { type Stage, startStage } from '../bench/faults/stage.ts'
import { countLosses, tryFault } from '../bench/faults/try-fault.ts'
import { createRandom } from './senders.ts'

/** Repeat a run with FAULTS_SEED=<the number it printed>. */
const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 2 ** 31)
const rounds = 5
/** On a busy machine of two cores; `npm run bench -- faults` measures. */
const longestServeMs = 15_000

describe('a product under load', () => {
  const random = createRandom(seed)
  let stage: Stage

  beforeAll(async () => {
    process.stdout.write(`FAULTS_SEED=${seed}\n`)
    stage = await startStage(seed)
  }, 240_000)
  afterAll(() => stage?.stop(), 60_000)

  for (const fault of faults) {
    it(`serves again by itself after ${rounds} times: ${fault.name}`, async ({ skip }) => {
      const obstacle = fault.obstacle?.(stage)
      if (obstacle) skip(obstacle)
      const { survived, serveMs, problems } = await tryFault(stage, fault, {
        rounds,
        random,
        freezeMs: 1_500,
        betweenMs: 250,
      })
      expect({ survived, problems }).toEqual({ survived: rounds, problems: [] })
      expect(Math.max(...serveMs)).toBeLessThan(longestServeMs)
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
