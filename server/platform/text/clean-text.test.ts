import { describe, expect, it } from 'vitest'
import { cleanJson, cleanText, isShallow, maxJsonDepth } from './clean-text.ts'

function nest(depth: number): unknown {
  let value: unknown = 'leaf'
  for (let level = 0; level < depth; level += 1) value = { inner: value }
  return value
}

describe('visitor text', () => {
  it('keeps storable text unchanged', () => {
    const text = 'Zeile 1\r\n\tZeile 2 😀 שלום \u202eabc z̸̘̈'
    expect(cleanText(text)).toBe(text)
  })

  it('replaces unstorable characters', () => {
    expect(cleanText('a\u0000b\u0007c\ud800d\udc00')).toBe('a b c\ufffdd\ufffd')
  })

  it('cleans keys and values at every depth', () => {
    expect(cleanJson({ 'k\u0000': ['a\ud800', { deep: '\u0001' }], n: 1, b: null })).toEqual({
      'k ': ['a\ufffd', { deep: ' ' }],
      n: 1,
      b: null,
    })
  })

  it('measures depth without recursion', () => {
    expect(isShallow(nest(maxJsonDepth))).toBe(true)
    expect(isShallow(nest(maxJsonDepth + 1))).toBe(false)
    expect(isShallow(nest(200_000))).toBe(false)
  })
})
