/*
 * What the product survives: each fault so many times under load, with what was lost and how long it did not serve.
 * Run: npm run bench -- faults
 */
import { createRandom } from '../e2e/senders.ts'
import type { Fault } from './faults/fault.ts'
import { faults } from './faults/list.ts'
import { type Stage, startStage } from './faults/stage.ts'
import { countLosses, type Losses, tryFault } from './faults/try-fault.ts'
import { median, printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 20)
const holdMs = 2_000
const freezeMs = Number(process.env.BENCH_FREEZE_MS ?? 25_000)
/** Part of a fault's name, to try only some. */
const wanted = process.env.BENCH_FAULT ?? ''
const seed = Date.now() % 2 ** 31

const random = createRandom(seed)
const stage = await startStage(seed)
try {
  const rows: string[][] = []
  const problems: string[] = []
  let before = await countLosses(stage)
  for (const fault of faults.filter(({ name }) => name.includes(wanted))) {
    const obstacle = fault.obstacle?.(stage)
    if (obstacle) {
      rows.push([fault.name, `not tried: ${obstacle}`])
      continue
    }
    const { row, losses, problems: found } = await measure(stage, fault, before)
    process.stdout.write(`${row.join('  ')}\n`)
    rows.push(row)
    problems.push(...found.map((problem) => `${fault.name}: ${problem}`))
    before = losses
  }
  await Promise.all([stage.senders.finish(), stage.commenters.finish()])
  const last = await countLosses(stage)
  process.stdout.write(
    `\n${rounds} rounds each, frozen for ${freezeMs / 1000} s. In the end: items ${formatLosses(last.items)}, comments ${formatLosses(last.comments)}.\n\n`,
  )
  printTable(
    [
      'fault',
      'survived',
      'items lost/doubled',
      'comments lost/doubled',
      'serves after s',
      'worst',
      'jobs done after s, worst',
    ],
    rows,
  )
  for (const problem of problems) process.stdout.write(`${problem}\n`)
} finally {
  await stage.stop()
}

async function measure(on: Stage, fault: Fault, earlier: Losses) {
  const result = await tryFault(on, fault, { rounds, random, freezeMs, holdMs, betweenMs: 1_500 })
  const losses = await countLosses(on)
  const more = (part: keyof Losses) =>
    `${losses[part].lost - earlier[part].lost}/${losses[part].duplicated - earlier[part].duplicated} of ` +
    `${losses[part].acknowledged - earlier[part].acknowledged}`
  const row = [
    fault.name,
    `${result.survived} of ${result.rounds}`,
    more('items'),
    more('comments'),
    (median(result.serveMs) / 1000).toFixed(2),
    (Math.max(...result.serveMs) / 1000).toFixed(2),
    (Math.max(...result.resumeMs) / 1000).toFixed(1),
  ]
  return { row, losses, problems: result.problems }
}

function formatLosses({ acknowledged, lost, duplicated }: Losses['items']): string {
  return `${acknowledged} acknowledged, ${lost} lost, ${duplicated} doubled`
}
