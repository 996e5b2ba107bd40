/*
 * `npm test`: every check there is, in the order in which they fail fastest, stopping at the first failure.
 * `npm run check` (--static) leaves out what needs a build, a database or a browser.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readErrorMessage } from '#server/platform/read-error.ts'
import { ensureChromium } from './checks/ensure-chromium.ts'
import { type Counts, readPlaywrightCounts, readVitestCounts } from './checks/read-counts.ts'
import { runCommand } from './checks/run-command.ts'
import { type FileTime, formatSlowest, readPlaywrightTimes, readVitestTimes } from './checks/slowest-files.ts'
import { buildIfStale } from './launch/build-if-stale.ts'

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

/** How long each test file took, of every runner. */
const times: FileTime[] = []
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
    ...['contract', 'server', 'web', 'widget', 'doubles', 'scripts', 'bench', 'e2e'],
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
    async run() {
      const file = join(reports, 'vitest.json')
      const line = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
      return counted(runCommand(line, { show: true }), () => {
        times.push(...readVitestTimes(file))
        return readVitestCounts(file)
      })
    },
  },
  {
    name: 'browser tests',
    async run() {
      const chromium = await ensureChromium()
      const file = join(reports, 'playwright.json')
      const env = { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: file }
      const line = ['playwright', 'test', '--reporter=list,json']
      return counted(runCommand(line, { show: true, env }), () => {
        times.push(...readPlaywrightTimes(file))
        return readPlaywrightCounts(file)
      })
    },
  },
]

const total: Counts = { passed: 0, failed: 0, skipped: 0 }
const startedAt = performance.now()
for (const check of onlyStatic ? staticChecks : [...staticChecks, ...dynamicChecks]) {
  const checkStartedAt = performance.now()
  process.stdout.write(`\n▸ ${check.name}\n`)
  try {
    const counts = await check.run()
    add(counts)
    process.stdout.write(`  ok, ${formatSeconds(checkStartedAt)}${formatSkipped(counts)}\n`)
  } catch (error) {
    process.stderr.write(`${readErrorMessage(error)}\n`)
    process.stdout.write(`  FAILED: ${check.name}, ${formatSeconds(checkStartedAt)}\n`)
    add(error instanceof CountedFailure ? error.counts : { passed: 0, failed: 1, skipped: 0 })
    process.exitCode = 1
    break
  }
}
if (times.length > 0) process.stdout.write(`\n${formatSlowest(times, slowestShown)}`)
process.stdout.write(`\nTook ${formatSeconds(startedAt)}.\n${total.passed} passed, ${total.failed} failed\n`)

async function counted(running: Promise<void>, read: () => Counts): Promise<Counts> {
  try {
    await running
  } catch (error) {
    throw new CountedFailure(readErrorMessage(error), read())
  }
  return read()
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
  return [...aliased.filter((folder) => folder !== 'db'), 'scripts', 'e2e']
}
