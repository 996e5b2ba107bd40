import { describe, expect, it } from 'vitest'
import { parseDollars } from './format-money.ts'

describe('parseDollars', () => {
  it.each([
    ['19', 1900],
    ['$19.50', 1950],
    ['0,07', 7],
    [' 1234567.89 ', 123_456_789],
    // The nearest floating-point number is below it.
    ['1.15', 115],
  ])('reads %j as cents', (text, cents) => {
    expect(parseDollars(text)).toBe(cents)
  })

  it.each(['', 'abc', '-5', '1.234', '1e3', '12345678'])('refuses %j', (text) => {
    expect(parseDollars(text)).toBeUndefined()
  })
})
