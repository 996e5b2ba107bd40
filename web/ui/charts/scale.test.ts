import { describe, expect, it } from 'vitest'
import { chooseDurationTicks, chooseTicks } from './scale.ts'

describe('chooseTicks', () => {
  it.each([
    [0, 97, {}, [0, 50, 100]],
    [0, 3, { whole: true }, [0, 1, 2, 3]],
    [0, 0, { whole: true }, [0, 1]],
    [-100, 100, {}, [-100, -50, 0, 50, 100]],
    [0, 0.4, {}, [0, 0.1, 0.2, 0.3, 0.4]],
  ])('%d to %d', (min, max, options, ticks) => expect(chooseTicks(min, max, options)).toEqual(ticks))
})

describe('chooseDurationTicks', () => {
  it.each([
    [200, [0, 60, 120, 180, 240]],
    [9000, [0, 1800, 3600, 5400, 7200, 9000]],
    [0, [0, 60]],
  ])('up to %d s', (max, ticks) => expect(chooseDurationTicks(max)).toEqual(ticks))
})
