import { describe, expect, it } from 'vitest'
import { toPollMs } from './poll-interval.ts'

describe('toPollMs', () => {
  it.each([
    ['just after a message', 0, 4_000],
    ['after a quiet minute', 60_000, 6_000],
    ['after a quiet hour', 3_600_000, 20_000],
  ])('polls %s (%i ms) after %i ms', (_, quietMs, pollMs) => expect(toPollMs(quietMs)).toBe(pollMs))

  it('polls rarely while the server refuses or is away', () => expect(toPollMs(0, true)).toBe(20_000))
})
