import { percentile } from './table.ts'

/**
 * Repeats a step on each instance in turns, so that other load on the machine affects all of them.
 *
 * @returns the 95th percentile of each instance's times, in milliseconds, without the warm-up.
 */
export async function measureInTurns<Instance>(
  instances: readonly Instance[],
  step: (instance: Instance) => Promise<unknown>,
  { times, warmUp }: { times: number; warmUp: number },
): Promise<number[]> {
  const all: number[][] = instances.map(() => [])
  for (let turn = -warmUp; turn < times; turn += 1) {
    for (const [index, instance] of instances.entries()) {
      const startedAt = performance.now()
      await step(instance)
      if (turn >= 0) all[index]?.push(performance.now() - startedAt)
    }
  }
  return all.map((each) => percentile(each, 0.95))
}

/** A row of a table: both figures, and how many times the first one the second is. */
export function toRatioRow(name: string, [small = Number.NaN, large = Number.NaN]: readonly number[]): string[] {
  return [name, small.toFixed(1), large.toFixed(1), (large / small).toFixed(2)]
}
