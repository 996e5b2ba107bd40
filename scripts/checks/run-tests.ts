import type { FileResult } from './test-reports.ts'

/** What a runner did: its report, and whether it ended well. */
export interface Attempt {
  readonly results: readonly FileResult[]
  /** Why the runner ended with an error; undefined: it did not. */
  readonly error: unknown
}

export interface TestOutcome {
  /** The last result of each file. */
  readonly results: readonly FileResult[]
  /** Tests that failed beside others and passed alone. */
  readonly unstable: readonly string[]
  readonly error: unknown
}

/** More failing files than this are no matter of chance. */
const maxRepeated = 3

/**
 * Runs all tests. Where a few files fail, runs those once more, alone: a test that failed because other files used up the
 * machine passes then, and is reported as unstable, never silently. A test that fails alone has failed.
 *
 * @param attempt runs the given files; all files without any.
 */
export async function runTests(attempt: (files: readonly string[]) => Promise<Attempt>): Promise<TestOutcome> {
  const first = await attempt([])
  const failing = first.results.filter(({ failed }) => failed.length > 0)
  const unstable: string[] = []
  // An error without a failed test is the runner's own: nothing says what to repeat.
  if (first.error === undefined || failing.length === 0 || failing.length > maxRepeated) return { ...first, unstable }
  const second = await attempt(failing.map(({ file }) => file))
  for (const { file, failed } of failing) {
    const again = second.results.find((result) => result.file === file)
    if (again === undefined) return { ...first, unstable: [] }
    unstable.push(...failed.filter((test) => !again.failed.includes(test)).map((test) => `${file}: ${test}`))
  }
  const results = first.results.map((result) => second.results.find(({ file }) => file === result.file) ?? result)
  return { results, unstable, error: second.error }
}
