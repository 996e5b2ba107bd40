import { describe, expect, it } from 'vitest'
import { boundContext } from './context.ts'

type Entry = [number, string, string]
const entries = (count: number, text: string): Entry[] =>
  Array.from({ length: count }, (_, index) => [index, 'log', `${index} ${text}`])
const size = (context: object) => Buffer.byteLength(JSON.stringify(context))

describe('boundContext', () => {
  it('leaves what fits as it is', () => {
    const context = { userAgent: 'x', console: entries(50, 'short'), network: [], routes: [] }
    expect(boundContext(structuredClone(context))).toEqual(context)
  })

  it('counts bytes, not characters, and leaves out the oldest', () => {
    const bounded = boundContext({ console: entries(50, 'あ'.repeat(500)), network: [], routes: [] })
    expect(size(bounded)).toBeLessThan(64_000)
    expect(size(bounded)).toBeGreaterThan(50_000)
    expect(bounded).toMatchObject({ truncated: true })
    expect(bounded.console.at(-1)?.[0]).toBe(49)
    expect(bounded.console[0]?.[0]).toBe(50 - bounded.console.length)
  })

  it('shortens the longest list first', () => {
    const bounded = boundContext({ console: entries(50, 'x'.repeat(2000)), network: [], routes: [[1, '/a']] })
    expect(bounded.routes).toEqual([[1, '/a']])
    expect(size(bounded)).toBeLessThan(64_000)
  })

  it('ends when no list is left to shorten', () => {
    const bounded = boundContext({ userAgent: 'x'.repeat(70_000), console: entries(3, 'a'), network: [], routes: [] })
    expect(bounded.console).toEqual([])
  })
})
