import { describe, expect, it } from 'vitest'
import type { TrialReport } from '#contract/trial-page.ts'
import { addReport, emptyLog, sumBytes } from './trial-log.ts'

const file = (bytes: number): TrialReport => ({
  kind: 'file',
  name: '/e/a/0123456789/panel.js',
  atMs: 1,
  durationMs: 2,
  bytes,
  isCached: false,
})
const collect = (...reports: readonly TrialReport[]) => reports.reduce(addReport, emptyLog)

describe('addReport', () => {
  it('sums what was loaded, and starts again with a new page', () => {
    const log = collect(file(1000), file(234), { kind: 'shown', atMs: 80 })
    expect([sumBytes(log), log.state, log.shownAtMs]).toEqual([1234, 'shown', 80])
    expect(addReport(log, { kind: 'ready' })).toEqual(emptyLog)
  })

  it('keeps the latest 200 of each kind', () => {
    const log = collect(...Array.from({ length: 250 }, (_, index) => file(index)))
    expect([log.files.length, log.files[0]?.bytes, log.files.at(-1)?.bytes]).toEqual([200, 50, 249])
  })
})
