import type { Submission } from '#contract/widget.ts'
import type { Chance } from './chance.ts'
import type { DemoMessage } from './message.ts'

/** The rating that fits this kind of message; undefined: none given. */
export function chooseRating(chance: Chance, type: DemoMessage['type']): number | undefined {
  switch (type) {
    case 'bug':
      return chance.weigh([
        [undefined, 50],
        [1, 14],
        [2, 18],
        [3, 14],
        [4, 4],
      ])
    case 'idea':
      return chance.weigh([
        [undefined, 55],
        [3, 12],
        [4, 22],
        [5, 11],
      ])
    case 'praise':
      return chance.weigh([
        [undefined, 15],
        [4, 18],
        [5, 67],
      ])
    default:
      return chance.weigh([
        [undefined, 75],
        [2, 3],
        [3, 8],
        [4, 9],
        [5, 5],
      ])
  }
}

/** Tags by the item's page, and sometimes an NPS score. */
export function composeMarks(chance: Chance, { type, page }: DemoMessage): Pick<Submission, 'tags' | 'nps'> {
  // Every list has two numbers.
  const score = { bug: [1, 7], idea: [5, 9], question: [4, 9], praise: [8, 10], other: [3, 9] }[type] as [
    number,
    number,
  ]
  return {
    ...(chance.happens(0.3) && { tags: [page, ...(chance.happens(0.2) ? ['returning customer'] : [])] }),
    ...(chance.happens(0.28) && { nps: chance.between(...score) }),
  }
}
