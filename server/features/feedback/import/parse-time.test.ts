import { describe, expect, it } from 'vitest'
import { judgeOrder, parseTime } from './parse-time.ts'

describe('parseTime', () => {
  it.each([
    ['2024-05-06', undefined, '2024-05-06T00:00:00.000Z'],
    ['2024-05-06 10:30:00', undefined, '2024-05-06T10:30:00.000Z'],
    ['6 May 2024', undefined, '2024-05-06T00:00:00.000Z'],
    ['31/01/2024', undefined, '2024-01-31T00:00:00.000Z'],
    ['01/31/2024', undefined, '2024-01-31T00:00:00.000Z'],
    ['01/31/2024', 'day_first', '2024-01-31T00:00:00.000Z'],
    ['06/05/2024', 'day_first', '2024-05-06T00:00:00.000Z'],
    ['06/05/2024', 'month_first', '2024-06-05T00:00:00.000Z'],
    ['06.05.2024', undefined, '2024-05-06T00:00:00.000Z'],
    ['6.5.24 9:05', undefined, '2024-05-06T09:05:00.000Z'],
    ['5/6/2024, 9:30 PM', 'month_first', '2024-05-06T21:30:00.000Z'],
    ['05/05/2024', undefined, '2024-05-05T00:00:00.000Z'],
  ] as const)('reads %j with the order %s', (text, order, time) => expect(parseTime(text, order)).toBe(time))

  it.each(['06/05/2024', '31/02/2024', '32/01/2024', '13/13/2024', '06/05/1024', 'soon', '06.13.2024'])(
    'refuses %j without an order',
    (text) => expect(parseTime(text)).toBeUndefined(),
  )
})

describe('judgeOrder', () => {
  it.each([
    ['31/01/2024', 'day_first'],
    ['01/31/2024', 'month_first'],
    ['06/05/2024', 'ambiguous'],
    ['06.05.2024', 'day_first'],
    ['2024-05-06', undefined],
  ])('judges %j as %s', (text, order) => expect(judgeOrder(text)).toBe(order))
})
