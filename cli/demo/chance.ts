/** A seeded random generator: the demo is the same on every machine. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number
  /** True with that probability, 0 to 1. */
  happens(share: number): boolean
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  /** @throws RangeError when the list is empty. */
  pick<T>(list: readonly T[]): T
  /** Picks by weight: `[['new', 3], ['open', 1]]`. */
  weigh<T>(choices: readonly (readonly [choice: T, weight: number])[]): T
  shuffle<T>(list: readonly T[]): T[]
  /** A UUID of version 7 for that instant. */
  uuid(time: Date): string
}

export function createChance(seed: number): Chance {
  // A Weyl sequence through a mixer: small, and random enough for sample data.
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new RangeError('Nothing to pick from.')
    // `next` stays below 1.
    return list[Math.floor(next() * list.length)] as T
  }
  return {
    next,
    happens: (share) => next() < share,
    between,
    pick,
    weigh(choices) {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [choice, weight] of choices) {
        left -= weight
        if (left < 0) return choice
      }
      return pick(choices)[0]
    },
    shuffle(list) {
      return list
        .map((each) => ({ each, place: next() }))
        .sort((a, b) => a.place - b.place)
        .map(({ each }) => each)
    },
    uuid(time) {
      const hex = (digits: number) =>
        Math.floor(next() * 16 ** digits)
          .toString(16)
          .padStart(digits, '0')
      const instant = time.getTime().toString(16).padStart(12, '0')
      return `${instant.slice(0, 8)}-${instant.slice(8)}-7${hex(3)}-${pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(6)}${hex(6)}`
    },
  }
}
