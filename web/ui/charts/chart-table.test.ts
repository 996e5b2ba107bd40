import { describe, expect, it } from 'vitest'
import { toCsv } from './chart-table.ts'

describe('toCsv', () => {
  it('quotes what needs it and lets no visitor write a formula', () => {
    const csv = toCsv({
      columns: ['Page', 'Items', 'Before'],
      rows: [
        { label: '=HYPERLINK("x")', cells: [3, -1.5] },
        { label: 'a, "b"', cells: [null, ' @x'] },
      ],
    })
    expect(csv).toBe('\uFEFFPage,Items,Before\r\n"\'=HYPERLINK(""x"")",3,-1.5\r\n"a, ""b""",,\' @x\r\n')
  })
})
