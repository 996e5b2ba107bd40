import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** What a test runner reports of one file. */
export interface FileResult {
  /** From the repository's root. */
  readonly file: string
  readonly seconds: number
  readonly passed: number
  readonly skipped: number
  /** Names of tests; the file's own name where it failed outside its tests. */
  readonly failed: readonly string[]
}

interface VitestReport {
  readonly testResults?: readonly {
    readonly name: string
    readonly status: string
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** Reads Vitest's JSON report; empty where it was not written. */
export function readVitestReport(reportFile: string, root = process.cwd()): FileResult[] {
  // Vitest's report; missing fields count as empty.
  const { testResults = [] } = readReport(reportFile) as VitestReport
  return testResults.map(({ name, status, startTime, endTime, assertionResults: tests }) => {
    const file = relative(root, name)
    const failed = tests.filter((test) => test.status === 'failed').map(({ fullName }) => fullName)
    const passed = tests.filter((test) => test.status === 'passed').length
    return {
      file,
      // First hook to last; a file that could not be loaded has no end.
      seconds: Math.max(0, endTime - startTime) / 1000,
      passed,
      skipped: tests.length - passed - failed.length,
      failed: status === 'failed' && failed.length === 0 ? [file] : failed,
    }
  })
}

interface Suite {
  readonly file?: string
  readonly suites?: readonly Suite[]
  readonly specs?: readonly Spec[]
}

interface Spec {
  readonly title: string
  readonly tests: readonly { readonly status: string; readonly results: readonly { readonly duration: number }[] }[]
}

/** Reads Playwright's JSON report; empty where it was not written. Times are sums of a file's tests. */
export function readPlaywrightReport(reportFile: string): FileResult[] {
  // Playwright's report; missing fields count as empty.
  const { suites = [] } = readReport(reportFile) as { suites?: Suite[] }
  return suites.map((suite) => {
    const tests = listSpecs(suite).flatMap(({ title, tests }) => tests.map((test) => ({ title, ...test })))
    const count = (status: string) => tests.filter((test) => test.status === status).length
    const ms = tests.flatMap(({ results }) => results).reduce((total, { duration }) => total + duration, 0)
    return {
      file: suite.file ?? '',
      seconds: ms / 1000,
      passed: count('expected'),
      skipped: count('skipped'),
      failed: tests.filter(({ status }) => status === 'unexpected').map(({ title }) => title),
    }
  })
}

function listSpecs({ suites = [], specs = [] }: Suite): Spec[] {
  return [...specs, ...suites.flatMap(listSpecs)]
}

/** A table of the slowest files, slowest first. */
export function formatSlowest(results: readonly FileResult[], count: number): string {
  const slowest = [...results].sort((a, b) => b.seconds - a.seconds).slice(0, count)
  const lines = slowest.map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`)
  return [`The ${slowest.length} slowest of ${results.length} test files`, ...lines, ''].join('\n')
}

function readReport(file: string): object {
  try {
    // Reports are objects.
    return JSON.parse(readFileSync(file, 'utf8')) as object
  } catch {
    return {}
  }
}
