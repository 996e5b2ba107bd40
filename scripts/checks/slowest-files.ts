import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** How long one test file took, from its first hook to its last. */
export interface FileTime {
  readonly file: string
  readonly seconds: number
}

const root = process.cwd()

/** Times of the files in Vitest's JSON report; empty where it was not written. */
export function readVitestTimes(reportFile: string): FileTime[] {
  // Vitest's report; missing fields count as empty.
  const { testResults = [] } = readReport(reportFile) as {
    testResults?: { name: string; startTime: number; endTime: number }[]
  }
  return testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: Math.max(0, endTime - startTime) / 1000,
  }))
}

interface Suite {
  readonly file?: string
  readonly suites?: readonly Suite[]
  readonly specs?: readonly {
    readonly tests: readonly { readonly results: readonly { readonly duration: number }[] }[]
  }[]
}

/** Times of the files in Playwright's JSON report, the sum of their tests; empty where it was not written. */
export function readPlaywrightTimes(reportFile: string): FileTime[] {
  // Playwright's report; missing fields count as empty.
  const { suites = [] } = readReport(reportFile) as { suites?: Suite[] }
  return suites.map((suite) => ({ file: suite.file ?? '', seconds: sumDurations(suite) / 1000 }))
}

function sumDurations({ suites = [], specs = [] }: Suite): number {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration)))
  return own.reduce((total, ms) => total + ms, 0) + suites.reduce((total, suite) => total + sumDurations(suite), 0)
}

/** A table of the slowest files, slowest first. */
export function formatSlowest(times: readonly FileTime[], count: number): string {
  const slowest = [...times].sort((a, b) => b.seconds - a.seconds).slice(0, count)
  const lines = slowest.map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`)
  return [`The ${slowest.length} slowest of ${times.length} test files`, ...lines, ''].join('\n')
}

function readReport(file: string): object {
  try {
    // Reports are objects.
    return JSON.parse(readFileSync(file, 'utf8')) as object
  } catch {
    return {}
  }
}
