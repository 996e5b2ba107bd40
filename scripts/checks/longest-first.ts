import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take tens of seconds, longest first: one that began last would keep everyone waiting at the end. */
const longest = [
  'faults.test.ts',
  'equal-answers.test.ts',
  'nothing-lost.test.ts',
  'exports.test.ts',
  'bad-input.test.ts',
  'start.test.ts',
  'demo.test.ts',
  'events.test.ts',
  'hostile-input.test.ts',
  'analytics.test.ts',
  'content.test.ts',
]

/** Starts the longest files first; the rest as Vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}`))
      return place === -1 ? longest.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
