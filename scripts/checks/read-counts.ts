import { readFileSync } from 'node:fs'

/** The number of tests by outcome. */
export type Counts = { passed: number; failed: number; skipped: number }

/** Reads Vitest's JSON report; zeros where it was not written. */
export function readVitestCounts(file: string): Counts {
  // Vitest's report; missing fields count as zero.
  const report = readReport(file) as {
    numPassedTests?: number
    numFailedTests?: number
    numPendingTests?: number
    numTodoTests?: number
  }
  return {
    passed: report.numPassedTests ?? 0,
    failed: report.numFailedTests ?? 0,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  }
}

/** Reads Playwright's JSON report; zeros where it was not written. */
export function readPlaywrightCounts(file: string): Counts {
  // Playwright's report; missing fields count as zero.
  const { stats = {} } = readReport(file) as { stats?: Record<string, number> }
  return {
    passed: (stats.expected ?? 0) + (stats.flaky ?? 0),
    failed: stats.unexpected ?? 0,
    skipped: stats.skipped ?? 0,
  }
}

function readReport(file: string): object {
  try {
    // Reports are objects.
    return JSON.parse(readFileSync(file, 'utf8')) as object
  } catch {
    return {}
  }
}
