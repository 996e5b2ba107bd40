/*
 * The npm package from its tarball, in an empty folder: cold, with an empty cache of npm, and warm. Run: npm run bench -- package
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settings as allSettings } from '#server/settings.ts'
import { findFreePorts } from '../e2e/start-product.ts'
import { install, pack, packageProgram, startPackage } from './harness/install-package.ts'
import { median, printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const coldTargetMs = 60_000
const warmTargetMs = 1_200
const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-package-'))
const empty = join(folder, 'empty')
const [port = 0] = await findFreePorts(1)
const ambient = Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in allSettings)))
const env = { ...ambient, PORT: String(port), LOG_LEVEL: 'error' }

/** Starts it, waits for the first 200 of /ready, stops it. @returns milliseconds */
async function start(): Promise<number> {
  const startedAt = performance.now()
  const { stop } = await startPackage(empty, `http://localhost:${port}`, env)
  const tookMs = performance.now() - startedAt
  await stop()
  return tookMs
}

function time(args: readonly string[]): number {
  const startedAt = performance.now()
  execFileSync(process.execPath, args, { cwd: empty, env })
  return performance.now() - startedAt
}

async function repeat(measure: () => number | Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await measure())
  return times
}

const formatSeconds = (ms: number) => (ms / 1000).toFixed(2)

try {
  const tarball = pack(folder)
  const coldFrom = performance.now()
  install(tarball, folder, env)
  const installMs = performance.now() - coldFrom
  const firstMs = await start()
  const rows = Object.entries({
    'warm start': await repeat(start),
    'the command alone (--version)': await repeat(() => time([packageProgram, '--version'])),
    'Node alone': await repeat(() => time(['-e', ''])),
  }).map(([name, times]) => [
    name,
    formatSeconds(median(times)),
    formatSeconds(Math.max(...times)),
    name === 'warm start' ? `≤ ${warmTargetMs / 1000}` : '',
  ])
  const coldMs = installMs + firstMs
  const cold = [
    'cold: install and first start',
    formatSeconds(coldMs),
    formatSeconds(coldMs),
    `≤ ${coldTargetMs / 1000}`,
  ]
  const first = ['of that, the first start', formatSeconds(firstMs), formatSeconds(firstMs), '']
  process.stdout.write(`\nThe npm package, from the command to the first 200 of /ready, ${rounds} warm starts.\n\n`)
  printTable(['seconds', 'median', 'slowest', 'target'], [cold, first, ...rows])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
