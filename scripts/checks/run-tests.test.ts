import { describe, expect, it } from 'vitest'
import { type Attempt, runTests } from './run-tests.ts'
import type { FileResult } from './test-reports.ts'

const error = new Error('exit code 1')
const makeResult = (file: string, ...failed: string[]): FileResult => ({
  file,
  seconds: 1,
  passed: 2 - failed.length,
  skipped: 0,
  failed,
})

/** Answers with one attempt after the other, and keeps which files each was asked for. */
function script(...attempts: Attempt[]) {
  const asked: (readonly string[])[] = []
  return {
    asked,
    attempt: async (files: readonly string[]) => {
      asked.push(files)
      return attempts[asked.length - 1] ?? { results: [], error }
    },
  }
}

describe('runTests', () => {
  it('runs tests that pass once', async () => {
    const { asked, attempt } = script({ results: [makeResult('a.test.ts')], error: undefined })
    expect(await runTests(attempt)).toEqual({ results: [makeResult('a.test.ts')], unstable: [], error: undefined })
    expect(asked).toEqual([[]])
  })

  it('runs failing files once more, alone, and names tests that pass then', async () => {
    const { asked, attempt } = script(
      { results: [makeResult('a.test.ts', 'waits'), makeResult('b.test.ts')], error },
      { results: [makeResult('a.test.ts')], error: undefined },
    )
    expect(await runTests(attempt)).toEqual({
      results: [makeResult('a.test.ts'), makeResult('b.test.ts')],
      unstable: ['a.test.ts: waits'],
      error: undefined,
    })
    expect(asked).toEqual([[], ['a.test.ts']])
  })

  it('fails where a test fails alone, or another test of its file does', async () => {
    for (const again of ['waits', 'counts']) {
      const { attempt } = script(
        { results: [makeResult('a.test.ts', 'waits')], error },
        { results: [makeResult('a.test.ts', again)], error },
      )
      const outcome = await runTests(attempt)
      expect(outcome.error).toBe(error)
      expect(outcome.results).toEqual([makeResult('a.test.ts', again)])
    }
  })

  it('repeats nothing where many files fail, or none and the runner does', async () => {
    const many = ['a', 'b', 'c', 'd'].map((name) => makeResult(`${name}.test.ts`, 'waits'))
    for (const results of [many, [makeResult('a.test.ts')]]) {
      const { asked, attempt } = script({ results, error })
      expect(await runTests(attempt)).toEqual({ results, unstable: [], error })
      expect(asked).toEqual([[]])
    }
  })

  it('fails where the second attempt does not report a file', async () => {
    const first = { results: [makeResult('a.test.ts', 'waits')], error }
    const { attempt } = script(first, { results: [], error: undefined })
    expect(await runTests(attempt)).toEqual({ ...first, unstable: [] })
  })
})
