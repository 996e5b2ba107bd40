/*
 * `npm test`: every check there is, in the order in which they fail fastest, stopping at the first failure. The static ones
 * run two at a time.
 * `npm run check` (--static) leaves out what needs a build, a database or a browser.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { buildIfStale } from './build-if-stale.ts'
import { ensureChromium } from './checks/ensure-chromium.ts'
import { runCommand } from './checks/run-command.ts'
import { runTests } from './checks/run-tests.ts'
import { type FileResult, formatSlowest, readPlaywrightReport, readVitestReport } from './checks/test-reports.ts'

/** The number of tests by outcome. */
type Counts = { passed: number; failed: number; skipped: number }

type Check = {
  name: string
  /** Returns what it counted, or nothing; throws or rejects when it fails. */
  run(): Promise<Counts | undefined>
}

/** A failure of tests that were counted; one that broke off before it counted any is one failure. */
class CountedFailure extends Error {
  readonly counts: Counts
  constructor(message: string, counts: Counts) {
    super(message)
    this.counts = { ...counts, failed: Math.max(1, counts.failed) }
  }
}

/** Of every runner. */
const fileResults: FileResult[] = []
/** Tests that failed beside others and passed alone. */
const unstable: string[] = []
const slowestShown = 20

const onlyStatic = process.argv.includes('--static')
const reports = mkdtempSync(join(tmpdir(), 'earshot-reports-'))
process.on('exit', () => rmSync(reports, { recursive: true, force: true }))

/** A check that is one or more commands, silent unless one of them fails. */
function commands(name: string, ...lines: string[][]): Check {
  return {
    name,
    async run() {
      for (const line of lines) await runCommand(line)
      return undefined
    },
  }
}

const staticChecks: Check[] = [
  commands('format and lint', ['biome', 'check']),
  commands('types', ['react-router', 'typegen'], ['tsc'], ['tsc', '-p', 'web'], ['tsc', '-p', 'widget']),
  commands(
    'import rules',
    ['depcruise', '--config', '.dependency-cruiser.cjs', ...listSourceFolders()],
    ['depcruise', '--config', '.dependency-cruiser.features.cjs', 'server/features'],
  ),
  commands('unused code', ['knip', '--no-progress']),
  commands('casts', ['node', 'scripts/checks/casts.ts']),
  commands('words', ['node', 'scripts/checks/words.ts']),
  commands('function length', [
    'node',
    'scripts/checks/long-functions.ts',
    ...['contract', 'server', 'web', 'widget', 'doubles', 'cli', 'scripts', 'bench', 'e2e', 'deploy'],
  ]),
]

const dynamicChecks: Check[] = [
  commands('generated files', ['node', 'scripts/schema.ts', '--check'], ['node', 'scripts/documents.ts', '--check']),
  {
    name: 'build and size budgets',
    async run() {
      await buildIfStale()
      // Cheap, and here for the table of sizes: a build that is up to date would not print it.
      await runCommand(['node', 'scripts/build-widget.ts', '--check'], { show: true })
      return undefined
    },
  },
  {
    name: 'unit and HTTP tests',
    run: () =>
      countTests(async (files) => {
        const report = join(reports, 'vitest.json')
        const line = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...files]
        const error = await runShown(line)
        return { error, results: readVitestReport(report) }
      }),
  },
  {
    name: 'browser tests',
    async run() {
      const chromium = await ensureChromium()
      return countTests(async (files) => {
        const report = join(reports, 'playwright.json')
        const env = { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report }
        const error = await runShown(['playwright', 'test', '--reporter=list,json', ...files], env)
        return { error, results: readPlaywrightReport(report) }
      })
    },
  },
]

const total: Counts = { passed: 0, failed: 0, skipped: 0 }
const startedAt = performance.now()
// Each keeps one core busy.
const early = runSideBySide(staticChecks, 2)
for (const check of onlyStatic ? staticChecks : [...staticChecks, ...dynamicChecks]) {
  process.stdout.write(`\n▸ ${check.name}\n`)
  const { counts, error, seconds } = await (early.get(check) ?? runOne(check))
  if (error === undefined) {
    add(counts)
    process.stdout.write(`  ok, ${seconds}${formatSkipped(counts)}\n`)
  } else {
    process.stderr.write(`${readErrorMessage(error)}\n`)
    process.stdout.write(`  FAILED: ${check.name}, ${seconds}\n`)
    add(error instanceof CountedFailure ? error.counts : { passed: 0, failed: 1, skipped: 0 })
    process.exitCode = 1
    break
  }
}
if (fileResults.length > 0) process.stdout.write(`\n${formatSlowest(fileResults, slowestShown)}`)
if (unstable.length > 0) {
  process.stdout.write(`\nUnstable, failed beside other tests and passed alone:\n  ${unstable.join('\n  ')}\n`)
}
process.stdout.write(`\nTook ${formatSeconds(startedAt)}.\n${total.passed} passed, ${total.failed} failed\n`)

interface Outcome {
  readonly counts?: Counts | undefined
  readonly error?: unknown
  /** How long it took. */
  readonly seconds: string
}

async function runOne(check: Check): Promise<Outcome> {
  const since = performance.now()
  try {
    const counts = await check.run()
    return { counts, seconds: formatSeconds(since) }
  } catch (error) {
    return { error, seconds: formatSeconds(since) }
  }
}

/** Starts checks in their order, so many at a time, and none after one has failed. */
function runSideBySide(checks: readonly Check[], atOnce: number): Map<Check, Promise<Outcome>> {
  const waiting = checks.map((check) => ({ check, ...Promise.withResolvers<Outcome>() }))
  const outcomes = new Map(waiting.map(({ check, promise }) => [check, promise]))
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const outcome = await runOne(next.check)
      if (outcome.error !== undefined) waiting.length = 0
      next.resolve(outcome)
    }
  }
  for (let lane = 0; lane < atOnce; lane += 1) void work()
  return outcomes
}

async function countTests(attempt: Parameters<typeof runTests>[0]): Promise<Counts> {
  const outcome = await runTests(attempt)
  fileResults.push(...outcome.results)
  unstable.push(...outcome.unstable)
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { passed, failed, skipped } of outcome.results) {
    counts.passed += passed
    counts.failed += failed.length
    counts.skipped += skipped
  }
  if (outcome.error !== undefined) throw new CountedFailure(readErrorMessage(outcome.error), counts)
  return counts
}

/** Runs a command and shows its output. Returns why it failed. */
async function runShown(line: readonly string[], env: Record<string, string> = {}): Promise<unknown> {
  try {
    await runCommand(line, { show: true, env })
    return undefined
  } catch (error) {
    return error
  }
}

function add(counts: Counts | undefined): void {
  total.passed += counts?.passed ?? 0
  total.failed += counts?.failed ?? 0
  total.skipped += counts?.skipped ?? 0
}

function formatSeconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

function formatSkipped(counts: Counts | undefined): string {
  return counts && counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
}

function listSourceFolders(): string[] {
  // This repository's package.json.
  const { imports } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
    imports: Record<string, string>
  }
  const aliased = Object.keys(imports).map((alias) => alias.slice(1, -2))
  return [...aliased.filter((folder) => folder !== 'db'), 'scripts', 'e2e', 'deploy']
}
