import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'
import { createWaitingLines, findWaitingLines } from './waiting-lines.ts'

const write = (level: string, text: string) => `${JSON.stringify({ level, msg: text })}\n`
const messages = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { msg: string }).msg)

describe('waiting lines', () => {
  it('drops the oldest of the lowest level first, and counts what it dropped', () => {
    const lines = createWaitingLines()
    lines.setLimits({ lines: 4, characters: 1_000 })
    for (const [level, text] of [
      ['error', 'a'],
      ['info', 'b'],
      ['debug', 'c'],
      ['info', 'd'],
      ['warn', 'e'],
      ['error', 'f'],
    ] as const) {
      lines.add(write(level, text))
    }
    expect(messages(lines.read())).toEqual(['a', 'd', 'e', 'f'])
    expect(lines.takeDropped()).toEqual({ debug: 1, info: 1 })
    expect(lines.takeDropped()).toEqual({})
  })

  it('stays within its limits under a flood of lines', () => {
    const lines = createWaitingLines()
    lines.setLimits({ lines: 1_000, characters: 50_000 })
    for (let n = 0; n < 100_000; n++)
      lines.add(write(n % 100 === 0 ? 'error' : 'info', `line ${n} ${'x'.repeat(n % 90)}`))
    expect(lines.count).toBeLessThanOrEqual(1_000)
    expect(lines.read().join('').length).toBeLessThanOrEqual(50_000)
    expect(lines.read().every((line) => line.includes('"error"'))).toBe(true)
  })

  it('gives lines in their order, and takes back what could not be stored', () => {
    const lines = createWaitingLines()
    for (const level of ['info', 'error', 'info', 'warn', 'info']) lines.add(write(level, String(lines.count)))
    const taken = lines.take({ lines: 3, characters: 1_000 })
    expect(messages(taken.map(({ text }) => text))).toEqual(['0', '1', '2'])
    lines.putBack(taken)
    expect(messages(lines.take({ lines: 9, characters: 1_000 }).map(({ text }) => text))).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
    ])
    expect(lines.oldestAddedAtMs).toBeUndefined()
  })

  it('cuts a long line with a note, and standard output gets it whole', () => {
    const written: string[] = []
    const log = createLog({ level: 'info', destination: { write: (line) => written.push(line) } })
    log.info({ big: 'b'.repeat(1_000_000) }, 'm'.repeat(20_000))
    expect(written[0]?.length).toBeGreaterThan(1_000_000)
    const [kept = ''] = findWaitingLines(log)?.read() ?? []
    expect(kept.length).toBeLessThan(30_000)
    expect(JSON.parse(kept)).toMatchObject({
      level: 'info',
      cut: expect.stringMatching(/^The line had 10\d+ characters/),
    })
  })
})
